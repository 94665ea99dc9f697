// The value of an expression, with its rates.
#include <algorithm>
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

using Op = Expression::Op;

/// A function of one operand.
Sample applied(Op op, const Sample& a) {
  const double x = a.value;
  switch (op) {
    case Op::negate:
      return {-a.value, -a.rate, -a.acceleration};
    case Op::sin:
      return chain(a, std::sin(x), std::cos(x), -std::sin(x));
    case Op::cos:
      return chain(a, std::cos(x), -std::sin(x), -std::cos(x));
    case Op::tan: {
      const double f = std::tan(x);
      return chain(a, f, 1 + f * f, 2 * f * (1 + f * f));
    }
    case Op::asin: {
      const double d = 1 - x * x;
      return chain(a, std::asin(x), 1 / std::sqrt(d), x / (d * std::sqrt(d)));
    }
    case Op::acos: {
      const double d = 1 - x * x;
      return chain(a, std::acos(x), -1 / std::sqrt(d), -x / (d * std::sqrt(d)));
    }
    case Op::atan: {
      const double d = 1 / (1 + x * x);
      return chain(a, std::atan(x), d, -2 * x * d * d);
    }
    case Op::sqrt: {
      const double f = std::sqrt(x);
      return chain(a, f, 0.5 / f, -0.25 / (f * x));
    }
    case Op::exp:
      return chain(a, std::exp(x), std::exp(x), std::exp(x));
    case Op::log:
      return chain(a, std::log(x), 1 / x, -1 / (x * x));
    case Op::abs:
      return chain(a, std::abs(x), x < 0 ? -1 : 1, 0);
    default:
      return a;
  }
}

/// A function of two operands, at time t.
Sample applied(Op op, const Sample& b, const Sample& a, double t) {
  switch (op) {
    case Op::add:
      return {b.value + a.value, b.rate + a.rate, b.acceleration + a.acceleration};
    case Op::subtract:
      return {b.value - a.value, b.rate - a.rate, b.acceleration - a.acceleration};
    case Op::multiply:
      return product(b, a);
    case Op::divide: {
      Sample out = product(b, inverse(a));
      out.value = b.value / a.value;  // correctly rounded, unlike b * (1/a)
      return out;
    }
    case Op::power:
      return raise(b, a.value);
    case Op::min:
      return a.value < b.value ? a : b;
    case Op::max:
      return a.value > b.value ? a : b;
    case Op::smooth:
      return Signal::smooth(0, 1, b.value, a.value).at({t, {}});
    case Op::ramp:
      if (t < b.value || t >= a.value) return {t < b.value ? 0.0 : 1.0, 0, 0};
      return {(t - b.value) / (a.value - b.value), 1 / (a.value - b.value), 0};
    default:
      return b;
  }
}

bool takes_two(Op op) {
  switch (op) {
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::power:
    case Op::min:
    case Op::max:
    case Op::smooth:
    case Op::ramp:
      return true;
    default:
      return false;
  }
}

}  // namespace

Expression Expression::with(size_t symbol, double value) const {
  Expression out = *this;
  for (Code& c : out.code_)
    if (c.op == Op::input && c.input == symbol) c = {Op::number, value, 0};
  std::erase(out.inputs_, symbol);
  out.constant_ = std::none_of(out.code_.begin(), out.code_.end(), [](const Code& c) {
    return c.op == Op::time || c.op == Op::input || c.op == Op::smooth || c.op == Op::ramp;
  });
  return out;
}

Signal::Sample Expression::at(const Instant& now) const {
  Sample stack[max_stack];
  int top = -1;
  for (const Code& c : code_) {
    if (c.op == Op::number) {
      stack[++top] = {c.number, 0, 0};
    } else if (c.op == Op::time) {
      stack[++top] = {now.t, 1, 0};
    } else if (c.op == Op::input) {
      stack[++top] = now.inputs[c.input].at(now.t);
    } else if (takes_two(c.op)) {
      --top;
      stack[top] = applied(c.op, stack[top], stack[top + 1], now.t);
    } else {
      stack[top] = applied(c.op, stack[top]);
    }
  }
  return stack[0];
}

}  // namespace hawser
