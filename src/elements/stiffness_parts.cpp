#include <cmath>  // first: the measures call sqrt of their scalar

#include "elements/stiffness_parts.h"

#include "elements/measures.h"
#include "linear/structure.h"
#include "sections/linear_elastic.h"

namespace hawser {
namespace {

/// (d, r1', r2') of an element: what r' and r'' are made of (elements/hermite.h).
struct Slopes {
  double x[9];

  Slopes(const double* a, double length) {
    for (int i = 0; i < 3; ++i) {
      x[i] = (a[node_size + i] - a[i]) / length;
      x[3 + i] = a[3 + i];
      x[6 + i] = a[node_size + 3 + i];
    }
  }
  void at(const double c[3], double factor, double out[3]) const {
    for (int i = 0; i < 3; ++i) out[i] = factor * (c[0] * x[i] + c[1] * x[3 + i] + c[2] * x[6 + i]);
  }
};

double times(const Sym3<double>& m, const double a[3]) {
  return m.m[0] * a[0] * a[0] + m.m[3] * a[1] * a[1] + m.m[5] * a[2] * a[2] +
         2 * (m.m[1] * a[0] * a[1] + m.m[2] * a[0] * a[2] + m.m[4] * a[1] * a[2]);
}

template <class Strain>
double axial(const AncfParameters& par, const Slopes& q, const Slopes& x) {
  double sum = 0;
  for (int g = 0; g < par.axial_points; ++g) {
    const HermitePoint& point = par.axial[g];
    double r1[3], d1[3], strain = 0, gradient[3];
    Sym3<double> hessian{};
    q.at(point.c, 1, r1);
    x.at(point.c, 1, d1);
    Strain::eval(r1, strain, gradient, hessian);
    if (par.tension_only && strain <= 0) continue;
    const double change = dot3(gradient, d1);
    sum += point.w * par.law.axial_tangent() * change * change;
  }
  return sum;
}

/// Hessian of half K^2 by r' and r'', along the motion.
template <class Curvature>
double curvature_change(const double r1[3], const double r2[3], const double d1[3],
                        const double d2[3]) {
  if constexpr (Curvature::constant_stiffness) {
    return dot3(d2, d2);
  } else {
    double half = 0, g1[3], g2[3], h12[9];
    Sym3<double> h11{}, h22{};
    Curvature::eval(r1, r2, half, g1, g2, h11, h12, h22);
    double mixed = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) mixed += d1[i] * h12[3 * i + j] * d2[j];
    return times(h11, d1) + times(h22, d2) + 2 * mixed;
  }
}

template <class Curvature>
double bending(const AncfParameters& par, const Slopes& q, const Slopes& x) {
  double sum = 0;
  for (int g = 0; g < par.bending_points; ++g) {
    const HermitePoint& point = par.bending[g];
    double r1[3], r2[3], d1[3], d2[3];
    q.at(point.c, 1, r1);
    q.at(point.c2, 1 / par.length, r2);
    x.at(point.c, 1, d1);
    x.at(point.c2, 1 / par.length, d2);
    sum += point.w * par.length * par.law.bending() * curvature_change<Curvature>(r1, r2, d1, d2);
  }
  return sum;
}

double bending(const AncfBatch& batch, const Slopes& q, const Slopes& x) {
  switch (batch.curvature) {
    case CurvatureMeasure::second_derivative:
      return bending<SecondDerivativeCurvature>(batch.parameters, q, x);
    case CurvatureMeasure::material:
      return bending<MaterialCurvature>(batch.parameters, q, x);
    case CurvatureMeasure::geometric:
      return bending<GeometricCurvature>(batch.parameters, q, x);
  }
  return 0;
}

}  // namespace

StiffnessParts stiffness_parts(const AncfBatch& batch, const double* q, const double* x) {
  const AncfParameters& par = batch.parameters;
  StiffnessParts sum;
  for (int e = 0; e < batch.elements; ++e) {
    const int at = node_size * (batch.first_node + e);
    const Slopes shape(q + at, par.length), motion(x + at, par.length);
    sum.axial += batch.strain == StrainMeasure::green
                     ? axial<GreenStrain>(par, shape, motion)
                     : axial<EngineeringStrain>(par, shape, motion);
    if (par.slopes && par.law.bending() > 0) sum.bending += bending(batch, shape, motion);
  }
  return sum;
}

}  // namespace hawser
