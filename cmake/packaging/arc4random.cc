// Debian 12's static libstdc++ refers to arc4random, which glibc has since 2.36. With this
// one in the program, glibc 2.35 suffices.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

extern "C" uint32_t arc4random();
extern "C" uint32_t arc4random() {
  uint32_t random = 0;
  if (getentropy(&random, sizeof random) != 0) std::abort();
  return random;
}
