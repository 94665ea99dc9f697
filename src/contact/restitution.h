// The damping of a contact that gives a rebound.
//
// A mass m that hits a surface of stiffness k with the force of bristle.h,
//
//     f = k (d + tau d'), kept within [0, 2 k d],
//
// leaves it with the share e of its speed. The law is homogeneous in d and d', so e depends on
// b = tau sqrt(k/m) alone, neither on the speed nor on the stiffness. With w = sqrt(k/m) = 1:
//
//     at first f = 2 d: d = v sin(s t)/s, d' = v cos(s t), s = sqrt(2), until d = b d'
//     then d'' + b d' + d = 0, until f = d + b d' = 0, where it leaves: f solves the same equation
//
// e falls from 1 at b = 0 towards 0.
#pragma once

namespace hawser {

/// e for b = tau sqrt(k/m).
double restitution_of(double b);

/// tau sqrt(k/m) for a restitution above 0, at most 1.
double damping_of(double restitution);

}  // namespace hawser
