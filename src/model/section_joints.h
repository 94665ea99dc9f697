// Where the sections of a cable that flows are joined. A joint is a node of the material, or two
// where the slope jumps, and passes hand-overs (docs/theory/flow.md): when it comes close to one,
// the mesh goes on without its node, and when it is beyond the hand-over, with it. In between the
// elements beside the hand-over are of the section of their other ends. A mesh without a node at a
// joint is thus one where the joint is at a hand-over, lies on a pulley or is wound up.
//
// At an eyelet that is wrong by the mass of up to 3 % of an element, and by its stiffness. At a
// pulley it is right: the terms of the arc have what is missing (pulley_arc.h, arc_rows.h), and the
// flow at A or B is put to where the tension stays (joint_passages.h).
#pragma once

#include <array>
#include <vector>

#include "hawser/mesh.h"
#include "hawser/scene.h"

namespace hawser {

struct HandOver;
struct ModelData;

struct SectionJoint {
  double s = 0;    ///< material coordinate [m]
  int nodes = 1;   ///< 2 where the slope jumps
  int before = 0;  ///< number of the section that ends there
};
/// Of a cable with that own mesh; none of one section.
std::vector<SectionJoint> section_joints(const Cable& cable, const std::vector<double>& own);

/// The section of a cable of that length at a material coordinate, also of what is wound up.
int section_along(const Cable& cable, double length, double s);
/// The section of an element from `a` to `b`, by whether cable is handed over at its ends.
int section_of_element(const Cable& cable, double length, double a, double b, bool at_a, bool at_b);

/// The shortest section of a cable that flows, by the length of an element.
inline constexpr double shortest_section = 0.1;

/// What the cable is made of at a hand-over: number of the section on either side.
struct SectionsBeside {
  int before = 0, after = 0;
};
SectionsBeside sections_beside(const ModelData& model, const HandOver& h);

/// Takes the joints that have come close to hand-overs out of the mesh, whose nodes are those of
/// the model, and puts in those that have passed one. `soon`: what a few steps take from the
/// elements before and after each hand-over [m]. True where there were any.
bool pass_joints(const ModelData& model, const std::vector<std::array<double, 2>>& soon, Mesh& out);

/// Puts in the joints of cables that have come off a pulley or run out of a hand-over: of a mesh
/// without the nodes of it.
void restore_joints(const ModelData& model, Mesh& out);

}  // namespace hawser
