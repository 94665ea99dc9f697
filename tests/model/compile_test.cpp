// Compiling a scene: what is refused and in which words, what is legal, how nodes are numbered.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "hawser/error.h"
#include "hawser/integrator.h"
#include "hawser/model.h"
#include "model/model_data.h"
#include "scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A sound scene: a rope of four elements pinned at its start.
Scene sound() {
  Scene scene;
  Cable c;
  c.name = "rope";
  c.sections = {Section{1e4, 0.01, 0.5}};
  c.elements = 4;
  scene.cables = {c};
  hold(scene, "rope", 0);
  return scene;
}

/// The sound scene with a change.
template <class Change>
Scene with(Change&& change) {
  Scene scene = sound();
  change(scene);
  return scene;
}

template <class Make>
void expect_error(const std::string& text, Make&& make) {
  try {
    make();
    ADD_FAILURE() << "no error, expected: " << text;
  } catch (const Error& e) {
    EXPECT_EQ(e.what(), text);
  }
}

template <class Change>
void expect_refused(const std::string& text, Change&& change) {
  const Scene scene = with(change);
  expect_error(text, [&scene] { const Model model(scene); });
}

TEST(Section, RoundComesFromDiameterModulusAndDensity) {
  const Section s = Section::round(0.02, 3e9, 1000);
  EXPECT_NEAR(s.EA, 942477.796076937972, 1e-9 * s.EA);
  EXPECT_NEAR(s.EI, 23.5619449019234493, 1e-9 * s.EI);
  EXPECT_NEAR(s.mass, 0.314159265358979324, 1e-9 * s.mass);
}

TEST(Section, RoundRefusesWhatIsNotAboveZero) {
  const std::string rest =
      "; expected a finite number above zero. Give the physical value in SI units.";
  const auto round = [](double d, double E, double rho) {
    return [=] { (void)Section::round(d, E, rho); };
  };
  expect_error("section, diameter: found 0 m" + rest, round(0, 1e9, 1000));
  expect_error("section, diameter: found -0.01 m" + rest, round(-0.01, 1e9, 1000));
  expect_error("section, diameter: found nan m" + rest, round(nan, 1e9, 1000));
  expect_error("section, diameter: found inf m" + rest, round(inf, 1e9, 1000));
  expect_error("section, Young's modulus: found 0 Pa" + rest, round(0.01, 0, 1000));
  expect_error("section, Young's modulus: found -1 Pa" + rest, round(0.01, -1, 1000));
  expect_error("section, Young's modulus: found nan Pa" + rest, round(0.01, nan, 1000));
  expect_error("section, density: found 0 kg/m^3" + rest, round(0.01, 1e9, 0));
  expect_error("section, density: found -5 kg/m^3" + rest, round(0.01, 1e9, -5));
  expect_error("section, density: found nan kg/m^3" + rest, round(0.01, 1e9, nan));
}

TEST(Compile, RefusesSectionsThatAreNotPhysical) {
  const std::string rest =
      "; expected a finite number above zero. Give the physical value in SI units.";
  const auto section = [](double EA, double EI, double mass) {
    return [=](Scene& s) { s.cables[0].sections = {Section{EA, EI, mass}}; };
  };
  expect_refused("cable 'rope', EA: found 0 N" + rest, section(0, 1, 1));
  expect_refused("cable 'rope', EA: found -3 N" + rest, section(-3, 1, 1));
  expect_refused("cable 'rope', EA: found nan N" + rest, section(nan, 1, 1));
  expect_refused("cable 'rope', EA: found inf N" + rest, section(inf, 1, 1));
  expect_refused("cable 'rope', mass per metre: found 0 kg/m" + rest, section(1, 1, 0));
  expect_refused("cable 'rope', mass per metre: found -2 kg/m" + rest, section(1, 1, -2));
  expect_refused("cable 'rope', mass per metre: found nan kg/m" + rest, section(1, 1, nan));
  const std::string or_zero = "; expected a finite number, zero or above.";
  expect_refused("cable 'rope', EI: found -1 N m^2" + or_zero, section(1, -1, 1));
  expect_refused("cable 'rope', EI: found nan N m^2" + or_zero, section(1, nan, 1));
  expect_refused("cable 'rope', EI: found inf N m^2" + or_zero, section(1, inf, 1));
  EXPECT_NO_THROW(Model(with(section(1, 0, 1)))) << "a chain has no bending stiffness";
}

TEST(Compile, RefusesCablesWithoutShape) {
  const std::string length = "; expected a number above zero, or 0 for the length of the route.";
  expect_refused("cable 'rope', length: found -1 m" + length,
                 [](Scene& s) { s.cables[0].length = -1; });
  expect_refused("cable 'rope', length: found nan m" + length,
                 [](Scene& s) { s.cables[0].length = nan; });
  expect_refused("cable 'rope', length: found inf m" + length,
                 [](Scene& s) { s.cables[0].length = inf; });
  expect_refused("cable 'rope', elements: found 0; expected 1 or more.",
                 [](Scene& s) { s.cables[0].elements = 0; });
  expect_refused("cable 'rope', elements: found -2; expected 1 or more.",
                 [](Scene& s) { s.cables[0].elements = -2; });
  expect_refused(
      "cable 'rope', start and end: found the same point; expected two different points. Points of "
      "a route define the initial direction of the cable.",
      [](Scene& s) { s.cables[0].route.back() = Vec3::Zero(); });
  expect_refused(
      "scene: found no cable and no body; expected at least one of them. Add a cable to "
      "scene.cables or a body to scene.bodies.",
      [](Scene& s) { s.cables.clear(); });
}

TEST(Compile, RefusesRoutesThatCannotBeLaid) {
  const auto via = [](std::vector<Vec3> points) {
    return [points](Scene& s) { lead_through(s.cables[0], points); };
  };
  const std::string same =
      ": found the same point; expected two different points. Points of a route define the initial "
      "direction of the cable.";
  expect_refused("cable 'rope', start and route[1]" + same, via({{0, 0, 0}, {0, 1, 0}}));
  expect_refused("cable 'rope', route[1] and route[2]" + same, via({{0, 1, 0}, {0, 1, 0}}));
  expect_refused("cable 'rope', route[2] and end" + same, via({{0, 1, 0}, {1, 0, 0}}));
  expect_refused("cable 'rope', route[2]: found [0, inf, 0]; expected three finite numbers.",
                 via({{0, 1, 0}, {0, inf, 0}}));
  const std::string back =
      ": found a route that reverses its direction; expected a turn of less than 180 "
      "degrees. Route it through a point to the side, or use two cables.";
  expect_refused("cable 'rope', route[1]" + back, via({{3, 0, 0}}));
  expect_refused("cable 'rope', route[2]" + back, [](Scene& s) {
    release(s, "rope", 0);
    s.cables[0].route.front() = {0.1, 0.2, 0.3};
    lead_through(s.cables[0], {{1, 1, 1}, {1.7, 1.7, 2.4}});  // and back along it, but for rounding
    s.cables[0].route.back() = {1 + 0.7 / 3, 1 + 0.7 / 3, 1 + 1.4 / 3};
  });
  expect_refused(
      "cable 'rope', elements: found 4; expected 5 or more, one for each span of the route. Use "
      "more elements or fewer points.",
      via({{0, 1, 0}, {0, 1, 1}, {1, 1, 1}, {1, 1, 0}}));
  EXPECT_NO_THROW(Model(with([](Scene& s) {
    lead_through(s.cables[0], {{0, 1, 0}, {1, 1, 0}});
    s.cables[0].route.back() = s.cables[0].route.front().point;
  }))) << "a route may end where it starts";
}

TEST(Compile, RefusesQuadratureThatIsSingularOrUnknown) {
  const std::string remedy = " With 2 points an element has deformations without axial force.";
  for (const int points : {-1, 0, 2, 8})
    expect_refused("cable 'rope', axial points: found " + std::to_string(points) +
                       "; expected 3 to 7." + remedy,
                   [points](Scene& s) { s.cables[0].axial_points = points; });
  for (const int points : {0, 1, 8})
    expect_refused(
        "cable 'rope', bending points: found " + std::to_string(points) + "; expected 2 to 7.",
        [points](Scene& s) { s.cables[0].bending_points = points; });
  for (const int axial : {3, 7})
    for (const int bending : {2, 7})
      EXPECT_NO_THROW(Model(with([=](Scene& s) {
        s.cables[0].axial_points = axial;
        s.cables[0].bending_points = bending;
      })));
}

TEST(Compile, RefusesVectorsThatAreNotFinite) {
  const std::string rest = "; expected three finite numbers.";
  expect_refused("gravity: found [0, nan, -9.81]" + rest, [](Scene& s) { s.gravity.y() = nan; });
  expect_refused("support 'rope.start', position: found [inf, 0, 0]" + rest,
                 [](Scene& s) { s.supports[0].position.x() = inf; });
  expect_refused("cable 'rope', end: found [1, 0, nan]" + rest,
                 [](Scene& s) { s.cables[0].route.back().point.z() = nan; });
  expect_refused("cable 'rope', velocity: found [nan, 0, 0]" + rest,
                 [](Scene& s) { s.cables[0].velocity.x() = nan; });
  expect_refused("cable 'rope', angular velocity: found [0, -inf, 0]" + rest,
                 [](Scene& s) { s.cables[0].angular_velocity.y() = -inf; });
  expect_refused("point force on 'rope': found [nan, 0, 0]" + rest, [](Scene& s) {
    add_force(s, nth("rope", 1, 4), {nan, 0, 0});
  });
  expect_refused("distributed force on 'rope': found [0, 0, inf]" + rest, [](Scene& s) {
    add_distributed_force(s, "rope", {0, 0, inf});
  });
  expect_refused("moment on 'rope': found [0, nan, 0]" + rest, [](Scene& s) {
    add_moment(s, nth("rope", 1, 4), {0, nan, 0});
  });
}

TEST(Compile, RefusesSignalsThatAreNotSound) {
  const std::string rest = "; expected a valid function of time.";
  const std::string value = "found a value that is not finite";
  expect_refused("support 'rope.start', motion: " + value + rest,
                 [](Scene& s) { s.supports[0].motion[0] = nan; });
  expect_refused(
      "support 'rope.start', motion: found an end time that is not after the start time" + rest,
      [](Scene& s) { s.supports[0].motion[2] = Signal::ramp(0, 1, 2, 1); });
  expect_refused("condition 'tie': " + value + rest, [](Scene& s) {
    add_condition(s, "tie", {{nth("rope", 4, 4), Coordinate::x, 1}}, inf);
  });
  expect_refused("point force on 'rope': " + value + rest, [](Scene& s) {
    add_force(s, nth("rope", 1, 4), {1, 0, 0}, nan);
  });
  expect_refused("distributed force on 'rope': found a parameter that is not finite" + rest,
                 [](Scene& s) {
                   add_distributed_force(s, "rope", {0, 0, 1}, Signal::sine(1, nan));
                 });
  expect_refused("moment on 'rope': found times that do not increase" + rest, [](Scene& s) {
    add_moment(s, nth("rope", 1, 4), {0, 1, 0}, Signal::table({0, 1, 1}, {0, 1, 2}));
  });
}

TEST(Compile, RefusesMassesAndConditionsWithoutEffect) {
  expect_refused(
      "point mass on 'rope': found 0 kg; expected a finite number above zero. Give the physical "
      "value in SI units.",
      [](Scene& s) {
        s.point_masses = {{nth("rope", 1, 4), 0}};
      });
  const std::string factors =
      "condition 'tie': found no valid factors; expected finite factors, at least one of them "
      "nonzero.";
  expect_refused(factors, [](Scene& s) { add_condition(s, "tie", {}, 0); });
  expect_refused(factors, [](Scene& s) {
    add_condition(s, "tie", {{nth("rope", 4, 4), Coordinate::x, 0}}, 0);
  });
  expect_refused(factors, [](Scene& s) {
    add_condition(s, "tie", {{nth("rope", 4, 4), Coordinate::x, nan}}, 0);
  });
}

TEST(Compile, RefusesCablesOfOneName) {
  expect_refused("cable 'rope': found the same name twice; expected a unique name.",
                 [](Scene& s) { s.cables.push_back(s.cables[0]); });
  expect_refused("a cable: found no name; expected a name. Name every cable.",
                 [](Scene& s) { s.cables[0].name = ""; });
}

/// Everything that can be put at a place, with the name it has in messages.
const std::vector<std::pair<std::string, std::function<void(Scene&, const Place&)>>> placed = {
    {"condition 'tie'",
     [](Scene& s, const Place& at) {
       add_condition(s, "tie", {{at, Coordinate::slope_y, 1.0}});
     }},
    {"point force",
     [](Scene& s, const Place& at) {
       add_force(s, at, {1, 0, 0});
     }},
    {"moment",
     [](Scene& s, const Place& at) {
       add_moment(s, at, {0, 1, 0});
     }},
    {"point mass",
     [](Scene& s, const Place& at) {
       s.point_masses.push_back({at, 1.0});
     }},
};

TEST(Compile, RefusesPlacesThatDoNotExist) {
  for (const auto& [who, put] : placed) {
    expect_refused(who + ": found unknown cable 'line'; expected one of 'rope'.",
                   [&put = put](Scene& s) { put(s, Place::start("line")); });
    expect_refused(who + ": found 1.01 m of cable 'rope'; expected 0 to 1 m, the cable's length.",
                   [&put = put](Scene& s) { put(s, Place::at("rope", 1.01)); });
    expect_refused(
        who + ": found -0.1 of the length of cable 'rope'; expected 0 to 1 m, the cable's length.",
        [&put = put](Scene& s) { put(s, Place::fraction("rope", -0.1)); });
    EXPECT_NO_THROW(Model(with([&put = put](Scene& s) { put(s, Place::end("rope")); }))) << who;
  }
  expect_refused("distributed force: found unknown cable 'line'; expected one of 'rope'.",
                 [](Scene& s) {
                   add_distributed_force(s, "line", {0, 0, 1});
                 });
}

TEST(Compile, FindsNodesByPlace) {
  const Model model(with([](Scene& s) {
    Cable second = s.cables[0];
    second.name = "line";
    second.elements = 2;
    s.cables.push_back(second);
  }));
  EXPECT_EQ(model.nodes(), 8);
  EXPECT_EQ(model.coordinates(), 48);
  EXPECT_EQ(model.elements(), 6);
  EXPECT_EQ(model.cable("line"), 1);
  EXPECT_EQ(model.first_node(1), 5);
  for (int node = 0; node <= 4; ++node) {
    EXPECT_EQ(model.node(nth("rope", node, 4)), node);
    EXPECT_EQ(model.node(Place::at("rope", 0.25 * node)), node);
  }
  EXPECT_EQ(model.node(Place::end("line")), 7);
  EXPECT_EQ(model.node(Place::start("line")), 5);
  expect_error(
      "place: found no node of the mesh at 0.3 m of cable 'line'; expected a node at every place "
      "that the scene names. Insert a node there in the mesh.",
      [&model] { (void)model.node(Place::at("line", 0.3)); });
  expect_error("cable: found unknown cable 'wire'; expected one of 'rope', 'line'.",
               [&model] { (void)model.cable("wire"); });
}

TEST(Compile, LaysTheCableStraightAtItsUnstretchedLength) {
  const Model model(with([](Scene& s) {
    s.cables[0].route = {{1, 2, 3}, {1, 2, 5}};
    s.cables[0].length = 1.6;
    s.cables[0].velocity = {7, 0, 0};
    s.cables[0].angular_velocity = {0, 3, 0};
  }));
  const State state = Integrator(model, {}).start();
  EXPECT_EQ(state.position(1), Vec3(1, 2, 3.5));
  EXPECT_EQ(state.slope(1), Vec3(0, 0, 1.25));
  EXPECT_TRUE(state.velocity(4).isApprox(Vec3(13, 0, 0), 1e-12)) << state.velocity(4);
}

// --- constraints that meet ---

TEST(Compile, RefusesConditionsThatDoNotStartWhereTheCableIs) {
  const std::string remedy =
      " Change the initial shape of the cable, or start the motion at this value.";
  expect_refused(
      "condition 'tie': found 2 prescribed at t = 0; expected 1.5, the initial value of the "
      "cable." +
          remedy,
      [](Scene& s) {
        add_condition(s, "tie",
                      {{nth("rope", 2, 4), Coordinate::x, 1.0},
                       {nth("rope", 4, 4), Coordinate::slope_x, 1.0}},
                      2.0);
      });
}

TEST(Compile, HoldsCoordinates) {
  const auto fixed = [](auto change) { return Model(with(change)).data().structure.fixed; };
  using Fixed = std::vector<int>;
  EXPECT_EQ(fixed([](Scene&) {}), (Fixed{0, 1, 2}));
  EXPECT_EQ(fixed([](Scene& s) { clamp(s, "rope", 0); }), (Fixed{0, 1, 2, 4, 5}));
  EXPECT_EQ(fixed([](Scene& s) { hold(s, "rope", -1).slides = Vec3::UnitY(); }),
            (Fixed{0, 1, 2, 24, 26}));
  EXPECT_EQ(fixed([](Scene& s) { hold(s, "rope", -1).slides = Vec3(1, 1, 0); }), (Fixed{0, 1, 2}))
      << "and two conditions";
}

TEST(Compile, ClampsAnObliqueCableByConditions) {
  const Model model(with([](Scene& s) {
    s.cables[0].route.back() = {1, 2, -1};
    clamp(s, "rope", 0);
  }));
  EXPECT_EQ(model.data().structure.fixed, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(model.data().structure.conditions, 2);
}

void tie(Scene& s, const std::string& name, double x, double z, double slope = 0) {
  add_condition(s, name,
                {{nth("rope", 2, 4), Coordinate::x, x},
                 {nth("rope", 3, 4), Coordinate::z, z},
                 {nth("rope", 3, 4), Coordinate::slope_y, slope}},
                0.5 * x);  // as at the start
}

TEST(Compile, RefusesConditionsThatDependOnEachOther) {
  expect_refused(
      "condition 'third': found a condition that is redundant with, or contradicts, condition "
      "'first', "
      "condition 'second'; expected independent conditions. Remove it.",
      [](Scene& s) {
        tie(s, "first", 1, 0, 1);
        tie(s, "second", 0, 1, 1);
        tie(s, "third", 1, 2, 3);
      });
  EXPECT_NO_THROW(Model(with([](Scene& s) {
    tie(s, "first", 1, 0, 1);
    tie(s, "second", 0, 1, 1);
    tie(s, "third", 1, 2, 4);
  })));
}

TEST(Compile, RefusesConditionsOnCoordinatesThatAreHeld) {
  expect_refused(
      "condition 'again': found a condition that is redundant with, or contradicts, the "
      "coordinates "
      "already held there; expected independent conditions. Remove it.",
      [](Scene& s) {
        add_condition(s, "again", {{Place::start("rope"), Coordinate::y, 2.0}}, 0.0);
      });
  expect_refused(
      "condition 'both': found a condition that is redundant with, or contradicts, the coordinates "
      "already held there; expected independent conditions. Remove it.",
      [](Scene& s) {
        add_condition(s, "both",
                      {{Place::start("rope"), Coordinate::y, 2.0},
                       {Place::start("rope"), Coordinate::z, 1.0}},
                      0.0);
      });
}

// --- options ---

template <class Change>
void expect_option_refused(const std::string& text, Change&& change) {
  SolveOptions options;
  change(options);
  const Model model(sound());
  expect_error("solve options, " + text, [&] { const Integrator integrator(model, options); });
}

TEST(Options, RefuseNumbersOutOfRange) {
  using O = SolveOptions;
  const std::string seconds = "; expected a number of seconds above zero.";
  expect_option_refused("step: found 0" + seconds, [](O& o) { o.step = 0; });
  expect_option_refused("step: found -0.001" + seconds, [](O& o) { o.step = -0.001; });
  expect_option_refused("step: found nan" + seconds, [](O& o) { o.step = nan; });
  expect_option_refused("step: found inf" + seconds, [](O& o) { o.step = inf; });
  const std::string alpha = "; expected a number from -1/3 to 0.";
  expect_option_refused("hht_alpha: found 0.1" + alpha, [](O& o) { o.hht_alpha = 0.1; });
  expect_option_refused("hht_alpha: found -0.5" + alpha, [](O& o) { o.hht_alpha = -0.5; });
  expect_option_refused("hht_alpha: found nan" + alpha, [](O& o) { o.hht_alpha = nan; });
  const std::string rho = "; expected a number from 0 to 1.";
  expect_option_refused("rho_infinity: found -0.1" + rho, [](O& o) { o.rho_infinity = -0.1; });
  expect_option_refused("rho_infinity: found 1.5" + rho, [](O& o) { o.rho_infinity = 1.5; });
  expect_option_refused("rho_infinity: found nan" + rho, [](O& o) { o.rho_infinity = nan; });
  const std::string gain = "; expected a number from 0 to below 0.76, the limit of stability.";
  expect_option_refused("baumgarte_gain: found 0.8" + gain, [](O& o) { o.baumgarte_gain = 0.8; });
  expect_option_refused("baumgarte_gain: found -1" + gain, [](O& o) { o.baumgarte_gain = -1; });
  expect_option_refused("baumgarte_rate_gain: found -1; expected 0 or more.",
                        [](O& o) { o.baumgarte_rate_gain = -1; });
  expect_option_refused(
      "baumgarte_rate_gain: found 3 with baumgarte_gain 0.4; expected gains for which constraint "
      "errors do not grow with this scheme. Without baumgarte_rate_gain both gains are equal and "
      "stable below 0.76.",
      [](O& o) { o.baumgarte_rate_gain = 3; });
  expect_option_refused(
      "newmark_gamma: found 0.4; expected a number from 1/2 to 1: below 1/2 the scheme gains "
      "energy.",
      [](O& o) { o.newmark_gamma = 0.4; });
  expect_option_refused(
      "newmark_beta: found 0.16; expected a number from newmark_gamma/2, the limit of stability "
      "for any step, to 1.",
      [](O& o) { o.newmark_beta = 0.16; });
  const std::string above = "; expected a length above zero.";
  expect_option_refused("tolerance: found 0" + above, [](O& o) { o.tolerance = 0; });
  expect_option_refused("tolerance: found nan" + above, [](O& o) { o.tolerance = nan; });
  expect_option_refused("newton_tolerance: found -1; expected a number above zero.",
                        [](O& o) { o.newton_tolerance = -1; });
  expect_option_refused("newton_iterations: found 0; expected 1 or more.",
                        [](O& o) { o.newton_iterations = 0; });
  expect_option_refused("factorization_cap: found -1; expected 0 or more.",
                        [](O& o) { o.factorization_cap = -1; });
  expect_option_refused("energy_guard: found nan; expected 0 or more.",
                        [](O& o) { o.energy_guard = nan; });
}

TEST(Options, RefuseCombinationsThatCannotBeHonoured) {
  expect_option_refused(
      "error_control: found a method other than newton; expected method = newton. The methods "
      "with one solve per step use constant steps: their cost is fixed.",
      [](SolveOptions& o) { o.error_control = true; });
  expect_option_refused(
      "constraints: found baumgarte with mixed3; expected position. Every stage of mixed3 "
      "satisfies its constraints exactly.",
      [](SolveOptions& o) {
        o.method = Method::mixed3;
        o.constraints = ConstraintLevel::baumgarte;
      });
  const Model tied(with([](Scene& s) { tie(s, "tie", 1, 1); }));
  SolveOptions chain;
  chain.backend = LinearBackend::chain;
  expect_error(
      "solve, backend 'chain': found 1 general conditions; expected elements from each node to the "
      "next, symmetric loads and no general conditions. Choose the backend 'automatic' or "
      "'sparse'.",
      [&] { const Integrator integrator(tied, chain); });
}

// --- a cable that nothing holds ---

/// Height lost after n steps from rest on z'' = -g: what each scheme makes of a parabola.
double height_lost(const SolveOptions& how, double g, double h, int n) {
  const double exact = g * n * h * n * h / 2;
  if (how.method == Method::mixed3) return exact;
  if (how.scheme == Scheme::backward_euler) return g * h * h * n * (n + 1) / 2;
  return exact;
}

TEST(FreeCable, FallsWithGravity) {
  const Model model(with([](Scene& s) {
    release(s, "rope", 0);
    s.cables[0].route.back() = {0.6, 0.8, 0};
  }));
  for (const SolveOptions& options : all_methods(0.01)) {
    SCOPED_TRACE(name_of(options));
    Integrator integrator(model, options);
    State state = integrator.start();
    for (int i = 0; i < 40; ++i) ASSERT_EQ(integrator.step(state), Status::ok);
    const double lost = height_lost(options, 9.81, 0.01, 40);
    for (int n = 0; n <= 4; ++n) {
      EXPECT_LT((state.position(n) - Vec3(0.15 * n, 0.2 * n, -lost)).norm(), 1e-11);
      EXPECT_LT((state.slope(n) - Vec3(0.6, 0.8, 0)).norm(), 1e-11);
      EXPECT_LT((state.velocity(n) - Vec3(0, 0, -9.81 * 0.4)).norm(), 1e-10);
    }
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE
