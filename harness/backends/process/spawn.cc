#include "harness/backends/process/spawn.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <functional>
#include <mutex>
#include <thread>

#include "oracle/base/shortage.h"

namespace qconform {
namespace {

// One thread does all forks and lives as long as the process, because the kernel sends
// the parent-death signal when the *thread* that forked ends.
class SpawnThread {
 public:
  static SpawnThread& Get() {
    static SpawnThread* const thread = new SpawnThread;  // never destroyed, see above
    return *thread;
  }

  void Do(const std::function<void()>& task) {
    const std::lock_guard turn(turn_);
    std::unique_lock lock(mutex_);
    task_ = &task;
    changed_.notify_all();
    changed_.wait(lock, [this] { return task_ == nullptr; });
  }

 private:
  SpawnThread() {
    std::thread([this] {
      std::unique_lock lock(mutex_);
      for (;;) {
        changed_.wait(lock, [this] { return task_ != nullptr; });
        (*task_)();
        task_ = nullptr;
        changed_.notify_all();
      }
    }).detach();
  }

  std::mutex turn_;
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* task_ = nullptr;
};

struct Pipe {
  int read = -1;
  int write = -1;
};

bool Open(Pipe& made) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  made = {ends[0], ends[1]};
  return true;
}

void Close(int& fd) {
  if (fd >= 0) close(fd);
  fd = -1;
}

// After the fork only functions that a signal handler may call: other threads may hold
// locks.
[[noreturn]] void BecomeChild(char* const* arguments, const Pipe& in, const Pipe& out,
                              const Pipe& err, const Pipe& report, pid_t parent) {
  const auto give_up = [&] {
    const int error = errno;
    [[maybe_unused]] const ssize_t written = write(report.write, &error, sizeof error);
    _exit(127);
  };
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  const int null = report.write;
  if (dup2(in.read, 0) < 0 || dup2(out.write, 1) < 0 || dup2(err.write, 2) < 0) give_up();
  // The error report moves to 3, so that all above can be closed.
  if (null != 3 && (dup2(null, 3) < 0 || fcntl(3, F_SETFD, FD_CLOEXEC) != 0)) give_up();
  const Pipe moved{-1, 3};
#ifdef SYS_close_range
  const bool closed = syscall(SYS_close_range, 4u, ~0u, 0u) == 0;
#else
  const bool closed = false;
#endif
  if (!closed) {
    for (int fd = 4; fd < 4096; ++fd) close(fd);
  }
  const struct rlimit no_core { 0, 0 };
  setrlimit(RLIMIT_CORE, &no_core);
  struct sigaction plain {};
  plain.sa_handler = SIG_DFL;
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGQUIT, SIGCHLD, SIGXFSZ}) {
    sigaction(signal, &plain, nullptr);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execvp(arguments[0], arguments);
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(moved.write, &error, sizeof error);
  _exit(127);
}

// Makes writing to a child that has ended an error instead of a signal.
void IgnoreBrokenPipes() {
  struct sigaction now {};
  if (sigaction(SIGPIPE, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) {
    now.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &now, nullptr);
  }
}

}  // namespace

Result<Spawned> Spawn(const std::vector<std::string>& words) {
  IgnoreBrokenPipes();
  std::vector<char*> arguments;
  for (const std::string& word : words)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  Pipe in, out, err, report;
  const auto close_all = [&] {
    for (Pipe* each : {&in, &out, &err, &report}) {
      Close(each->read);
      Close(each->write);
    }
  };
  if (!Open(in) || !Open(out) || !Open(err) || !Open(report)) {
    const int error = errno;
    close_all();
    throw ShortageOf("make pipes for '" + words[0] + "'", error);
  }
  const pid_t parent = getpid();
  pid_t pid = -1;
  int fork_error = 0;  // the other thread's errno is not this one's
  const auto start = [&] {
    pid = fork();
    if (pid == 0) {
      BecomeChild(arguments.data(), in, out, err, report, parent);
    }
    fork_error = errno;
  };
  try {
    SpawnThread::Get().Do(start);
  } catch (...) {  // the thread could not be started
    close_all();
    throw;
  }
  if (pid < 0) {
    close_all();
    throw ShortageOf("start a process for '" + words[0] + "'", fork_error);
  }
  setpgid(pid, pid);  // whoever comes first
  Close(in.read);
  Close(out.write);
  Close(err.write);
  Close(report.write);
  int error = 0;
  ssize_t got = 0;
  do {
    got = read(report.read, &error, sizeof error);
  } while (got < 0 && errno == EINTR);
  if (got == sizeof error) {
    waitpid(pid, nullptr, 0);
    close_all();
    if (IsShortage(error)) throw ShortageOf("run '" + words[0] + "'", error);
    return Error{"cannot run '" + words[0] + "': " + std::strerror(error)};
  }
  Close(report.read);
  for (const int fd : {in.write, out.read, err.read}) {
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
  }
  fcntl(in.write, F_SETPIPE_SZ, 1 << 20);  // best effort: large messages, fewer turns
  fcntl(out.read, F_SETPIPE_SZ, 1 << 20);
  return Spawned{pid, in.write, out.read, err.read};
}

}  // namespace qconform
