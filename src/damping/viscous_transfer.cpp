// What damping remembers, on another mesh.
//
// Strains are remembered at Gauss points. On the new mesh each is the strain of the new shape plus
// what the old one differed from that of the old shape, projected: rates of strain, creep and the
// force of springs go on as they were, whatever the change of mesh did to the shape. Forces of
// Maxwell arms are projected themselves.
#include <algorithm>

#include "damping/viscous.h"

namespace hawser {

const Viscous::Part* Viscous::find(Kind kind, size_t index) const {
  for (const Part& part : parts_)
    if (part.kind == kind && part.index == index) return &part;
  return nullptr;
}

void Viscous::take_over(Viscous& from, const State& old, const MeshTransfer& map, State& s) {
  if (!any()) return;
  from.measure(old.q.data(), true);
  from.axes_ = old.material_axes;
  from.bend(old, from.axes_.data());
  s.viscous.assign(state_size_, 0);  // curvatures of nothing: the axes do not spin
  std::copy_n(old.viscous.begin(), 2, s.viscous.begin());
  measure(s.q.data(), true);
  bend(s, s.material_axes.data());
  const size_t times = old.memory_times.size(), rows = model_.rows.size();
  s.memory.assign(times * memory_width_, 0);
  s.viscous_force.assign(static_cast<size_t>(model_.point_size) + rows, 0);
  std::copy(old.viscous_force.end() - static_cast<ptrdiff_t>(rows), old.viscous_force.end(),
            s.viscous_force.end() - static_cast<ptrdiff_t>(rows));
  s.viscous_couple.assign(terms.moment.size(), 0);
  take_points(Kind::axial, from, old, map, s);
  take_points(Kind::bending, from, old, map, s);
  take_stretches(from, old, s);
  terms.moment = s.viscous_couple;
  to_world();
  s.viscous_moment = terms.moment;
  find_held(s, old.viscous[1] > 0 ? old.viscous[1] : step_);
}

/// The same damping of another model, in which its cable is neither massless nor with elements
/// unlike here; null: there is none.
const Viscous::Part* Viscous::same_part(const Viscous& from, const Part& part,
                                        const StateNumbers& numbers) const {
  if (part.kind == Kind::stretch) {
    const int row = numbers.rows[part.index];
    return row < 0 ? nullptr : from.find(Kind::stretch, static_cast<size_t>(row));
  }
  const auto cable = static_cast<size_t>(model_.fields[part.index]->run.cable);
  const CableSpan &here = model_.cables[cable], &there = from.model_.cables[cable];
  if (there.runs != here.runs) return nullptr;
  return from.find(part.kind, part.index - static_cast<size_t>(here.first_run) +
                                  static_cast<size_t>(there.first_run));
}

/// Of cables that are in both models.
void Viscous::take_axes(const Viscous& from, const State& old, State& s) const {
  const auto cable = [](const Viscous& viscous, const Bent& bent) {
    return viscous.model_.fields[viscous.parts_[bent.parts.front()].index]->run.cable;
  };
  constexpr auto size = static_cast<ptrdiff_t>(MaterialAxes::state_size);
  for (size_t i = 0; i < bent_.size(); ++i)
    for (size_t k = 0; k < from.bent_.size(); ++k)
      if (cable(*this, bent_[i]) == cable(from, from.bent_[k]))
        std::copy_n(old.material_axes.begin() + size * static_cast<ptrdiff_t>(k), size,
                    s.material_axes.begin() + size * static_cast<ptrdiff_t>(i));
}

void Viscous::take_over(const Viscous& from, const State& old, const StateNumbers& numbers,
                        State& s) {
  if (!any()) return;
  // What has no past has always been as it is now; a massless cable came from having no strain.
  for (const Part& part : parts_)
    if (part.kind == Kind::stretch && numbers.rows[part.index] < 0)
      std::fill_n(s.viscous.begin() + static_cast<ptrdiff_t>(part.reference()), part.size, 0.0);
  if (!from.any()) return;
  std::copy_n(old.viscous.begin(), 2, s.viscous.begin());
  take_axes(from, old, s);
  const size_t times = old.memory_times.size();
  s.memory_times = old.memory_times;
  s.memory.assign(times * memory_width_, 0);
  for (const Part& part : parts_) {
    const Part* was = same_part(from, part, numbers);
    const auto size = static_cast<size_t>(part.size);
    for (size_t k = 0; part.direct.tau > 0 && k < times; ++k) {
      const double* source = was == nullptr
                                 ? s.viscous.data() + part.reference()
                                 : old.memory.data() + k * from.memory_width_ + was->memory_at;
      std::copy_n(source, size, s.memory.data() + k * memory_width_ + part.memory_at);
    }
    if (was == nullptr) continue;
    std::copy_n(old.viscous.data() + was->at, size * (4 + part.law.arms.size()),
                s.viscous.data() + part.at);
    if (part.kind == Kind::bending)
      std::copy_n(old.viscous_couple.data() + was->offset, size,
                  s.viscous_couple.data() + part.offset);
    else if (part.kind == Kind::axial)
      std::copy_n(old.viscous_force.data() + was->offset, size,
                  s.viscous_force.data() + part.offset);
    else
      s.viscous_force[static_cast<size_t>(model_.point_size) + part.index] =
          old.viscous_force[static_cast<size_t>(from.model_.point_size) + was->index];
  }
  find_held(s, old.viscous[1] > 0 ? old.viscous[1] : step_);
}

void Viscous::take_points(Kind kind, Viscous& from, const State& old, const MeshTransfer& map,
                          State& s) {
  const bool bends = kind == Kind::bending;
  for (const MeshTransfer::PointRow& row : bends ? map.bending() : map.axial()) {
    const Part* part = find(kind, row.to.run);
    if (part == nullptr) continue;
    for (size_t shift = 0; shift <= (bends ? 8 : 0); shift += 4) {
      const size_t p = row.to.at + shift - part->offset;
      const double strain = strains_of(*part)[p];
      // `number` of a part's point, where `strains` as differences from the strain at the moment.
      const auto take = [&](const auto& number, bool strains) {
        double sum = 0;
        for (const MeshTransfer::Source& source : row.from) {
          const Part* found = from.find(kind, source.point.run);
          if (found == nullptr || found->law.arms.size() != part->law.arms.size() ||
              (found->direct.tau > 0) != (part->direct.tau > 0))
            continue;  // a section with other damping: nothing is remembered of it
          const Part& was = *found;
          const size_t at = source.point.at + shift - was.offset;
          const double x = number(was, at);
          if (row.kept()) return x;
          sum += source.weight * (strains ? x - from.strains_of(was)[at] : x);
        }
        return strains ? strain + sum : sum;
      };
      for (const auto at : {&Part::now, &Part::before, &Part::reference, &Part::sum})
        s.viscous[(part->*at)() + p] =
            take([&](const Part& was, size_t i) { return old.viscous[(was.*at)() + i]; },
                 at != &Part::sum);
      const size_t count = part->law.arms.size();
      for (size_t arm = 0; arm < count; ++arm) {
        const auto place = [&](size_t i) { return 4 * (count * (i / 4) + arm) + i % 4; };
        s.viscous[part->arms() + place(p)] = take(
            [&](const Part& was, size_t i) { return old.viscous[was.arms() + place(i)]; }, false);
      }
      for (size_t k = 0; part->direct.tau > 0 && k < old.memory_times.size(); ++k)
        s.memory[k * memory_width_ + part->memory_at + p] =
            take([&](const Part& was,
                     size_t i) { return old.memory[k * from.memory_width_ + was.memory_at + i]; },
                 true);
      auto& force = bends ? s.viscous_couple : s.viscous_force;
      const auto& force_old = bends ? old.viscous_couple : old.viscous_force;
      force[row.to.at + shift] =
          take([&](const Part& was, size_t i) { return force_old[was.offset + i]; }, false);
    }
  }
}

/// Massless cables have no mesh.
void Viscous::take_stretches(const Viscous& from, const State& old, State& s) const {
  for (const Part& part : parts_) {
    if (part.kind != Kind::stretch) continue;
    const Part& was = *from.find(Kind::stretch, part.index);
    const auto size =
        static_cast<ptrdiff_t>(part.size) * static_cast<ptrdiff_t>(4 + part.law.arms.size());
    std::copy_n(old.viscous.begin() + static_cast<ptrdiff_t>(was.at), size,
                s.viscous.begin() + static_cast<ptrdiff_t>(part.at));
    for (size_t k = 0; part.direct.tau > 0 && k < old.memory_times.size(); ++k)
      std::copy_n(old.memory.data() + k * from.memory_width_ + was.memory_at, part.size,
                  s.memory.data() + k * memory_width_ + part.memory_at);
  }
}

}  // namespace hawser
