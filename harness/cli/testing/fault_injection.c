// A library for LD_PRELOAD that lets one call of a program fail, for
// harness/cli/testing/fault_injection_test.py.
//
//   QCONFORM_FAIL=KIND:N        the N-th call (from 1) of that kind after main() began
//   QCONFORM_FAIL=KIND:N+       that one and all later ones
//   QCONFORM_COUNT=FILE         appends "KIND N" lines: how many calls there were
//   QCONFORM_FAIL_IN=worker     only in processes whose first argument is "worker";
//                               otherwise only in others
//
// Kinds: alloc (malloc and its like, and so operator new), open, read, write (not to
// stderr, where the program says what went wrong), fsync, rename, mkdir, fork
// (posix_spawn, too), pipe, thread.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum Kind { ALLOC, OPEN, READ, WRITE, FSYNC, RENAME, MKDIR, FORK, PIPE, THREAD, KINDS };
static const char* const kNames[KINDS] = {"alloc",  "open",  "read", "write", "fsync",
                                          "rename", "mkdir", "fork", "pipe",  "thread"};

static atomic_int active;  // between the begin of main() and exit
static atomic_long calls[KINDS];
static int failing = -1;  // a Kind
static long first;        // the call that fails
static int all_later;

// Returns whether this call is to fail.
static int Fails(enum Kind kind) {
  if (!atomic_load(&active)) return 0;
  const long call = atomic_fetch_add(&calls[kind], 1) + 1;
  return (int)kind == failing && (call == first || (all_later && call > first));
}

static void* Next(const char* name) { return dlsym(RTLD_NEXT, name); }

// --- memory: glibc's own functions, as dlsym allocates itself

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);

#define FAIL_MEMORY() \
  if (Fails(ALLOC)) { \
    errno = ENOMEM;   \
    return NULL;      \
  }

void* malloc(size_t size) {
  FAIL_MEMORY();
  return __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  FAIL_MEMORY();
  return __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
  FAIL_MEMORY();
  return __libc_realloc(old, size);
}
void* memalign(size_t alignment, size_t size) {
  FAIL_MEMORY();
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  FAIL_MEMORY();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** result, size_t alignment, size_t size) {
  if (Fails(ALLOC)) return ENOMEM;
  *result = __libc_memalign(alignment, size);
  return *result == NULL ? ENOMEM : 0;
}

// --- files

#define FAIL(kind, number) \
  if (Fails(kind)) {       \
    errno = number;        \
    return -1;             \
  }

static int OpenMode(int flags, va_list rest) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, int) : 0;
}
#define DEFINE_OPEN(name)                                                    \
  int name(const char* path, int flags, ...) {                               \
    va_list rest;                                                            \
    va_start(rest, flags);                                                   \
    const int mode = OpenMode(flags, rest);                                  \
    va_end(rest);                                                            \
    FAIL(OPEN, EMFILE);                                                      \
    return ((int (*)(const char*, int, ...))Next(#name))(path, flags, mode); \
  }
DEFINE_OPEN(open)
DEFINE_OPEN(open64)
#define DEFINE_OPENAT(name)                                                           \
  int name(int at, const char* path, int flags, ...) {                                \
    va_list rest;                                                                     \
    va_start(rest, flags);                                                            \
    const int mode = OpenMode(flags, rest);                                           \
    va_end(rest);                                                                     \
    FAIL(OPEN, EMFILE);                                                               \
    return ((int (*)(int, const char*, int, ...))Next(#name))(at, path, flags, mode); \
  }
DEFINE_OPENAT(openat)
DEFINE_OPENAT(openat64)
FILE* fopen(const char* path, const char* mode) {
  if (Fails(OPEN)) {
    errno = EMFILE;
    return NULL;
  }
  return ((FILE * (*)(const char*, const char*)) Next("fopen"))(path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  if (Fails(OPEN)) {
    errno = EMFILE;
    return NULL;
  }
  return ((FILE * (*)(const char*, const char*)) Next("fopen64"))(path, mode);
}

ssize_t read(int file, void* bytes, size_t size) {
  FAIL(READ, EIO);
  return ((ssize_t(*)(int, void*, size_t))Next("read"))(file, bytes, size);
}
ssize_t write(int file, const void* bytes, size_t size) {
  if (file != STDERR_FILENO) FAIL(WRITE, ENOSPC);
  return ((ssize_t(*)(int, const void*, size_t))Next("write"))(file, bytes, size);
}
ssize_t writev(int file, const struct iovec* parts, int count) {
  if (file != STDERR_FILENO) FAIL(WRITE, ENOSPC);
  return ((ssize_t(*)(int, const struct iovec*, int))Next("writev"))(file, parts, count);
}
int fsync(int file) {
  FAIL(FSYNC, EIO);
  return ((int (*)(int))Next("fsync"))(file);
}
int fdatasync(int file) {
  FAIL(FSYNC, EIO);
  return ((int (*)(int))Next("fdatasync"))(file);
}
int rename(const char* from, const char* to) {
  FAIL(RENAME, EIO);
  return ((int (*)(const char*, const char*))Next("rename"))(from, to);
}
int renameat2(int at, const char* from, int to_at, const char* to, unsigned flags) {
  FAIL(RENAME, EIO);
  return ((int (*)(int, const char*, int, const char*, unsigned))Next("renameat2"))(
      at, from, to_at, to, flags);
}
int mkdir(const char* path, mode_t mode) {
  FAIL(MKDIR, ENOSPC);
  return ((int (*)(const char*, mode_t))Next("mkdir"))(path, mode);
}

// --- processes and threads

pid_t fork(void) {
  FAIL(FORK, EAGAIN);
  return ((pid_t(*)(void))Next("fork"))();
}
int posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const argv[],
                char* const environment[]) {
  if (Fails(FORK)) return EAGAIN;
  return ((int (*)(pid_t*, const char*, const posix_spawn_file_actions_t*,
                   const posix_spawnattr_t*, char* const[],
                   char* const[]))Next("posix_spawn"))(pid, path, actions, attributes,
                                                       argv, environment);
}
int pipe(int ends[2]) {
  FAIL(PIPE, EMFILE);
  return ((int (*)(int*))Next("pipe"))(ends);
}
int pipe2(int ends[2], int flags) {
  FAIL(PIPE, EMFILE);
  return ((int (*)(int*, int))Next("pipe2"))(ends, flags);
}
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                   void* (*run)(void*), void* argument) {
  if (Fails(THREAD)) return EAGAIN;
  return ((int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*))Next(
      "pthread_create"))(thread, attributes, run, argument);
}

// --- main()

static int (*real_main)(int, char**, char**);

static void AtExit(void) {
  atomic_store(&active, 0);
  const char* path = getenv("QCONFORM_COUNT");
  if (path == NULL) return;
  FILE* file = ((FILE * (*)(const char*, const char*)) Next("fopen"))(path, "a");
  if (file == NULL) return;
  for (int kind = 0; kind < KINDS; ++kind) {
    fprintf(file, "%s %ld\n", kNames[kind], atomic_load(&calls[kind]));
  }
  fclose(file);
}

static int Main(int argc, char** argv, char** environment) {
  const char* in = getenv("QCONFORM_FAIL_IN");
  const int is_worker = argc > 1 && strcmp(argv[1], "worker") == 0;
  if (is_worker == (in != NULL && strcmp(in, "worker") == 0)) {
    const char* text = getenv("QCONFORM_FAIL");
    const char* colon = text == NULL ? NULL : strchr(text, ':');
    for (int kind = 0; colon != NULL && kind < KINDS; ++kind) {
      const size_t length = (size_t)(colon - text);
      if (strlen(kNames[kind]) != length || strncmp(text, kNames[kind], length) != 0)
        continue;
      char* end = NULL;
      first = strtol(colon + 1, &end, 10);
      all_later = *end == '+';
      failing = kind;
    }
    atexit(AtExit);
    atomic_store(&active, 1);
  }
  return real_main(argc, argv, environment);
}

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv,
                      void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
                      void* stack_end) {
  real_main = main;
  return ((int (*)(int (*)(int, char**, char**), int, char**, void (*)(void),
                   void (*)(void), void (*)(void), void*))Next("__libc_start_main"))(
      Main, argc, argv, init, fini, rtld_fini, stack_end);
}
