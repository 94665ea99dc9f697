// The language of scene files, continued: how a section is damped.
#pragma once

#include <vector>

#include "hawser/section.h"
#include "scene/kinds.h"

namespace hawser {

inline constexpr WordKind<FractionalForm> fractional_words{
    {{"constant-cost", FractionalForm::constant_cost,
      "a sum of exponentials: as dear after a million steps as after one"},
     {"direct", FractionalForm::direct, "the sum over all strains that are remembered"},
     {"gu-eq21", FractionalForm::gu_eq21,
      "Gu et al. eq. 21 as printed, which stiffens as the step shrinks"}}};

struct RelaxationText {
  Given<double> share, time;
};
template <class V>
void describe(V& v, RelaxationText& r) {
  v({"share", "Its stiffness over that of the section.", true}, r.share,
    QuantityKind{quantity::number, Sign::positive});
  v({"time", "In which its force falls to 1/e.", true}, r.time,
    QuantityKind{quantity::time, Sign::positive});
}

struct FractionalText {
  Given<double> order, tau, memory{0.0};
  Given<FractionalForm> form{FractionalForm::constant_cost};
};
template <class V>
void describe(V& v, FractionalText& f) {
  v({"order", "Of the derivative, between 0 (a spring) and 1 (a dashpot).", true}, f.order,
    OrderKind{});
  v({"tau", "What the derivative is multiplied by, a bare number in s^order.", true}, f.tau,
    QuantityKind{quantity::number, Sign::not_negative});
  v({"memory", "Time over which it is right; `full` is the whole run."}, f.memory, MemoryKind{});
  v({"form", "How it is evaluated."}, f.form, fractional_words);
}

struct DampingLawText {
  Given<double> viscosity{0.0};
  std::vector<RelaxationText> relaxations;
  Given<FractionalText> fractional;
};
template <class V>
void describe(V& v, DampingLawText& d) {
  v({"viscosity", "Kelvin-Voigt: viscosity over stiffness."}, d.viscosity,
    QuantityKind{quantity::time, Sign::not_negative});
  v({"relaxations", "Prony series: springs beside the section's that let go in time."},
    d.relaxations, ListKind{});
  v({"fractional", "tau d^order(strain)/dt^order beside the strain, from the start on."},
    d.fractional, OptionalObjectKind{});
}

inline constexpr QuantityType decay_rate{"rate", "1/s", "0.1 s^-1", {0, 0, -1, 0}};

struct RayleighText {
  Given<double> mass{0.0}, stiffness{0.0};
};
template <class V>
void describe(V& v, RayleighText& r) {
  v({"mass", "Force by momentum, of all motion, also that of the whole."}, r.mass,
    QuantityKind{decay_rate, Sign::not_negative});
  v({"stiffness", "Added to the viscosity of stretching and of bending."}, r.stiffness,
    QuantityKind{quantity::time, Sign::not_negative});
}

struct DampingText {
  Given<RayleighText> rayleigh;
  Given<DampingLawText> axial, bending;
};
template <class V>
void describe(V& v, DampingText& d) {
  v({"rayleigh", "By mass and by stiffness."}, d.rayleigh, OptionalObjectKind{});
  v({"axial", "Of stretching; EA is that of a load that stays."}, d.axial, OptionalObjectKind{});
  v({"bending", "Of bending, by EI; only ancf bends."}, d.bending, OptionalObjectKind{});
}

}  // namespace hawser
