#include "harness/backends/crash_report.h"

#include <dlfcn.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string_view>

namespace qconform {
namespace {

// Inaccessible pages around tensors are at least this long, and an access that misses a
// tensor by more belongs to no tensor.
constexpr uint64_t kNear = 4096;

std::atomic<const CalledTensor*> g_tensors{nullptr};
std::atomic<size_t> g_count{0};

// A line of fixed size: the process may have no memory left when it is written.
class Line {
 public:
  void Add(const char* text) { Add("%s", text); }
  template <typename... Values>
  void Add(const char* format, Values... values) {
    const int written =
        std::snprintf(text_ + size_, sizeof text_ - size_, format, values...);
    if (written > 0) size_ = std::min(size_ + written, sizeof text_ - 1);
  }
  std::string_view text() const { return {text_, size_}; }

 private:
  char text_[512] = {};
  size_t size_ = 0;
};

const char* VerbOf(Access access) {
  return access == Access::kReads    ? "reads"
         : access == Access::kWrites ? "writes"
                                     : "touches";
}

uint64_t BeginOf(const CalledTensor& tensor) {
  return reinterpret_cast<uintptr_t>(tensor.bytes.data());
}

// How many bytes the address lies outside of the tensor.
uint64_t DistanceTo(const CalledTensor& tensor, uint64_t address) {
  const uint64_t begin = BeginOf(tensor);
  const uint64_t end = begin + tensor.bytes.size();
  if (address < begin) return begin - address;
  return address < end ? 0 : address - end + 1;
}

const CalledTensor* Nearest(uint64_t address, std::span<const CalledTensor> tensors) {
  const CalledTensor* nearest = nullptr;
  uint64_t least = std::numeric_limits<uint64_t>::max();
  for (const CalledTensor& tensor : tensors) {
    if (tensor.bytes.data() == nullptr) continue;
    const uint64_t distance = DistanceTo(tensor, address);
    if (distance > kNear || distance >= least) continue;
    least = distance;
    nearest = &tensor;
  }
  return nearest;
}

void AddPlace(uint64_t address, Access access, std::span<const CalledTensor> tensors,
              Line& line) {
  const char* verb = VerbOf(access);
  const CalledTensor* tensor = Nearest(address, tensors);
  if (tensor == nullptr) {
    line.Add("%s address 0x%llx%s", verb, static_cast<unsigned long long>(address),
             address < kNear ? ", a null pointer" : ", next to no tensor");
    return;
  }
  const auto size = static_cast<unsigned long long>(tensor->bytes.size());
  const char* kind = tensor->is_output ? "output" : "input";
  const uint64_t begin = BeginOf(*tensor);
  if (address < begin) {
    line.Add("%s %llu bytes before the start of the %s %s (%llu bytes)", verb,
             static_cast<unsigned long long>(begin - address), kind, tensor->name, size);
    return;
  }
  const auto at = static_cast<unsigned long long>(address - begin);
  line.Add("%s byte %llu of the %s %s", verb, at, kind, tensor->name);
  if (at >= size) line.Add(", behind its end (%llu bytes)", size);
}

Access AccessOf([[maybe_unused]] const ucontext_t& context) {
#if defined(__x86_64__) && defined(__linux__)
  constexpr unsigned long long kWriteBit = 2;  // of a page fault's error code
  const auto error = static_cast<unsigned long long>(context.uc_mcontext.gregs[REG_ERR]);
  return (error & kWriteBit) != 0 ? Access::kWrites : Access::kReads;
#else
  return Access::kUnknown;
#endif
}

const void* CodeOf([[maybe_unused]] const ucontext_t& context) {
#if defined(__x86_64__) && defined(__linux__)
  return reinterpret_cast<const void*>(context.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__) && defined(__linux__)
  return reinterpret_cast<const void*>(context.uc_mcontext.pc);
#else
  return nullptr;
#endif
}

// Adds the file of the code, and the place in it that a disassembly shows.
void AddCode(const void* code, Line& line) {
  Dl_info info{};
  if (code == nullptr || dladdr(code, &info) == 0 || info.dli_fname == nullptr) return;
  const char* slash = std::strrchr(info.dli_fname, '/');
  const auto offset =
      static_cast<unsigned long long>(static_cast<const std::byte*>(code) -
                                      static_cast<const std::byte*>(info.dli_fbase));
  line.Add(", in %s+0x%llx", slash == nullptr ? info.dli_fname : slash + 1, offset);
  if (info.dli_sname != nullptr) line.Add(" (%s)", info.dli_sname);
}

const char* NameOf(int number) {
  switch (number) {
    case SIGSEGV:
      return "SIGSEGV";
    case SIGBUS:
      return "SIGBUS";
    case SIGFPE:
      return "SIGFPE";
    default:
      return "SIGILL";
  }
}

void Report(int number, siginfo_t* info, void* where) {
  // The instruction runs again when this returns, and its signal then ends the process.
  signal(number, SIG_DFL);
  const auto& context = *static_cast<const ucontext_t*>(where);
  Line line;
  line.Add("crash: %s: ", NameOf(number));
  const bool has_address = number == SIGSEGV || number == SIGBUS;
  if (info->si_code <= 0) {
    line.Add("a process sent it");
  } else if (has_address && info->si_code == SI_KERNEL) {
    line.Add("an address that no memory can have");
  } else if (has_address) {
    AddPlace(reinterpret_cast<uintptr_t>(info->si_addr), AccessOf(context),
             {g_tensors.load(), g_count.load()}, line);
  } else {
    line.Add("%s", number == SIGFPE ? "a division that overflows or has the divisor 0"
                                    : "an instruction that this CPU does not have");
  }
  AddCode(CodeOf(context), line);
  line.Add("\n");
  const std::string_view text = line.text();
  [[maybe_unused]] const ssize_t written = write(2, text.data(), text.size());
  if (info->si_code > 0) return;
  // No instruction brings it again.
  sigset_t sent;
  sigemptyset(&sent);
  sigaddset(&sent, number);
  pthread_sigmask(SIG_UNBLOCK, &sent, nullptr);
  raise(number);
}

}  // namespace

TensorsOfCall::TensorsOfCall(std::span<const CalledTensor> tensors) {
  g_tensors = tensors.data();
  g_count = tensors.size();
}

TensorsOfCall::~TensorsOfCall() {
  g_count = 0;
  g_tensors = nullptr;
}

std::string CrashPlaceText(uint64_t address, Access access,
                           std::span<const CalledTensor> tensors) {
  Line line;
  AddPlace(address, access, tensors, line);
  return std::string(line.text());
}

void ReportCrashes() {
  // On a stack of its own, for a crash may be a stack that is full.
  static std::byte stack[64 * 1024];
  const stack_t other{stack, 0, sizeof stack};
  sigaltstack(&other, nullptr);
  struct sigaction action {};
  action.sa_sigaction = Report;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    struct sigaction before {};
    // A sanitizer's handler says more.
    if (sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_DFL) {
      sigaction(number, &action, nullptr);
    }
  }
}

}  // namespace qconform
