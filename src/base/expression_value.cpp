// The value of an expression, with its rates.
#include <cmath>

#include "base/expression.h"

namespace hawser {
namespace {

using Sample = Signal::Sample;

/// f(g(t)) from f, f', f'' at g and g's rates.
Sample chain(const Sample& g, double f, double f1, double f2) {
  if (g.rate == 0 && g.acceleration == 0) return {f, 0, 0};
  return {f, f1 * g.rate, f2 * g.rate * g.rate + f1 * g.acceleration};
}

Sample product(const Sample& a, const Sample& b) {
  return {a.value * b.value, a.rate * b.value + a.value * b.rate,
          a.acceleration * b.value + 2 * a.rate * b.rate + a.value * b.acceleration};
}

Sample inverse(const Sample& a) {
  const double i = 1 / a.value;
  return chain(a, i, -i * i, 2 * i * i * i);
}

/// a^n; factors of 0 go first, for a power of 0 may be infinite.
Sample raise(const Sample& a, double n) {
  const double first = n, second = n * (n - 1);
  return chain(a, std::pow(a.value, n), first == 0 ? 0 : first * std::pow(a.value, n - 1),
               second == 0 ? 0 : second * std::pow(a.value, n - 2));
}

}  // namespace

Signal::Sample Expression::at(double t) const {
  Sample stack[max_stack];
  int top = -1;
  for (const Code& c : code_) {
    Sample& a = stack[top < 0 ? 0 : top];      // operand of one
    Sample& b = stack[top < 1 ? 0 : top - 1];  // first operand of two
    const double x = a.value;
    switch (c.op) {
      case Op::number:
        stack[++top] = {c.number, 0, 0};
        break;
      case Op::time:
        stack[++top] = {t, 1, 0};
        break;
      case Op::add:
        b = {b.value + a.value, b.rate + a.rate, b.acceleration + a.acceleration}, --top;
        break;
      case Op::subtract:
        b = {b.value - a.value, b.rate - a.rate, b.acceleration - a.acceleration}, --top;
        break;
      case Op::multiply:
        b = product(b, a), --top;
        break;
      case Op::divide: {
        const double quotient = b.value / a.value;  // correctly rounded, unlike b * (1/a)
        b = product(b, inverse(a)), b.value = quotient, --top;
        break;
      }
      case Op::power:
        b = raise(b, x), --top;
        break;
      case Op::negate:
        a = {-a.value, -a.rate, -a.acceleration};
        break;
      case Op::sin:
        a = chain(a, std::sin(x), std::cos(x), -std::sin(x));
        break;
      case Op::cos:
        a = chain(a, std::cos(x), -std::sin(x), -std::cos(x));
        break;
      case Op::tan: {
        const double f = std::tan(x);
        a = chain(a, f, 1 + f * f, 2 * f * (1 + f * f));
        break;
      }
      case Op::asin: {
        const double d = 1 - x * x;
        a = chain(a, std::asin(x), 1 / std::sqrt(d), x / (d * std::sqrt(d)));
        break;
      }
      case Op::acos: {
        const double d = 1 - x * x;
        a = chain(a, std::acos(x), -1 / std::sqrt(d), -x / (d * std::sqrt(d)));
        break;
      }
      case Op::atan: {
        const double d = 1 / (1 + x * x);
        a = chain(a, std::atan(x), d, -2 * x * d * d);
        break;
      }
      case Op::sqrt: {
        const double f = std::sqrt(x);
        a = chain(a, f, 0.5 / f, -0.25 / (f * x));
        break;
      }
      case Op::exp:
        a = chain(a, std::exp(x), std::exp(x), std::exp(x));
        break;
      case Op::log:
        a = chain(a, std::log(x), 1 / x, -1 / (x * x));
        break;
      case Op::abs:
        a = chain(a, std::abs(x), x < 0 ? -1 : 1, 0);
        break;
      case Op::min:
        b = a.value < b.value ? a : b, --top;
        break;
      case Op::max:
        b = a.value > b.value ? a : b, --top;
        break;
      case Op::smooth:
        b = Signal::smooth(0, 1, b.value, a.value).at(t), --top;
        break;
      case Op::ramp:
        b = t < b.value || t >= a.value
                ? Sample{t < b.value ? 0.0 : 1.0, 0, 0}
                : Sample{(t - b.value) / (a.value - b.value), 1 / (a.value - b.value), 0};
        --top;
        break;
    }
  }
  return stack[0];
}

}  // namespace hawser
