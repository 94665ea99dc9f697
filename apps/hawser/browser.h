// A headless Chromium, driven through a pipe by the DevTools protocol.
#pragma once

#include <memory>
#include <string>

namespace hawser {

/// The path of a program; empty if it is not installed.
std::string find_program(const std::string& name);

class Browser {
 public:
  /// Throws Error if Chromium is missing or does not start.
  Browser(int width, int height);
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  void open(const std::string& address);
  /// The value of an expression of the page as JSON, once it is there: promises are awaited. Throws
  /// Error where it fails.
  std::string evaluate(const std::string& expression);
  /// Asks until the expression is true. Throws Error after a minute.
  void wait_for(const std::string& expression);
  /// The page as PNG.
  std::string screenshot();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hawser
