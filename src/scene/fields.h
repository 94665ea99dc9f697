// The language of scene files: one table a kind of entry. Reading, errors, the JSON Schema, the
// reference page and the filled-in scene all come from these tables.
#pragma once

#include <array>

#include "hawser/options.h"
#include "hawser/scene.h"
#include "scene/fields_bodies.h"
#include "scene/fields_damping.h"
#include "scene/kinds.h"

namespace hawser {

// --- words ---

inline constexpr WordKind<StrainMeasure> strain_words{
    {{"green", StrainMeasure::green, "(r'.r' - 1)/2"},
     {"engineering", StrainMeasure::engineering, "|r'| - 1: what a data sheet's EA means"}}};

inline constexpr WordKind<CurvatureMeasure> curvature_words{
    {{"second-derivative", CurvatureMeasure::second_derivative, "|r''|: for small strains"},
     {"material", CurvatureMeasure::material, "angle per unstretched length"},
     {"geometric", CurvatureMeasure::geometric, "angle per stretched length"}}};

inline constexpr WordKind<Initial> initial_words{
    {{"straight", Initial::straight, "from point to point of its route, stretched evenly"},
     {"catenary", Initial::catenary,
      "hanging from point to point by its weight, as a cable that does not bend"},
     {"points", Initial::points, "a smooth curve through the points of its route"},
     {"static", Initial::rest, "where everything is in balance"}}};

inline constexpr WordKind<Initial> cable_initial_words{
    {initial_words.words[0], initial_words.words[1], initial_words.words[2]}};

inline constexpr WordKind<Scheme> scheme_words{
    {{"backward-euler", Scheme::backward_euler, "first order, strong damping"},
     {"bdf2", Scheme::bdf2, "second order"},
     {"newmark", Scheme::newmark, "trapezoidal rule: second order, no damping"},
     {"hht", Scheme::hht, "second order, damps what the step cannot resolve"},
     {"generalized-alpha", Scheme::generalized_alpha,
      "second order, damping set by rho_infinity"}}};

inline constexpr WordKind<Method> method_words{
    {{"mixed", Method::mixed, "one linear solve a step, axial force carried as a state"},
     {"mixed3", Method::mixed3,
      "three solves with one factorization, for accuracy of cables with elements"},
     {"linearized", Method::linearized, "one linear solve a step (Westin & Irani)"},
     {"newton", Method::newton, "iterated to a tolerance"},
     {"spook", Method::spook,
      "one linear solve a step, constraints regularized: for bodies and massless cables"}}};

inline constexpr WordKind<ConstraintLevel> constraint_words{
    {{"position", ConstraintLevel::position, "met at the end of every step"},
     {"baumgarte", ConstraintLevel::baumgarte, "met by their second rate, with feedback"}}};

inline constexpr WordKind<LinearBackend> backend_words{
    {{"automatic", LinearBackend::automatic, "chain where it can be used"},
     {"chain", LinearBackend::chain, "block-tridiagonal"},
     {"sparse", LinearBackend::sparse, "for any scene"}}};

inline constexpr WordKind<Interpolation> interpolation_words{
    {{"linear", Interpolation::linear, "straight lines"},
     {"smooth", Interpolation::smooth, "a cubic spline"}}};

inline constexpr WordKind<Stiffness> stiffness_words{
    {{"stiff", Stiffness::stiff, "enters the tangent of the step"},
     {"non-stiff", Stiffness::non_stiff, "evaluated once a step: cheaper"}}};

inline constexpr WordKind<Coordinate> coordinate_words{
    {{"x", Coordinate::x, "position [m]"},
     {"y", Coordinate::y, "position [m]"},
     {"z", Coordinate::z, "position [m]"},
     {"slope-x", Coordinate::slope_x, "of r', the slope of the cable"},
     {"slope-y", Coordinate::slope_y, "of r'"},
     {"slope-z", Coordinate::slope_z, "of r'"}}};

// --- functions of time ---

struct SineText {
  QuantityType type;
  Given<double> sine, frequency, phase{0.0}, offset{0.0};
};
template <class V>
void describe(V& v, SineText& s) {
  v({"sine", "Amplitude: the value is offset + amplitude sin(2 pi frequency t + phase).", true},
    s.sine, QuantityKind{s.type});
  v({"frequency", "Turns a second.", true}, s.frequency,
    QuantityKind{quantity::frequency, Sign::positive});
  v({"phase", "Angle at t = 0."}, s.phase, QuantityKind{quantity::angle});
  v({"offset", "Mean value."}, s.offset, QuantityKind{s.type});
}

struct SmoothText {
  QuantityType type;
  Given<std::array<double, 2>> smooth;
  Given<double> from, to;
};
template <class V>
void describe(V& v, SmoothText& s) {
  v({"smooth", "Value before and after; between, a quintic without jumps of rate or acceleration.",
     true},
    s.smooth, PairKind{s.type});
  v({"from", "Time at which it starts to change.", true}, s.from, QuantityKind{quantity::time});
  v({"to", "Time at which it has changed.", true}, s.to, QuantityKind{quantity::time});
}

struct RampText {
  QuantityType type;
  Given<std::array<double, 2>> ramp;
  Given<double> from, to;
};
template <class V>
void describe(V& v, RampText& s) {
  v({"ramp", "Value before and after; between, a straight line.", true}, s.ramp, PairKind{s.type});
  v({"from", "Time at which it starts to change.", true}, s.from, QuantityKind{quantity::time});
  v({"to", "Time at which it has changed.", true}, s.to, QuantityKind{quantity::time});
}

struct TableText {
  QuantityType type;
  Given<TableRows> table;
  Given<Interpolation> interpolation{Interpolation::linear};
};
template <class V>
void describe(V& v, TableText& s) {
  v({"table",
     "Rows of time and value, `[[0 s, 0 m], [2 s, 1 m]]`, or the name of a CSV file with two "
     "columns in SI. Constant before the first and after the last.",
     true},
    s.table, TableKind{s.type});
  v({"interpolation", "Between the rows."}, s.interpolation, interpolation_words);
}

// --- entries ---

struct MaterialText {
  Given<double> youngs_modulus, density;
};
template <class V>
void describe(V& v, MaterialText& m) {
  v({"youngs_modulus", "Young's modulus.", true}, m.youngs_modulus,
    QuantityKind{quantity::pressure, Sign::positive, 1e15, 1});
  v({"density", "Mass by volume.", true}, m.density,
    QuantityKind{quantity::density, Sign::positive, 1e6, 1e-3});
}

struct SectionText {
  Given<std::string> library, material;
  Given<double> diameter, EA, EI, GJ, mass, breaking_load;
  Given<DampingText> damping;
  Given<double> drag, tangential_drag;
  double displaced = 0;  ///< diameter of the circle that it displaces [m], known once filled in
  bool own_GJ = false;   ///< the file gives a GJ that is not the library's, known once filled in
};
template <class V>
void describe(V& v, SectionText& s) {
  v({"library", "A rope of the library (`hawser sections`); its numbers follow from the diameter."},
    s.library, LibraryKind{});
  v({"material", "For a solid round bar: one of `materials`, with the diameter."}, s.material,
    NameKind{"materials"});
  v({"diameter", "Of the rope or bar."}, s.diameter,
    QuantityKind{quantity::length, Sign::positive, 100, 1e-6});
  v({"EA", "Axial stiffness; goes before what library or material say, like the fields below."},
    s.EA, QuantityKind{quantity::force, Sign::positive});
  v({"EI", "Bending stiffness; 0 when nothing says more."}, s.EI,
    QuantityKind{quantity::stiffness, Sign::not_negative});
  v({"GJ", "Torsional stiffness; 0 when nothing says more."}, s.GJ,
    QuantityKind{quantity::stiffness, Sign::not_negative});
  v({"mass", "Mass per unstretched length."}, s.mass,
    QuantityKind{quantity::mass_per_length, Sign::positive});
  v({"breaking_load",
     "Tension at which it breaks: gives the channel `utilisation`, and a warning when exceeded."},
    s.breaking_load, QuantityKind{quantity::force, Sign::positive});
  v({"damping", "How it loses energy; none when not given, of library sections too."}, s.damping,
    OptionalObjectKind{});
  v({"drag",
     "In a fluid: coefficient of drag across the cable, by its diameter; 1.2 when nothing "
     "says more."},
    s.drag, QuantityKind{quantity::number, Sign::not_negative});
  v({"tangential_drag",
     "The same along the cable, by its circumference; 0.01 when nothing says more."},
    s.tangential_drag, QuantityKind{quantity::number, Sign::not_negative});
}

struct GroundText {
  Given<double> height{Ground{}.height};
  Given<Eigen::Vector3d> normal{Ground{}.normal};
  Given<double> stiffness{Ground{}.stiffness}, damping{Ground{}.damping};
};
template <class V>
void describe(V& v, GroundText& g) {
  v({"height", "Along the normal, from the origin."}, g.height, QuantityKind{quantity::length});
  v({"normal", "Away from the ground: x, y, z or a vector."}, g.normal, DirectionKind{});
  v({"stiffness",
     "Force per metre of cable and metre of depth: a cable sinks in by weight over "
     "stiffness."},
    g.stiffness, QuantityKind{quantity::ground_stiffness, Sign::positive});
  v({"damping", "Its viscosity over its stiffness; 0: cables bounce."}, g.damping,
    QuantityKind{quantity::time, Sign::not_negative});
}

struct FluidText {
  Given<double> density;
  Given<Eigen::Vector3d> velocity{Fluid{}.velocity};
};
template <class V>
void describe(V& v, FluidText& f) {
  v({"density", "Mass by volume: 1025 kg/m^3 for sea water, 1.2 kg/m^3 for air.", true}, f.density,
    QuantityKind{quantity::density, Sign::positive});
  v({"velocity", "Of the current or wind."}, f.velocity, VectorKind{quantity::velocity});
}

struct SupportText {
  Given<Eigen::Vector3d> position, slides;
};
template <class V>
void describe(V& v, SupportText& s) {
  v({"position", "Where it is; motions move it from here.", true}, s.position,
    VectorKind{quantity::length});
  v({"slides", "A direction in which what is attached may slide freely: x, y, z or a vector."},
    s.slides, DirectionKind{});
}

struct CableText {
  Given<std::string> section;
  Given<CableModel> model{CableModel::ancf};
  Given<std::vector<Stop>> route;
  Given<Initial> initial;
  Given<double> length{0.0};
  Given<int> elements{10};
  Given<StrainMeasure> strain{StrainMeasure::engineering};
  Given<CurvatureMeasure> curvature{CurvatureMeasure::second_derivative};
  Given<int> axial_points{5}, bending_points{3};
  Given<bool> lumped_mass{false}, tension_only{false}, pushes{false};
  Given<TimeFunction> payout, speed, slip;
  Given<Eigen::Vector3d> velocity{Eigen::Vector3d::Zero()},
      angular_velocity{Eigen::Vector3d::Zero()};
};
template <class V>
void describe(V& v, CableText& c) {
  v({"section", "What it is made of: one of `sections`.", true}, c.section, NameKind{"sections"});
  v({"model", "How it is simulated."}, c.model, model_words);
  v({"route",
     "Where it goes, in order: points, which are free; names of supports, bodies or frames of "
     "bodies (`load.hook`), which hold it; `{clamp: NAME}`, which also holds its direction. A "
     "corner of ancf starts as a tight bend, which is stressed. A massless cable is held at its "
     "ends and slides over what is between, also `{over: NAME, radius: ...}`.",
     true},
    c.route, RouteKind{});
  v({"initial",
     "Its shape at the start, between the points of its route; the scene's when not given. A clamp "
     "holds the direction of the route, of `points` that of the curve. Massless is straight."},
    c.initial, cable_initial_words);
  v({"length", "Unstretched length, or `straight`: that of the route, of `points` the curve's."},
    c.length, LengthKind{});
  v({"elements", "Number of elements; massless has none."}, c.elements, CountKind{1, 1'000'000});
  v({"strain", "How axial strain is measured."}, c.strain, strain_words);
  v({"curvature", "How curvature is measured."}, c.curvature, curvature_words);
  v({"axial_points", "Gauss points of an element for the axial force; 5 is exact for green."},
    c.axial_points, CountKind{3, 7});
  v({"bending_points", "Gauss points of an element for bending."}, c.bending_points,
    CountKind{2, 7});
  v({"lumped_mass", "For np-fem: half an element's mass at each of its nodes."}, c.lumped_mass,
    FlagKind{});
  v({"tension_only", "For np-fem: elements go slack instead of being compressed."}, c.tension_only,
    FlagKind{});
  v({"pushes", "For massless: it also pushes when compressed, like a rod."}, c.pushes, FlagKind{});
  v({"payout", "For massless: paid out at its first end, added to `length`."}, c.payout,
    FunctionKind{quantity::length, true});
  v({"speed", "For massless: the rate of its length, which then follows no stretch."}, c.speed,
    FunctionKind{quantity::velocity});
  v({"slip", "With `speed`: speed lost for each unit of force."}, c.slip,
    FunctionKind{quantity::slip});
  v({"velocity", "Of every point at the start."}, c.velocity, VectorKind{quantity::velocity});
  v({"angular_velocity", "Added at the start: a rotation about the first point of the route."},
    c.angular_velocity, VectorKind{quantity::angular_velocity});
}

struct TurnText {
  Given<Eigen::Vector3d> axis;
  Given<TimeFunction> angle;
};
template <class V>
void describe(V& v, TurnText& t) {
  v({"axis", "x, y, z or a vector.", true}, t.axis, DirectionKind{});
  v({"angle", "Angle turned since the start.", true}, t.angle, FunctionKind{quantity::angle, true});
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
  v({"turn", "Turns the direction of the cables that are clamped there."}, m.turn,
    OptionalObjectKind{});
}

struct LoadText {
  Given<PlaceOn> at;
  Given<std::string> on;
  Given<std::array<TimeFunction, 3>> force, force_per_length, moment;
  Given<double> mass;
  Given<Stiffness> stiffness{Stiffness::stiff};
};
template <class V>
void describe(V& v, LoadText& l) {
  v({"at",
     "A node of a cable, `tether@end`, `tether@0.5`, `tether@3 m`; for force and moment also a "
     "body or a frame of one, `load.hook`."},
    l.at, PlaceKind{true});
  v({"on", "A whole cable, for force_per_length."}, l.on, NameKind{"cables"});
  v({"force", "Force at a place; each component may be a function of time."}, l.force,
    VectorFunctionKind{quantity::force});
  v({"force_per_length", "Force per unstretched length over a whole cable."}, l.force_per_length,
    VectorFunctionKind{quantity::force_per_length});
  v({"moment", "Moment at a place, fixed in space."}, l.moment,
    VectorFunctionKind{quantity::moment});
  v({"stiffness", "How a moment enters the step."}, l.stiffness, stiffness_words);
  v({"mass", "A lump of mass at a place: weight and inertia, no size."}, l.mass,
    QuantityKind{quantity::mass, Sign::positive});
}

struct TermText {
  Given<PlaceOn> at;
  Given<Coordinate> coordinate;
  Given<double> factor{1.0};
};
template <class V>
void describe(V& v, TermText& t) {
  v({"at", "A node of a cable.", true}, t.at, PlaceKind{});
  v({"coordinate", "Which of its coordinates.", true}, t.coordinate, coordinate_words);
  v({"factor", "What it is multiplied by."}, t.factor, QuantityKind{quantity::number});
}

struct ConditionText {
  std::vector<TermText> terms;
  Given<TimeFunction> value{TimeFunction{Signal(0.0), "0"}};
};
template <class V>
void describe(V& v, ConditionText& c) {
  v({"terms", "What is added up: the sum of factor times coordinate.", true}, c.terms, ListKind{});
  v({"value", "What the sum must be; a bare number is SI."}, c.value,
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
};
template <class V>
void describe(V& v, SolveText& s) {
  const QuantityKind positive{quantity::number, Sign::positive};
  v({"until", "Time at which the run ends."}, s.until,
    QuantityKind{quantity::time, Sign::positive, 1e9, 1e-9});
  v({"step", "Length of a step; with error control that of the first."}, s.step,
    QuantityKind{quantity::time, Sign::positive, 1e9, 1e-12});
  v({"scheme", "How a step follows from the acceleration."}, s.scheme, scheme_words);
  v({"method", "How the acceleration is found."}, s.method, method_words);
  v({"hht_alpha", "For hht: -1/3 to 0; more negative damps more."}, s.hht_alpha,
    QuantityKind{quantity::number});
  v({"rho_infinity", "For generalized-alpha: 0 to 1; smaller damps more."}, s.rho_infinity,
    QuantityKind{quantity::number, Sign::not_negative, 1});
  v({"newmark_beta", "For newmark: newmark_gamma/2 to 1; 0.25 is the trapezoidal rule."},
    s.newmark_beta, QuantityKind{quantity::number, Sign::positive, 1});
  v({"newmark_gamma", "For newmark: 0.5 to 1; above 0.5 it damps, and is of first order."},
    s.newmark_gamma, QuantityKind{quantity::number, Sign::positive, 1});
  v({"constraints", "How constraints are kept."}, s.constraints, constraint_words);
  v({"baumgarte_gain", "For baumgarte: a2 times the step, 0 to below 0.76."}, s.baumgarte_gain,
    QuantityKind{quantity::number, Sign::not_negative});
  v({"baumgarte_rate_gain",
     "For baumgarte: a1 times the step in C'' + 2 a1 C' + a2^2 C = 0; as `baumgarte_gain` when not "
     "given."},
    s.baumgarte_rate_gain, QuantityKind{quantity::number, Sign::not_negative});
  v({"damping_time",
     "For spook: in which a disturbed constraint settles. `automatic`: none where the step "
     "resolves "
     "its oscillation, two steps where it does not."},
    s.damping_time, SettlingKind{});
  v({"error_control", "For newton: the step follows `tolerance`."}, s.error_control, FlagKind{});
  v({"tolerance", "For error control: local error of the coordinates a step."}, s.tolerance,
    QuantityKind{quantity::length, Sign::positive});
  v({"newton_tolerance", "For newton: size of the last correction."}, s.newton_tolerance, positive);
  v({"newton_iterations", "For newton: at most, a step."}, s.newton_iterations, CountKind{1, 1000});
  v({"factorization_cap",
     "For mixed: at most this many a step; 0 is no cap. With a cap a step is never divided: one in "
     "which a cable comes taut or goes slack, or a motion changes its rate, is taken by Backward "
     "Euler with up to three factorizations more, and the peak of a blow that such steps do not "
     "resolve is computed beside them and reported."},
    s.factorization_cap, CountKind{0, 1000});
  v({"energy_guard",
     "Largest false gain of energy, as a share of the energy in motion, before the run is "
     "stopped; 0 switches it off."},
    s.energy_guard, QuantityKind{quantity::number, Sign::not_negative});
  v({"backend", "Linear solver."}, s.backend, backend_words);
}

struct RecordText {
  Given<double> every, shapes;
  Given<int> points{0};
  Given<std::vector<Line>> channels;
};
template <class V>
void describe(V& v, RecordText& r) {
  v({"every", "Time between rows of the channels; a thousandth of the run when not given."},
    r.every, QuantityKind{quantity::time, Sign::positive});
  v({"shapes",
     "Time between shapes of the cables; 25 a second, at most 1,000 in a run, when not given."},
    r.shapes, QuantityKind{quantity::time, Sign::positive});
  v({"points", "Points of a shape for each element; 0: enough for a smooth curve."}, r.points,
    CountKind{0, 64});
  v({"channels",
     "What to record: `tether.tension@start`, `tether.position@0.5`, `tether.tension@max`, "
     "`SUPPORT.force`, `reactions`, `energy`, `momentum`. Ends, tensions, reactions and energy "
     "when not given."},
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
  v({"at", "Time; the end of the run when not given."}, e.at,
    QuantityKind{quantity::time, Sign::not_negative});
  v({"value", "What it must be.", true}, e.value, FreeQuantityKind{});
  v({"within", "Largest difference allowed.", true}, e.within, FreeQuantityKind{});
  v({"source", "Where the value comes from."}, e.source, TextKind{});
}

/// A whole file.
struct SceneText {
  Given<std::string> title{std::string()}, description{std::string()};
  Given<Eigen::Vector3d> gravity{Scene{}.gravity};
  Given<GroundText> ground;
  Given<FluidText> fluid;
  Given<Initial> initial{Initial::straight};
  Named<MaterialText> materials;
  Named<SectionText> sections;
  Named<SupportText> supports;
  Named<BodyText> bodies;
  Named<JointText> joints;
  Named<CableText> cables;
  Named<NetText> nets;
  Named<JunctionText> junctions;
  Named<MotionText> motions;
  Named<LoadText> loads;
  Named<ConditionText> conditions;
  SolveText solve;
  RecordText record;
  Named<ExpectText> expect;
};
template <class V>
void describe(V& v, SceneText& s) {
  v({"title", "One line that says what the scene shows."}, s.title, TextKind{});
  v({"description", "More about it: sources, what to look at."}, s.description, TextKind{});
  v({"include", "Files whose entries are part of this scene; what this file says goes before."},
    IncludeKind{});
  v({"variables", "Names for amounts, to be used in any expression: `span / 2`."}, VariablesKind{});
  v({"gravity", "Acceleration of free fall."}, s.gravity, VectorKind{quantity::acceleration});
  v({"ground",
     "A plane that cables with elements lie on, without friction; bodies and massless "
     "cables pass through it. `{}` is level, at height 0."},
    s.ground, OptionalObjectKind{});
  v({"fluid",
     "What cables with elements are immersed in: buoyancy, and drag by the speed against "
     "it. Their sections need a diameter."},
    s.fluid, OptionalObjectKind{});
  v({"initial", "The shape in which cables start that say nothing else; nets are straight."},
    s.initial, initial_words);
  v({"materials", "What solid bars are made of."}, s.materials, GroupKind{"A material"});
  v({"sections",
     "Cross-sections: of the library, of a material and a diameter, or by EA, EI and mass."},
    s.sections, GroupKind{"A section"});
  v({"supports",
     "Places that hold cables and joints. A cable reaches one by naming it in its route."},
    s.supports, GroupKind{"A support"});
  v({"bodies", "Rigid bodies."}, s.bodies, GroupKind{"A body"});
  v({"joints", "What joins bodies to each other and to supports."}, s.joints, GroupKind{"A joint"});
  v({"cables", "The cables. A scene has a cable, a net or a body."}, s.cables,
    GroupKind{"A cable"});
  v({"nets", "Nets of four sides: cables across each other, knotted where they cross."}, s.nets,
    GroupKind{"A net"});
  v({"junctions", "Nodes of cables that stay together."}, s.junctions, GroupKind{"A junction"});
  v({"motions", "Prescribed motions of supports."}, s.motions, GroupKind{"A motion"});
  v({"loads",
     "What acts on cables and bodies beside weight: exactly one of force, force_per_length, "
     "moment, mass."},
    s.loads, GroupKind{"A load"});
  v({"conditions",
     "General linear conditions on nodes, `sum of factor * coordinate = value`, for what supports "
     "cannot say."},
    s.conditions, GroupKind{"A condition"});
  v({"solve", "How the scene is simulated."}, s.solve, ObjectKind{});
  v({"record", "What is kept of the run."}, s.record, ObjectKind{});
  v({"expect",
     "Values that the run must reach: a scene that checks itself (`hawser run` says so and exits "
     "with 1 when one is missed)."},
    s.expect, GroupKind{"An expectation"});
}

}  // namespace hawser
