#include "run/checkpoint.h"

#include <fmt/format.h>

#include <cstdint>
#include <fstream>
#include <sstream>

#include "base/checksum.h"
#include "hawser/error.h"
#include "model/state_table.h"
#include "run/archive.h"
#include "run/results_folder.h"

namespace hawser {

// The lists of fields. Each takes its struct apart by a structured binding, which does not compile
// when a member is added and forgotten here.

template <class Archive>
void fields(Archive& archive, InputMotion& input) {
  auto& [since, setting, smoothing, value, rate, acceleration] = input;
  archive(since, setting, smoothing, value, rate, acceleration);
}

template <class Archive>
void fields(Archive& archive, Linearization& linearization) {
  auto& [q, axial, t, cM, cq, by_lu] = linearization;
  archive(q, axial, t, cM, cq, by_lu);
}

template <class Archive>
void fields(Archive& archive, Impact& impact) {
  auto& [time, speed, peak, shown, energy, omega, until] = impact;
  archive(time, speed, peak, shown, energy, omega, until);
}

template <class Archive>
void fields(Archive& archive, RowOscillation& oscillation) {
  auto& [amplitude, error, largest_error] = oscillation;
  archive(amplitude, error, largest_error);
}

template <class Archive>
void fields(Archive& archive, Books& books) {
  auto& [force, share, impulse, drift, work, start, elastic_start, scale, balance, lowest,
         largest_gain, by_steps, by_fallbacks, by_switches, by_mesh, by_fidelity, largest_fidelity,
         gain_since, gain_steps] = books;
  archive(force, share, impulse, drift, work, start, elastic_start, scale, balance, lowest,
          largest_gain, by_steps, by_fallbacks, by_switches, by_mesh, by_fidelity, largest_fidelity,
          gain_since, gain_steps);
}

template <class Archive>
void fields(Archive& archive, State& state) {
  visit_state(state, [&](const StateMember&, auto& member) { archive(member); });
}

template <class Archive>
void fields(Archive& archive, Mesh::Bend& bend) {
  auto& [after, shape, part, sense, at] = bend;
  archive(after, shape, part, sense, at[0], at[1], at[2]);
}

template <class Archive>
void fields(Archive& archive, Mesh::Crossing& crossing) {
  auto& [cable, stop, at, normal] = crossing;
  archive(cable[0], cable[1], stop[0], stop[1], at[0], at[1], at[2], normal[0], normal[1],
          normal[2]);
}

template <class Archive>
void fields(Archive& archive, Mesh::RunOut& run_out) {
  auto& [stop, after] = run_out;
  archive(stop, after);
}

template <class Archive>
void fields(Archive& archive, Snapshot& snapshot) {
  auto& [mesh, state] = snapshot;
  archive(mesh.s, mesh.wraps, mesh.cuts, mesh.run_outs, mesh.bends, mesh.crossings,
          mesh.contact_stiffness, state);
}

template <class Archive>
void fields(Archive& archive, Counters& counters) {
  auto& [steps, assemblies, factorizations, solves, relinearized, divided, fallbacks, capped,
         rejected, restarts, switched, mesh_changes, fidelity_changes] = counters;
  archive(steps, assemblies, factorizations, solves, relinearized, divided, fallbacks, capped,
          rejected, restarts, switched, mesh_changes, fidelity_changes);
}

template <class Archive>
void fields(Archive& archive, TensionExtreme& extreme) {
  auto& [tension, s, t, computed] = extreme;
  archive(tension, s, t, computed);
}

template <class Archive>
void fields(Archive& archive, Crushing& crushing) {
  auto& [stretch, s, t] = crushing;
  archive(stretch, s, t);
}

template <class Archive>
void fields(Archive& archive, TensionSeen& seen) {
  auto& [largest, smallest, largest_force, smallest_force, overload, compression, growth, looked,
         crushing, warned_of_impact, unevenness, most_uneven, looks, past] = seen;
  archive(largest, smallest, largest_force, smallest_force, overload, compression, growth, looked,
          crushing, warned_of_impact, unevenness, most_uneven, looks, past);
}

template <class Archive>
void fields(Archive& archive, Expectation& expectation) {
  auto& [name, channel, time, value, unit, within, source] = expectation;
  archive(name, channel, time, value, unit, within, source);
}

template <class Archive>
void fields(Archive& archive, ExpectationReport& report) {
  auto& [expected, unit, measured, met, reached] = report;
  archive(expected, unit, measured, met, reached);
}

template <class Archive>
void fields(Archive& archive, Vec3& place) {
  archive(place[0], place[1], place[2]);
}

template <class Archive>
void fields(Archive& archive, Energy& energy) {
  auto& [kinetic, axial, bending, twist, joints, potential, work, start] = energy;
  archive(kinetic, axial, bending, twist, joints, potential, work, start);
}

template <class Archive>
void fields(Archive& archive, RunOutReport& report) {
  auto& [t, cable, stop, start, energy] = report;
  archive(t, cable, stop, start, energy);
}

template <class Archive>
void fields(Archive& archive, RecorderProgress& progress) {
  auto& [every, shapes_every, next_row, next_frame, last_row, last_frame, written] = progress;
  auto& [rows, frames] = written;
  archive(every, shapes_every, next_row, next_frame, last_row, last_frame, rows, frames);
}

template <class Archive>
void fields(Archive& archive, Checkpoint& checkpoint) {
  auto& [scene, file, until, csv, hdf5, vtk, checkpoint_every, recorder, snapshot, counters,
         tension, expectations, energy_start, places_start, warnings, run_outs, settings, cpu,
         wall] = checkpoint;
  archive(scene, file, until, csv, hdf5, vtk, checkpoint_every, recorder, snapshot, counters,
          tension, expectations, energy_start, places_start, warnings, run_outs, settings, cpu,
          wall);
}

namespace {

constexpr std::uint64_t magic = 0x54504352'53574148;  // "HAWSRCPT" where the low byte comes first
constexpr std::uint32_t version = 17;                 // of the lists above

struct Header {
  std::uint64_t kind = 0;
  std::uint32_t version = 0;
  std::uint64_t size = 0;  ///< of the data [bytes]
  static constexpr size_t bytes = 20, checksum_bytes = 8;
};

template <class Archive>
void fields(Archive& archive, Header& header) {
  archive(header.kind, header.version, header.size);
}

[[noreturn]] void damaged(const std::string& path, const std::string& how) {
  throw Error(path, "a damaged checkpoint: " + how, "an intact checkpoint",
              "The results in the same folder are valid up to their last row. Run the scene again "
              "to continue.");
}

}  // namespace

void write_checkpoint(const std::string& path, const Checkpoint& checkpoint) {
  ArchiveWriter data;
  data(checkpoint);
  ArchiveWriter head, tail;
  head(Header{magic, version, data.bytes().size()});
  tail(checksum(data.bytes()));
  replace_file(path, head.bytes() + data.bytes() + tail.bytes());
}

Checkpoint read_checkpoint(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw Error(path, "no checkpoint", "the results folder of a run with a checkpoint",
                "A run writes a checkpoint when it ends or is stopped, and periodically with "
                "--checkpoint-every.");
  std::ostringstream text;
  text << in.rdbuf();
  return decode_checkpoint(text.str(), path);
}

Checkpoint decode_checkpoint(const std::string& bytes, const std::string& path) {
  ArchiveReader head(bytes.data(), bytes.size());
  Header header;
  try {
    head(header);
  } catch (const ArchiveError& error) {
    damaged(path, error.what());
  }
  if (header.kind != magic)
    throw Error(path, "a file that is not a checkpoint", "a checkpoint written by `hawser run`",
                "Give the results folder of a run.");
  if (header.version != version)
    throw Error(path, fmt::format("a checkpoint of version {}", header.version),
                fmt::format("version {}", version),
                "Resume it with the version of Hawser that wrote it.");
  const size_t frame = Header::bytes + Header::checksum_bytes;
  if (bytes.size() < frame || header.size != bytes.size() - frame) damaged(path, "wrong length");
  const char* data = bytes.data() + Header::bytes;
  std::uint64_t expected = 0;
  ArchiveReader(data + header.size, Header::checksum_bytes)(expected);
  if (checksum({data, header.size}) != expected) damaged(path, "wrong checksum");
  Checkpoint checkpoint;
  ArchiveReader reader(data, header.size);
  try {
    reader(checkpoint);
  } catch (const ArchiveError& error) {
    damaged(path, error.what());
  }
  if (!reader.at_end()) damaged(path, "unexpected extra data");
  return checkpoint;
}

}  // namespace hawser
