#include "record/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "hawser/error.h"
#include "hawser/record.h"

namespace hawser {
namespace {

template <class Failure>
[[noreturn]] void fail(const std::string& path, int cause, const char* expected) {
  throw Failure(path, std::generic_category().message(cause), expected,
                "Check that the folder exists, is writable and has free space.");
}

}  // namespace

File::File(std::string path, Mode mode) : path_(std::move(path)) {
  const int flags = O_RDWR | O_CLOEXEC | (mode == Mode::create ? O_CREAT | O_TRUNC : 0);
  descriptor_ = ::open(path_.c_str(), flags, 0666);
  if (descriptor_ < 0) fail<Error>(path_, errno, "a file that can be written");
  struct stat status {};
  if (::fstat(descriptor_, &status) == 0) size_ = static_cast<size_t>(status.st_size);
}

File::~File() { ::close(descriptor_); }

void File::write_at(size_t offset, std::string_view data) {
  while (!data.empty()) {
    const ssize_t n = ::pwrite(descriptor_, data.data(), data.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail<WriteError>(path_, errno, "free space for the results");
    data.remove_prefix(static_cast<size_t>(n));
    offset += static_cast<size_t>(n);
    size_ = std::max(size_, offset);
  }
}

void File::append(std::string_view data) { write_at(size_, data); }

void File::reserve(size_t bytes) {
  int cause = ::posix_fallocate(descriptor_, static_cast<off_t>(size_), static_cast<off_t>(bytes));
  if (cause == 0) return;
  if (::ftruncate(descriptor_, static_cast<off_t>(size_)) != 0) cause = errno;
  fail<WriteError>(path_, cause, "free space for the results");
}

void File::cut(size_t size) {
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0)
    fail<WriteError>(path_, errno, "a file that can be truncated");
  size_ = size;
}

std::string File::read_at(size_t offset, size_t bytes) const {
  std::string out(bytes, '\0');
  size_t done = 0;
  while (done < bytes) {
    const ssize_t n =
        ::pread(descriptor_, out.data() + done, bytes - done, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail<Error>(path_, errno, "a file that can be read");
    if (n == 0) break;
    done += static_cast<size_t>(n);
  }
  out.resize(done);
  return out;
}

void write_whole_file(const std::string& path, std::string_view data) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) fail<Error>(path, errno, "a file that can be written");
  while (!data.empty()) {
    const ssize_t n = ::write(file, data.data(), data.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) break;
    data.remove_prefix(static_cast<size_t>(n));
  }
  int cause = data.empty() ? 0 : errno;
  struct stat status {};
  const bool ordinary = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  if (::close(file) != 0 && cause == 0) cause = errno;
  if (cause == 0) return;
  if (ordinary) ::unlink(path.c_str());
  fail<WriteError>(path, cause, "free space");
}

}  // namespace hawser
