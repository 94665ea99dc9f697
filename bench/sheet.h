// A random scene under way, as the text of a scene file, and phrases that such scenes share.
#pragma once

#include <map>
#include <string>

#include "bench/draw.h"

namespace hawser {

using Vec3 = Eigen::Vector3d;

/// "[x, y, z]".
std::string at(const Vec3& p);

/// Entries by part of the scene file.
class Sheet {
 public:
  explicit Sheet(Draw& from) : draw(from) {}

  Draw& draw;
  std::string initial = "straight";
  bool elements = false;  ///< cables with elements: no spook
  double until = 1;       ///< [s], about

  void add(const std::string& part, const std::string& name, const std::string& value);
  /// A part of one entry, such as `ground`.
  void set(const std::string& part, const std::string& value);
  void support(const std::string& name, const Vec3& p);
  /// `rest`: more of its fields, such as "velocity: [1, 0, 0]".
  void box(const std::string& name, double mass, const Vec3& p, const Vec3& edges,
           const std::string& rest = "");
  void ball(const std::string& name, double mass, double radius, const Vec3& p,
            const std::string& rest = "");
  void joint(const std::string& name, const std::string& kind, const std::string& first,
             const std::string& second, const std::string& rest = "");
  /// A massless cable with a section of its own, more than half of them damped.
  void rope(const std::string& name, double EA, const std::string& route,
            const std::string& rest = "");

  [[nodiscard]] std::string text(const std::string& title, const std::string& solve) const;

 private:
  std::map<std::string, std::string> parts_;
};

/// Lengths that a winch pays out, steady between the rows of a table: every row is a kink, and the
/// last an emergency stop.
std::string kinked_payout(Draw& draw, double speed, double until);
/// The same by its speed, with kinks of the acceleration.
std::string kinked_speed(Draw& draw, double speed, double until);
/// A winch that pays out in jerks or smoothly, or none.
std::string winch(Draw& draw, double speed, double until);
/// One of those in half of the cases.
std::string perhaps_winch(Draw& draw, double speed, double until);
/// A motion between two times, with kinks or without.
std::string moved(Draw& draw, const char* field, double way, double until);
std::string with_length(double length, const std::string& rest = "");
/// Length over distance: stretched by up to twice the force, or slack by up to a share.
double taut_or_slack(Draw& draw, double force, double EA, double most);
std::string thrown(Draw& draw, double speed);

}  // namespace hawser
