// The fields of scene files: one table per kind of entry. Reading, errors, the JSON Schema, the
// reference page and the resolved scene are all generated from these tables.
#pragma once

#include <array>

#include "hawser/options.h"
#include "hawser/scene.h"
#include "scene/fields_bodies.h"
#include "scene/fields_damping.h"
#include "scene/fields_inputs.h"
#include "scene/fields_loads.h"
#include "scene/fields_sliding.h"
#include "scene/fields_winches.h"
#include "scene/kinds.h"

namespace hawser {

// --- words ---

inline constexpr WordKind<FlowMesh> flow_mesh_words{
    {{"material", FlowMesh::material,
      "on the material; elements beside hand-overs divide and merge; flows of up to a quarter of "
      "the speed of transverse waves"},
     {"running", FlowMesh::running,
      "in place: the material runs through them; flows of up to the speed of transverse waves"}}};
inline constexpr WordKind<PulleyMeeting> pulley_words{
    {{"flow", PulleyMeeting::flow,
      "the groove holds the cable; the material runs over it between two nodes"},
     {"contact", PulleyMeeting::contact,
      "the elements of the cable lie on a cylinder and touch it, with the `friction` of the "
      "pulley; "
      "they must be a fifth of its radius or shorter"}}};
inline constexpr WordKind<StrainMeasure> strain_words{
    {{"green", StrainMeasure::green, "(r'.r' - 1)/2"},
     {"engineering", StrainMeasure::engineering, "|r'| - 1: consistent with EA in data sheets"}}};

inline constexpr WordKind<CurvatureMeasure> curvature_words{
    {{"second-derivative", CurvatureMeasure::second_derivative, "|r''|: for small strains"},
     {"material", CurvatureMeasure::material, "angle per unstretched length"},
     {"geometric", CurvatureMeasure::geometric, "angle per stretched length"}}};

inline constexpr WordKind<Initial> initial_words{
    {{"straight", Initial::straight,
      "straight lines between the points of the route, with uniform strain"},
     {"catenary", Initial::catenary,
      "hanging under its weight between the points of the route, without bending stiffness"},
     {"points", Initial::points, "a smooth curve through the points of the route"},
     {"static", Initial::rest, "static equilibrium of the whole scene"}}};

inline constexpr WordKind<Initial> cable_initial_words{
    {initial_words.words[0], initial_words.words[1], initial_words.words[2]}};

inline constexpr WordKind<Scheme> scheme_words{
    {{"backward-euler", Scheme::backward_euler, "first order, strong numerical damping"},
     {"bdf2", Scheme::bdf2, "second order"},
     {"newmark", Scheme::newmark, "trapezoidal rule: second order, no numerical damping"},
     {"hht", Scheme::hht, "second order, damps motions the step does not resolve"},
     {"generalized-alpha", Scheme::generalized_alpha,
      "second order, numerical damping set by rho_infinity"}}};

inline constexpr WordKind<Method> method_words{
    {{"mixed", Method::mixed, "one linear solve per step, axial force as a state variable"},
     {"mixed3", Method::mixed3,
      "three solves with one factorization per step: more accurate for cables with elements"},
     {"linearized", Method::linearized, "one linear solve per step (Westin & Irani)"},
     {"newton", Method::newton, "iterates to a tolerance"},
     {"spook", Method::spook,
      "one linear solve per step, regularized constraints: for bodies and massless cables"}}};

inline constexpr WordKind<ConstraintLevel> constraint_words{
    {{"position", ConstraintLevel::position, "satisfied at the end of every step"},
     {"baumgarte", ConstraintLevel::baumgarte,
      "enforced at the acceleration level, with feedback"}}};

inline constexpr WordKind<LinearBackend> backend_words{
    {{"automatic", LinearBackend::automatic, "`chain` where possible, otherwise `sparse`"},
     {"chain", LinearBackend::chain, "block-tridiagonal"},
     {"sparse", LinearBackend::sparse, "for any scene"}}};

inline constexpr WordKind<Interpolation> interpolation_words{
    {{"linear", Interpolation::linear, "piecewise linear"},
     {"smooth", Interpolation::smooth, "cubic spline"}}};

inline constexpr WordKind<Coordinate> coordinate_words{
    {{"x", Coordinate::x, "position [m]"},
     {"y", Coordinate::y, "position [m]"},
     {"z", Coordinate::z, "position [m]"},
     {"slope-x", Coordinate::slope_x, "component of r', the slope of the cable"},
     {"slope-y", Coordinate::slope_y, "component of r'"},
     {"slope-z", Coordinate::slope_z, "component of r'"}}};

// --- functions of time ---

struct SineText {
  QuantityType type;
  Given<double> sine, frequency, phase{0.0}, offset{0.0};
};
template <class V>
void describe(V& v, SineText& s) {
  v({"sine", "Amplitude: the value is offset + amplitude sin(2 pi frequency t + phase).", true},
    s.sine, QuantityKind{s.type});
  v({"frequency", "Frequency of the sine.", true}, s.frequency,
    QuantityKind{quantity::frequency, Sign::positive});
  v({"phase", "Phase at t = 0."}, s.phase, QuantityKind{quantity::angle});
  v({"offset", "Mean value."}, s.offset, QuantityKind{s.type});
}

struct SmoothText {
  QuantityType type;
  Given<std::array<double, 2>> smooth;
  Given<double> from, to;
};
template <class V>
void describe(V& v, SmoothText& s) {
  v({"smooth",
     "Value before and after; a quintic transition with continuous rate and acceleration.", true},
    s.smooth, PairKind{s.type});
  v({"from", "Start time of the transition.", true}, s.from, QuantityKind{quantity::time});
  v({"to", "End time of the transition.", true}, s.to, QuantityKind{quantity::time});
}

struct RampText {
  QuantityType type;
  Given<std::array<double, 2>> ramp;
  Given<double> from, to;
};
template <class V>
void describe(V& v, RampText& s) {
  v({"ramp", "Value before and after; a linear transition.", true}, s.ramp, PairKind{s.type});
  v({"from", "Start time of the transition.", true}, s.from, QuantityKind{quantity::time});
  v({"to", "End time of the transition.", true}, s.to, QuantityKind{quantity::time});
}

inline constexpr WordKind<Over> over_words{
    {{"t", Over::time, "time"}, {"s", Over::arc_length, "arc length along the cable"}}};

struct TableText {
  QuantityType type;
  bool along = false;  ///< may be over s
  Given<Over> over{Over::time};
  Given<TableRows> table{};
  Given<Interpolation> interpolation{Interpolation::linear};
};
template <class V>
void describe(V& v, TableText& s) {
  if (s.along)
    v({"over",
       "What the rows give values for. `s` only in force_per_length: `{over: s, table: [[0 m, 0 "
       "N/m], [5 m, 3 N/m]]}`."},
      s.over, over_words);
  v({"table",
     "Rows of time and value, `[[0 s, 0 m], [2 s, 1 m]]`, or the name of a CSV file with two "
     "columns in SI. Constant before the first row and after the last.",
     true},
    s.table, TableKind{s.type, *s.over});
  v({"interpolation", "Interpolation between the rows."}, s.interpolation, interpolation_words);
}

// --- entries ---

struct MaterialText {
  Given<double> youngs_modulus, density;
};
template <class V>
void describe(V& v, MaterialText& m) {
  v({"youngs_modulus", "Young's modulus.", true}, m.youngs_modulus,
    QuantityKind{quantity::pressure, Sign::positive, 1e15, 1});
  v({"density", "Density of the material.", true}, m.density,
    QuantityKind{quantity::density, Sign::positive, 1e6, 1e-3});
}

struct SectionText {
  Given<std::string> library, material;
  Given<double> diameter, EA, EI, GJ, mass, breaking_load;
  Given<DampingText> damping;
  Given<double> drag, tangential_drag, added_mass;
  double displaced = 0;  ///< diameter of the circle that it displaces [m], known once filled in
  bool own_GJ = false;   ///< the file gives a GJ that is not the library's, known once filled in
};
template <class V>
void describe(V& v, SectionText& s) {
  v({"library", "Name of a library section (`hawser sections`); `diameter` sets its properties."},
    s.library, LibraryKind{});
  v({"material", "For a solid round bar: one of `materials`; also give `diameter`."}, s.material,
    NameKind{"materials"});
  v({"diameter", "Diameter of the rope or bar."}, s.diameter,
    QuantityKind{quantity::length, Sign::positive, 100, 1e-6});
  v({"EA", "Axial stiffness. Overrides the library or material, as do the fields below."}, s.EA,
    QuantityKind{quantity::force, Sign::positive});
  v({"EI", "Bending stiffness; default 0 without library or material."}, s.EI,
    QuantityKind{quantity::stiffness, Sign::not_negative});
  v({"GJ", "Torsional stiffness; default 0 without library or material."}, s.GJ,
    QuantityKind{quantity::stiffness, Sign::not_negative});
  v({"mass", "Mass per unstretched length."}, s.mass,
    QuantityKind{quantity::mass_per_length, Sign::positive});
  v({"breaking_load",
     "Breaking load. Enables the channel `utilisation` and a warning when exceeded."},
    s.breaking_load, QuantityKind{quantity::force, Sign::positive});
  v({"damping", "Material damping. None by default, also for library sections."}, s.damping,
    OptionalObjectKind{});
  v({"drag",
     "In a fluid: drag coefficient across the cable, based on its diameter; default 1.2 "
     "without library."},
    s.drag, QuantityKind{quantity::number, Sign::not_negative});
  v({"tangential_drag",
     "The same along the cable, based on its circumference; default 0.01 without library."},
    s.tangential_drag, QuantityKind{quantity::number, Sign::not_negative});
  v({"added_mass",
     "In a fluid: mass that moves with the cable across its direction, divided by the mass of the "
     "displaced fluid: 1 for a round cylinder; default 0."},
    s.added_mass, QuantityKind{quantity::number, Sign::not_negative});
}

struct GroundText {
  Given<double> height{Ground{}.height};
  Given<Eigen::Vector3d> normal{Ground{}.normal};
  Given<double> stiffness{Ground{}.stiffness}, damping{Ground{}.damping};
  Given<bool> non_stiff{Ground{}.non_stiff};
};
template <class V>
void describe(V& v, GroundText& g) {
  v({"height", "Height along the normal, from the origin."}, g.height,
    QuantityKind{quantity::length});
  v({"normal", "Direction away from the ground: x, y, z or a vector."}, g.normal, DirectionKind{});
  v({"stiffness",
     "Force per metre of cable and metre of depth. A cable at rest sinks in by its weight "
     "divided by the stiffness."},
    g.stiffness, QuantityKind{quantity::ground_stiffness, Sign::positive});
  v({"damping", "Viscosity divided by stiffness; 0: cables bounce."}, g.damping,
    QuantityKind{quantity::time, Sign::not_negative});
  v({"non_stiff", "Evaluate its force once per step, without a tangent. Only for soft ground."},
    g.non_stiff, FlagKind{});
}

struct FluidText {
  Given<double> density;
  Given<Eigen::Vector3d> velocity{Fluid{}.velocity};
  Given<bool> non_stiff{Fluid{}.non_stiff};
};
template <class V>
void describe(V& v, FluidText& f) {
  v({"density", "Density of the fluid: 1025 kg/m^3 for sea water, 1.2 kg/m^3 for air.", true},
    f.density, QuantityKind{quantity::density, Sign::positive});
  v({"velocity", "Velocity of the current or wind."}, f.velocity, VectorKind{quantity::velocity});
  v({"non_stiff", "Evaluate drag once per step, without a tangent."}, f.non_stiff, FlagKind{});
}

struct SupportText {
  Given<Eigen::Vector3d> position, slides, normal;
  Given<ShapeText> shape;
  Given<OrientationText> orientation;
};
template <class V>
void describe(V& v, SupportText& s) {
  v({"position", "Initial position; motions are relative to it.", true}, s.position,
    VectorKind{quantity::length});
  v({"slides",
     "Direction in which ends and eyelets of cables with elements slide freely there: x, y, z or a "
     "vector."},
    s.slides, DirectionKind{});
  v({"shape",
     "What cables touch there (`contact`), centred at the support: exactly one of these. It moves "
     "and turns with the support."},
    s.shape, OptionalObjectKind{});
  v({"orientation", "Initial orientation of the shape; default: its axes are the world axes."},
    s.orientation, OptionalObjectKind{});
  v({"normal",
     "Direction away from a plane through the support, on which cables lie that name it with "
     "`along`: x, y, z or a vector."},
    s.normal, DirectionKind{});
}

struct CableText {
  Given<std::vector<SectionUse>> section;
  Given<CableModel> model{CableModel::ancf};
  Given<std::vector<Stop>> route;
  Given<Initial> initial;
  Given<double> length{0.0};
  Given<int> elements{10};
  Given<double> element_length;
  Given<FlowMesh> mesh{FlowMesh::material};
  Given<PulleyMeeting> pulleys{PulleyMeeting::flow};
  Given<StrainMeasure> strain{StrainMeasure::engineering};
  Given<CurvatureMeasure> curvature{CurvatureMeasure::second_derivative};
  Given<int> axial_points{5}, bending_points{3};
  Given<bool> closed{false};
  Given<bool> lumped_mass{false}, tension_only{false}, pushes{false};
  Given<CableModel> when_slack;
  Given<double> slack_limit;
  Given<TimeFunction> payout, speed, slip, tension;
  Given<Eigen::Vector3d> velocity{Eigen::Vector3d::Zero()},
      angular_velocity{Eigen::Vector3d::Zero()};
};
template <class V>
void describe(V& v, CableText& c) {
  v({"section",
     "Cross-section of the cable: one of `sections`, or several from its start to its end with "
     "their lengths, `[[chain, 20 m], [rope, 100 m], [chain, rest]]`. Without `rest` and `length` "
     "they make up the length of the cable.",
     true},
    c.section, SectionsKind{});
  v({"model", "Cable model."}, c.model, model_words);
  v({"route",
     "Points along the cable, in order: coordinates, which are free; names of supports, bodies or "
     "frames of bodies (`load.hook`), which hold it; `{clamp: NAME}`, which also holds its "
     "direction; `{through: NAME}`, an eyelet through which it slides. `{along: NAME}` between two "
     "points lays an ancf cable on a plane. A corner of an ancf cable "
     "starts as a tight bend, which is stressed. A massless cable is held at its ends and slides "
     "over the points between, or over a pulley, `{over: NAME, radius: ...}`; it may start or end "
     "at a winch, by its name.",
     true},
    c.route, RouteKind{});
  v({"initial",
     "Initial shape between the points of the route; default: that of the scene. A clamp holds the "
     "direction of the route, with `points` that of the curve. Massless cables are straight."},
    c.initial, cable_initial_words);
  v({"length",
     "Unstretched length, or `straight`: the length of the route, with `points` of the curve."},
    c.length, LengthKind{});
  v({"closed",
     "The end is joined to the start, with its direction: a belt. The route ends at the point at "
     "which it starts."},
    c.closed, FlagKind{});
  v({"elements", "Number of elements. Massless cables have none, unless with `when_slack`."},
    c.elements, CountKind{1, 1'000'000});
  v({"element_length",
     "Cables with mass that slide or are paid out: length of the elements that come and go; "
     "default: "
     "the "
     "length divided by `elements`."},
    c.element_length, QuantityKind{quantity::length, Sign::positive});
  v({"mesh", "ancf cables that slide or are paid out: where their nodes are."}, c.mesh,
    flow_mesh_words);
  v({"pulleys", "ancf, np-fem: how the cable meets the pulleys of its route."}, c.pulleys,
    pulley_words);
  v({"strain", "Axial strain measure."}, c.strain, strain_words);
  v({"curvature", "Curvature measure."}, c.curvature, curvature_words);
  v({"axial_points", "Gauss points per element for the axial force; 5 is exact for green."},
    c.axial_points, CountKind{3, 7});
  v({"bending_points", "Gauss points per element for bending."}, c.bending_points, CountKind{2, 7});
  v({"lumped_mass", "np-fem: half of an element's mass at each of its nodes."}, c.lumped_mass,
    FlagKind{});
  v({"tension_only", "np-fem: elements go slack instead of carrying compression."}, c.tension_only,
    FlagKind{});
  v({"pushes", "massless: the cable also carries compression, like a rod."}, c.pushes, FlagKind{});
  v({"when_slack",
     "massless: model of the cable while it is slack, with `elements`. Its section needs a mass "
     "and, "
     "for ancf, EI."},
    c.when_slack, net_model_words);
  v({"slack_limit",
     "With `when_slack`: share of its length by which the cable must be slack to change its model; "
     "default: 0.001."},
    c.slack_limit, QuantityKind{quantity::number, Sign::positive});
  v({"payout",
     "Length paid out by a winch at the first end, added to `length`. Negative: "
     "reeled in. Of a cable with mass: 0 at the start."},
    c.payout, FunctionKind{quantity::length, true});
  v({"speed",
     "massless: prescribed rate of the length; the cable is then inextensible. Else: prescribed "
     "rate "
     "of the unstretched length, paid out by a winch at the first end."},
    c.speed, FunctionKind{quantity::velocity});
  v({"slip", "With `speed`: loss of speed per unit of force."}, c.slip,
    FunctionKind{quantity::slip});
  v({"tension",
     "ancf, np-fem: a winch at the first end holds this tension and pays out or reels in."},
    c.tension, FunctionKind{quantity::force});
  v({"velocity", "Initial velocity of every point."}, c.velocity, VectorKind{quantity::velocity});
  v({"angular_velocity",
     "Initial angular velocity about the first point of the route, added to `velocity`."},
    c.angular_velocity, VectorKind{quantity::angular_velocity});
}

struct TurnText {
  Given<Eigen::Vector3d> axis;
  Given<TimeFunction> angle;
};
template <class V>
void describe(V& v, TurnText& t) {
  v({"axis", "Rotation axis: x, y, z or a vector.", true}, t.axis, DirectionKind{});
  v({"angle", "Rotation angle since the start.", true}, t.angle,
    FunctionKind{quantity::angle, true});
}

struct MotionText {
  Given<std::string> of;
  Given<TimeFunction> x, y, z;
  Given<TurnText> turn;
};
template <class V>
void describe(V& v, MotionText& m) {
  v({"of", "The support that moves.", true}, m.of, NameKind{"supports"});
  v({"x", "Displacement from the support's position along x."}, m.x,
    FunctionKind{quantity::length, true});
  v({"y", "The same along y."}, m.y, FunctionKind{quantity::length, true});
  v({"z", "The same along z."}, m.z, FunctionKind{quantity::length, true});
  v({"turn", "Rotates the direction of the cables clamped there."}, m.turn, OptionalObjectKind{});
}

struct TermText {
  Given<PlaceOn> at;
  Given<Coordinate> coordinate;
  Given<double> factor{1.0};
};
template <class V>
void describe(V& v, TermText& t) {
  v({"at", "A point of a cable.", true}, t.at, PlaceKind{});
  v({"coordinate", "Coordinate of the cable there.", true}, t.coordinate, coordinate_words);
  v({"factor", "Factor of the coordinate."}, t.factor, QuantityKind{quantity::number});
}

struct ConditionText {
  std::vector<TermText> terms;
  Given<TimeFunction> value{TimeFunction{Signal(0.0), "0"}};
};
template <class V>
void describe(V& v, ConditionText& c) {
  v({"terms", "Terms of the sum of factor times coordinate.", true}, c.terms, ListKind{});
  v({"value", "Value of the sum; a bare number is SI."}, c.value,
    FunctionKind{quantity::length, true});
}

struct SolveText {
  Given<double> until{10.0}, step{1e-3};
  Given<Scheme> scheme{SolveOptions{}.scheme};
  Given<Method> method{SolveOptions{}.method};
  Given<double> hht_alpha{SolveOptions{}.hht_alpha}, rho_infinity{SolveOptions{}.rho_infinity},
      newmark_beta{SolveOptions{}.newmark_beta}, newmark_gamma{SolveOptions{}.newmark_gamma};
  Given<ConstraintLevel> constraints{SolveOptions{}.constraints};
  Given<double> baumgarte_gain{SolveOptions{}.baumgarte_gain}, baumgarte_rate_gain,
      damping_time{SolveOptions{}.damping_time};
  Given<bool> error_control{SolveOptions{}.error_control};
  Given<double> tolerance{SolveOptions{}.tolerance},
      newton_tolerance{SolveOptions{}.newton_tolerance};
  Given<int> newton_iterations{SolveOptions{}.newton_iterations},
      factorization_cap{SolveOptions{}.factorization_cap};
  Given<double> energy_guard{SolveOptions{}.energy_guard};
  Given<LinearBackend> backend{SolveOptions{}.backend};
  Given<int> threads{SolveOptions{}.threads};
};
template <class V>
void describe(V& v, SolveText& s) {
  const QuantityKind positive{quantity::number, Sign::positive};
  v({"until", "End time of the run."}, s.until,
    QuantityKind{quantity::time, Sign::positive, 1e9, 1e-9});
  v({"step", "Time step; with error control the first one."}, s.step,
    QuantityKind{quantity::time, Sign::positive, 1e9, 1e-12});
  v({"scheme",
     "Integration scheme. Default with `contact`: generalized-alpha with rho_infinity 0."},
    s.scheme, scheme_words);
  v({"method", "Solution method for the acceleration."}, s.method, method_words);
  v({"hht_alpha", "hht: -1/3 to 0; lower values add numerical damping."}, s.hht_alpha,
    QuantityKind{quantity::number});
  v({"rho_infinity", "generalized-alpha: 0 to 1; lower values add numerical damping."},
    s.rho_infinity, QuantityKind{quantity::number, Sign::not_negative, 1});
  v({"newmark_beta", "newmark: newmark_gamma/2 to 1; 0.25 is the trapezoidal rule."},
    s.newmark_beta, QuantityKind{quantity::number, Sign::positive, 1});
  v({"newmark_gamma", "newmark: 0.5 to 1; above 0.5 the scheme is damped and first order."},
    s.newmark_gamma, QuantityKind{quantity::number, Sign::positive, 1});
  v({"constraints", "How constraints are enforced."}, s.constraints, constraint_words);
  v({"baumgarte_gain", "baumgarte: a2 times the step; at least 0, below 0.76."}, s.baumgarte_gain,
    QuantityKind{quantity::number, Sign::not_negative});
  v({"baumgarte_rate_gain",
     "baumgarte: a1 times the step in C'' + 2 a1 C' + a2^2 C = 0; default: `baumgarte_gain`."},
    s.baumgarte_rate_gain, QuantityKind{quantity::number, Sign::not_negative});
  v({"damping_time",
     "spook: relaxation time of constraint violations. `automatic`: zero if the step resolves the "
     "oscillation of the constraint, two steps otherwise."},
    s.damping_time, SettlingKind{});
  v({"error_control", "newton: adapt the step to `tolerance`."}, s.error_control, FlagKind{});
  v({"tolerance", "Error control: local error of the coordinates per step."}, s.tolerance,
    QuantityKind{quantity::length, Sign::positive});
  v({"newton_tolerance", "newton: size of the last correction."}, s.newton_tolerance, positive);
  v({"newton_iterations", "newton: maximum number of iterations per step."}, s.newton_iterations,
    CountKind{1, 1000});
  v({"factorization_cap",
     "mixed: maximum number of factorizations per step; 0: no limit. With a limit, steps are never "
     "divided. If a cable comes taut or goes slack, or the rate of a motion jumps, the step uses "
     "Backward Euler with up to three more factorizations. The peak of an impact that these steps "
     "do not resolve is computed separately and reported."},
    s.factorization_cap, CountKind{0, 1000});
  v({"energy_guard",
     "Largest spurious energy gain, as a fraction of the energy in motion, before the run is "
     "stopped; 0: off."},
    s.energy_guard, QuantityKind{quantity::number, Sign::not_negative});
  v({"backend", "Linear solver."}, s.backend, backend_words);
  v({"threads",
     "Threads of a large scene. 0: one per core, at most 8, if a factorization takes more than 4 "
     "million multiplications, otherwise one. Results do not depend on it, to the last bit."},
    s.threads, CountKind{0, 256});
}

struct RecordText {
  Given<double> every, shapes;
  Given<int> points{0};
  Given<std::vector<Line>> channels;
};
template <class V>
void describe(V& v, RecordText& r) {
  v({"every", "Sampling interval of the channels; default: a thousandth of the run."}, r.every,
    QuantityKind{quantity::time, Sign::positive});
  v({"shapes", "Interval of the cable shapes; default: 25 per second, at most 1,000 per run."},
    r.shapes, QuantityKind{quantity::time, Sign::positive});
  v({"points", "Points per element in a shape; 0: enough for a smooth curve."}, r.points,
    CountKind{0, 64});
  v({"channels",
     "Channels to record: `tether.tension@start`, `tether.position@0.5`, `tether.tension@max`, "
     "`SUPPORT.force`, `input.NAME`, `reactions`, `energy`, `momentum`. Default: ends, tensions, "
     "reactions, inputs and energy."},
    r.channels, LinesKind{"channels"});
}

struct ExpectText {
  Given<std::string> channel;
  Given<double> at;
  Given<FreeQuantity> value, within;
  Given<std::string> source{std::string()};
};
template <class V>
void describe(V& v, ExpectText& e) {
  v({"channel", "One column: `tether.position.z@end`.", true}, e.channel, TextKind{});
  v({"at", "Time; default: end of the run."}, e.at,
    QuantityKind{quantity::time, Sign::not_negative});
  v({"value", "Expected value.", true}, e.value, FreeQuantityKind{});
  v({"within", "Tolerance.", true}, e.within, FreeQuantityKind{});
  v({"source", "Source of the value."}, e.source, TextKind{});
}

/// A whole file.
struct SceneText {
  Given<std::string> title{std::string()}, description{std::string()};
  Given<Eigen::Vector3d> gravity{Scene{}.gravity};
  Given<GroundText> ground;
  Given<FluidText> fluid;
  Given<Initial> initial{Initial::straight};
  Given<bool> hand{false};
  Named<InputText> inputs;
  Named<MaterialText> materials;
  Named<SectionText> sections;
  Named<SupportText> supports;
  Named<BodyText> bodies;
  Named<JointText> joints;
  Named<WinchText> winches;
  Named<SlidingJointText> sliding_joints;
  Named<CableText> cables;
  Named<NetText> nets;
  Named<JunctionText> junctions;
  Named<ContactText> contact;
  Named<MotionText> motions;
  Named<LoadText> loads;
  Named<ConditionText> conditions;
  SolveText solve;
  RecordText record;
  Named<ExpectText> expect;
};
template <class V>
void describe(V& v, SceneText& s) {
  v({"title", "One-line title of the scene."}, s.title, TextKind{});
  v({"description", "Longer description: sources, what to look at."}, s.description, TextKind{});
  v({"include",
     "Files whose entries become part of this scene. Variables and settings of this file take "
     "precedence."},
    IncludeKind{});
  v({"variables", "Named quantities for use in expressions: `span / 2`."}, VariablesKind{});
  v({"inputs",
     "Named quantities that are set while the scene runs, by feedback or by a program, for use in "
     "functions of time."},
    s.inputs, GroupKind{"An input"});
  v({"hand",
     "A spring that pulls at bodies and cables. `hawser view` sets it, and `hawser run` where a "
     "replay pulls."},
    s.hand, FlagKind{});
  v({"gravity", "Gravitational acceleration."}, s.gravity, VectorKind{quantity::acceleration});
  v({"ground",
     "A plane that supports cables with elements, without friction unless `contact` names it. "
     "Bodies pass through it unless `contact` names both, massless cables always. `{}` is level, "
     "at "
     "height 0."},
    s.ground, OptionalObjectKind{});
  v({"fluid",
     "Surrounding fluid: buoyancy, drag and added mass of cables with elements, whose sections "
     "need a diameter."},
    s.fluid, OptionalObjectKind{});
  v({"initial", "Default initial shape of cables. Nets are straight."}, s.initial, initial_words);
  v({"materials", "Materials of solid bars."}, s.materials, GroupKind{"A material"});
  v({"sections",
     "Cross-sections: from the library, from material and diameter, or from EA, EI and mass."},
    s.sections, GroupKind{"A section"});
  v({"supports",
     "Fixed or moving points that hold cables and joints. Cables name them in their routes."},
    s.supports, GroupKind{"A support"});
  v({"bodies", "Rigid bodies."}, s.bodies, GroupKind{"A body"});
  v({"joints", "Joints between bodies, or between bodies and supports."}, s.joints,
    GroupKind{"A joint"});
  v({"winches",
     "Winches: drums with motor and brake. The route of a massless cable starts or ends at one, "
     "that of a cable with mass starts at one, by its name."},
    s.winches, GroupKind{"A winch"});
  v({"sliding_joints",
     "Points of bodies that slide along cables with elements: carriages, rings. They transmit no "
     "torque."},
    s.sliding_joints, GroupKind{"A sliding joint"});
  v({"cables", "Cables. A scene needs at least one cable, net or body."}, s.cables,
    GroupKind{"A cable"});
  v({"nets", "Four-sided nets: two sets of crossing cables, knotted where they cross."}, s.nets,
    GroupKind{"A net"});
  v({"junctions", "Pairs of coincident points of cables."}, s.junctions, GroupKind{"A junction"});
  v({"contact", "What cables and bodies touch, with Coulomb friction."}, s.contact,
    GroupKind{"A contact"});
  v({"motions", "Prescribed motions of supports."}, s.motions, GroupKind{"A motion"});
  v({"loads",
     "Loads on cables and bodies in addition to weight: exactly one of force, force_per_length, "
     "moment, mass."},
    s.loads, GroupKind{"A load"});
  v({"conditions",
     "General linear conditions on points of cables, `sum of factor * coordinate = value`, where "
     "supports do "
     "not suffice."},
    s.conditions, GroupKind{"A condition"});
  v({"solve", "Solver settings."}, s.solve, ObjectKind{});
  v({"record", "Recording settings."}, s.record, ObjectKind{});
  v({"expect",
     "Expected values. `hawser run` checks them, reports the result and exits with 1 if one is not "
     "met."},
    s.expect, GroupKind{"An expectation"});
}

}  // namespace hawser
