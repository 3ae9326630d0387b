#include "harness/cli/progress/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace qconform {
namespace {

// "0:07", "12:30", "1:02:03"
std::string Clock(double seconds) {
  const auto whole = static_cast<int64_t>(seconds);
  char text[40];
  if (whole < 3600) {
    std::snprintf(text, sizeof text, "%d:%02d", static_cast<int>(whole / 60),
                  static_cast<int>(whole % 60));
  } else {
    std::snprintf(text, sizeof text, "%lld:%02d:%02d",
                  static_cast<long long>(whole / 3600), static_cast<int>(whole / 60 % 60),
                  static_cast<int>(whole % 60));
  }
  return text;
}

// The columns of the terminal behind a file; `otherwise` if it is none.
int ColumnsOf(int file, int otherwise) {
  winsize size{};
  if (isatty(file) != 1 || ioctl(file, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return otherwise;
  }
  return size.ws_col;
}

// Returns whether a file is a terminal that interprets escapes.
bool TakesEscapes(int file) {
  const char* terminal = std::getenv("TERM");
  return isatty(file) == 1 && terminal != nullptr && *terminal != '\0' &&
         std::string_view(terminal) != "dumb";
}

}  // namespace

std::string ProgressText(const std::string& what, int64_t done, int64_t total,
                         int64_t deviations, double seconds) {
  const int64_t percent = total > 0 ? 100 * done / total : 0;
  std::string text = std::to_string(done) + "/" + std::to_string(total) + " " + what +
                     ", " + std::to_string(percent) + " %";
  if (deviations > 0) text += ", " + std::to_string(deviations) + " deviating";
  return text + ", " + Clock(seconds);
}

std::string ProgressBar(const std::string& text, int64_t done, int64_t total,
                        int columns) {
  constexpr int kShortest = 5;
  // Brackets and a blank; the last column stays empty, or terminals would begin a line.
  const int room = columns - 4 - static_cast<int>(text.size());
  if (room < kShortest || total <= 0) {
    return text.substr(0, static_cast<size_t>(std::max(columns - 1, 0)));
  }
  const auto filled = static_cast<size_t>(room * done / total);
  return "[" + std::string(filled, '#') +
         std::string(static_cast<size_t>(room) - filled, '.') + "] " + text;
}

Progress::Progress(std::string what, int64_t total, bool wanted,
                   std::chrono::seconds line_every)
    : what_(std::move(what)),
      total_(total),
      wanted_(wanted && total > 0),
      draws_(TakesEscapes(STDERR_FILENO)),
      line_every_(line_every),
      start_(std::chrono::steady_clock::now()),
      drawn_(start_) {
  if (draws_) Update(0, 0);
}

Progress::~Progress() { Clear(); }

void Progress::Update(int64_t done, int64_t deviations) {
  if (!wanted_) return;
  const auto now = std::chrono::steady_clock::now();
  if (began_at_ < 0 && done > 0) began_at_ = done - 1;
  const bool at_end = done == 0 || done == total_;
  const auto every =
      draws_ ? std::chrono::milliseconds(100)
             : std::chrono::duration_cast<std::chrono::milliseconds>(line_every_);
  if (now - drawn_ < every && !(draws_ && at_end)) return;
  drawn_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::string text = ProgressText(what_, done, total_, deviations, seconds);
  // What a journal had already took no time now.
  const int64_t here = done - std::max<int64_t>(began_at_, 0);
  if (here > 0 && done < total_ && seconds >= 1) {
    text +=
        ", " +
        Clock(seconds * static_cast<double>(total_ - done) / static_cast<double>(here)) +
        " left";
  }
  if (draws_) {
    std::fprintf(stderr, "\r%s\033[K",
                 ProgressBar(text, done, total_, ColumnsOf(STDERR_FILENO, 80)).c_str());
  } else {
    std::fprintf(stderr, "%s\n", text.c_str());
  }
  std::fflush(stderr);
}

void Progress::Clear() {
  if (!wanted_ || !draws_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

bool ShowsColors() {
  const char* without = std::getenv("NO_COLOR");
  return TakesEscapes(STDOUT_FILENO) && (without == nullptr || *without == '\0');
}

int TerminalColumns() { return std::clamp(ColumnsOf(STDOUT_FILENO, 80), 40, 200); }

}  // namespace qconform
