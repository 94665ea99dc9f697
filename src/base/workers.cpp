#include "base/workers.h"

#include <algorithm>

#include "base/clock.h"
#include "base/flags.h"
#include "base/subnormals.h"

namespace hawser {
namespace {

/// Some ten microseconds: as long as it takes to wake a thread up.
constexpr int spins = 2000;
constexpr int most_automatic = 8;
constexpr unsigned closed = 1U << 31;  ///< of Workers::joined_: nobody may join

void pause_core() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

/// Where other programs keep the cores busy, a thread that others wait for may be without a core
/// for milliseconds, many times a step. A call in which the caller has waited for most of the time
/// is followed by some that it does alone: twice as many each time, and fewer after good ones.
struct Patience {
  static constexpr double longest_wait = 2e-4;  ///< that is never held against it [s]
  static constexpr int fewest_alone = 16, most_alone = 1024;

  double waited = 0;  ///< in the call under way [s]
  int alone = 0;      ///< calls to do alone
  int next = fewest_alone;

  void judge(double taken) {
    if (waited < longest_wait || waited < taken / 2) {
      next = std::max(next - 1, fewest_alone);
      return;
    }
    alone = next;
    next = std::min(2 * next, most_alone);
  }
};
thread_local Patience patience;

/// Until `value` is no longer `old`; returns what it is.
template <class T>
T await_change(const std::atomic<T>& value, T old) {
  for (int i = 0; i < spins; ++i) {
    if (const T now = value.load(std::memory_order_acquire); now != old) return now;
    pause_core();
  }
  value.wait(old, std::memory_order_acquire);
  return value.load(std::memory_order_acquire);
}

}  // namespace

int automatic_threads() {
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, most_automatic);
}

void await_flag(const unsigned& flag, unsigned value) {
  for (int i = 0; i < spins; ++i) {
    if (is_raised(flag, value)) return;
    pause_core();
  }
  const double begin = wall_seconds();
  while (!is_raised(flag, value)) std::this_thread::yield();
  patience.waited += wall_seconds() - begin;
}

Workers& one_worker() {
  static Workers alone(1);
  return alone;
}

Workers::Workers(int count) : joined_(closed) {
  for (int worker = 1; worker < count; ++worker) threads_.emplace_back([this] { serve(); });
}

Workers::~Workers() {
  ends_ = true;
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
}

void Workers::start(int count, Call call, const void* what) {
  if (patience.alone > 0) {
    --patience.alone;
    for (int part = 0; part < count; ++part) call(what, part);
    return;
  }
  const double begin = wall_seconds();
  patience.waited = 0;
  parts_ = count;
  call_ = call;
  what_ = what;
  mode_ = floating_mode();
  next_.store(0, std::memory_order_relaxed);
  joined_.store(0, std::memory_order_release);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  take_parts();
  unsigned joined = joined_.fetch_or(closed, std::memory_order_acq_rel) | closed;
  const double alone = wall_seconds();
  while (joined != closed) joined = await_change(joined_, joined);
  const double end = wall_seconds();
  patience.waited += end - alone;
  patience.judge(end - begin);
}

void Workers::take_parts() {
  for (int part; (part = next_.fetch_add(1, std::memory_order_relaxed)) < parts_;)
    call_(what_, part);
}

void Workers::serve() {
  for (unsigned round = 0;;) {
    round = await_change(round_, round);
    if (ends_) return;
    unsigned joined = joined_.load(std::memory_order_relaxed);
    while (joined < closed &&
           !joined_.compare_exchange_weak(joined, joined + 1, std::memory_order_acq_rel,
                                          std::memory_order_relaxed)) {
    }
    if (joined >= closed) continue;
    set_floating_mode(mode_);
    take_parts();
    if (joined_.fetch_sub(1, std::memory_order_acq_rel) == closed + 1) joined_.notify_one();
  }
}

}  // namespace hawser
