#include "harness/cli/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace qconform {
namespace {

constexpr int kBarColumns = 30;

// Returns whether a file is a terminal that interprets escapes.
bool TakesEscapes(int file) {
  const char* terminal = std::getenv("TERM");
  return isatty(file) == 1 && terminal != nullptr && *terminal != '\0' &&
         std::string_view(terminal) != "dumb";
}

}  // namespace

Progress::Progress(std::string what, int64_t total, bool wanted)
    : what_(std::move(what)),
      total_(total),
      visible_(wanted && total > 0 && TakesEscapes(STDERR_FILENO)),
      start_(std::chrono::steady_clock::now()) {
  Update(0, 0);
}

Progress::~Progress() { Clear(); }

void Progress::Update(int64_t done, int64_t deviations) {
  if (!visible_) return;
  const auto now = std::chrono::steady_clock::now();
  if (done != 0 && done != total_ && now - drawn_ < std::chrono::milliseconds(100))
    return;
  drawn_ = now;
  const auto filled = static_cast<size_t>(kBarColumns * done / total_);
  const std::string bar = std::string(filled, '#') +
                          std::string(static_cast<size_t>(kBarColumns) - filled, '.');
  const auto seconds = std::chrono::duration<double>(now - start_).count();
  std::string line = "\r[" + bar + "] " + std::to_string(done) + "/" +
                     std::to_string(total_) + " " + what_;
  if (deviations > 0) line += ", " + std::to_string(deviations) + " deviating";
  char time[32];
  std::snprintf(time, sizeof time, "  %.0f s", seconds);
  std::fprintf(stderr, "%s%s\033[K", line.c_str(), time);
  std::fflush(stderr);
}

void Progress::Clear() {
  if (!visible_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

bool ShowsColors() {
  const char* without = std::getenv("NO_COLOR");
  return TakesEscapes(STDOUT_FILENO) && (without == nullptr || *without == '\0');
}

int TerminalColumns() {
  winsize size{};
  if (isatty(STDOUT_FILENO) != 1 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
      size.ws_col == 0) {
    return 80;
  }
  return std::clamp<int>(size.ws_col, 40, 200);
}

}  // namespace qconform
