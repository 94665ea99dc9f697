// The fields of scene files, continued: damping of sections.
#pragma once

#include <vector>

#include "hawser/section.h"
#include "scene/kinds.h"

namespace hawser {

inline constexpr WordKind<FractionalForm> fractional_words{
    {{"constant-cost", FractionalForm::constant_cost,
      "sum of exponentials: constant cost per step"},
     {"direct", FractionalForm::direct, "sum over the whole strain history"},
     {"gu-eq21", FractionalForm::gu_eq21,
      "Gu et al. eq. 21 as printed, which stiffens as the step shrinks"}}};

struct RelaxationText {
  Given<double> share, time;
};
template <class V>
void describe(V& v, RelaxationText& r) {
  v({"share", "Stiffness of the Maxwell arm divided by that of the section.", true}, r.share,
    QuantityKind{quantity::number, Sign::positive});
  v({"time", "Relaxation time, in which the force falls to 1/e.", true}, r.time,
    QuantityKind{quantity::time, Sign::positive});
}

struct FractionalText {
  Given<double> order, tau, memory{0.0};
  Given<FractionalForm> form{FractionalForm::constant_cost};
};
template <class V>
void describe(V& v, FractionalText& f) {
  v({"order", "Order of the derivative, between 0 (a spring) and 1 (a dashpot).", true}, f.order,
    OrderKind{});
  v({"tau", "Factor of the derivative, a bare number in s^order.", true}, f.tau,
    QuantityKind{quantity::number, Sign::not_negative});
  v({"memory", "Time over which the derivative is accurate; `full`: the whole run."}, f.memory,
    MemoryKind{});
  v({"form", "Method of evaluation."}, f.form, fractional_words);
}

struct DampingLawText {
  Given<double> viscosity{0.0};
  std::vector<RelaxationText> relaxations;
  Given<FractionalText> fractional;
};
template <class V>
void describe(V& v, DampingLawText& d) {
  v({"viscosity", "Kelvin-Voigt: viscosity divided by stiffness."}, d.viscosity,
    QuantityKind{quantity::time, Sign::not_negative});
  v({"relaxations", "Prony series: Maxwell arms in parallel with the stiffness of the section."},
    d.relaxations, ListKind{});
  v({"fractional", "Adds tau d^order(strain)/dt^order to the strain, from the start of the run."},
    d.fractional, OptionalObjectKind{});
}

inline constexpr QuantityType decay_rate{"rate", "1/s", "0.1 s^-1", {0, 0, -1, 0}};

struct RayleighText {
  Given<double> mass{0.0}, stiffness{0.0};
};
template <class V>
void describe(V& v, RayleighText& r) {
  v({"mass", "Force per momentum. Damps all motion, including rigid-body motion."}, r.mass,
    QuantityKind{decay_rate, Sign::not_negative});
  v({"stiffness", "Added to the axial and the bending viscosity."}, r.stiffness,
    QuantityKind{quantity::time, Sign::not_negative});
}

struct DampingText {
  Given<RayleighText> rayleigh;
  Given<DampingLawText> axial, bending;
};
template <class V>
void describe(V& v, DampingText& d) {
  v({"rayleigh", "Rayleigh damping, proportional to mass and stiffness."}, d.rayleigh,
    OptionalObjectKind{});
  v({"axial", "Axial damping; EA is the static stiffness."}, d.axial, OptionalObjectKind{});
  v({"bending", "Bending damping, relative to EI; ancf only."}, d.bending, OptionalObjectKind{});
}

}  // namespace hawser
