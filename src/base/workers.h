// A small pool of threads for the large scenes: the same task on each of them, then all wait.
#pragma once

#include <atomic>
#include <thread>
#include <vector>

namespace hawser {

/// What an automatic choice uses: one thread a core, at most eight.
int automatic_threads();

/// The caller is one of the workers. The others wait in a loop for some microseconds when there is
/// nothing to do, and then sleep. No function but the constructor allocates.
class Workers {
 public:
  explicit Workers(int count);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  [[nodiscard]] int count() const { return static_cast<int>(threads_.size()) + 1; }
  /// Calls task(part) for the parts 0 to count - 1 and returns when all are done. Each worker takes
  /// the next part that is left, in this order; a part may wait for those before it (await_flag).
  /// Whoever comes too late is not waited for. The task must not throw or call share().
  template <class Task>
  void share(int count, const Task& task) {
    if (threads_.empty()) {
      for (int part = 0; part < count; ++part) task(part);
      return;
    }
    start(
        count, [](const void* what, int part) { (*static_cast<const Task*>(what))(part); }, &task);
  }

 private:
  using Call = void (*)(const void* what, int part);
  void start(int count, Call call, const void* what);
  void take_parts();
  void serve();

  int parts_ = 0;
  Call call_ = nullptr;
  const void* what_ = nullptr;
  unsigned mode_ = 0;                ///< in which the caller computes, and so all (subnormals.h)
  std::atomic<unsigned> round_ = 0;  ///< of calls; the last one ends the threads
  std::atomic<int> next_ = 0;        ///< part
  std::atomic<unsigned> joined_;     ///< threads at work, and whether more may join them
  bool ends_ = false;
  std::vector<std::jthread> threads_;
};

/// The caller alone.
Workers& one_worker();

}  // namespace hawser
