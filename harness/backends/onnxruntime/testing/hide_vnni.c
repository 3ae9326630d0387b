// A library to preload (LD_PRELOAD): programs see an x86-64 CPU without VNNI, and run as
// fast as ever. ONNX Runtime then uses the kernels that it has for such CPUs.
//
// Linux lets CPUID fault (arch_prctl ARCH_SET_CPUID) on CPUs with the flag cpuid_fault of
// /proc/cpuinfo. The handler executes it and clears the bits of VNNI and AMX in the
// answer. Only CPUID is changed: /proc/cpuinfo shows the CPU as it is. qconform's reports
// list the features that CPUID has too.
#define _GNU_SOURCE
#include <cpuid.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { kSetCpuid = 0x1012 };  // ARCH_SET_CPUID of asm/prctl.h

// Bits of leaf 7: of ECX and EDX in its subleaf 0, of EAX and EDX in its subleaf 1.
enum {
  kAvx512Vnni = 1 << 11,
  kAmx = 1 << 22 | 1 << 24 | 1 << 25,
  kAvxVnni = 1 << 4,
  kAvxVnniInt = 1 << 4 | 1 << 10
};

static void Answer(int number, siginfo_t* info, void* context) {
  greg_t* const registers = ((ucontext_t*)context)->uc_mcontext.gregs;
  const unsigned char* const code = (const unsigned char*)registers[REG_RIP];
  // A jump to an address that is not mapped faults at that address.
  if (info->si_addr == (const void*)code || code[0] != 0x0f || code[1] != 0xa2) {
    signal(number, SIG_DFL);  // another fault, which happens again
    return;
  }
  const unsigned leaf = (unsigned)registers[REG_RAX];
  const unsigned subleaf = (unsigned)registers[REG_RCX];
  unsigned eax, ebx, ecx, edx;
  syscall(SYS_arch_prctl, kSetCpuid, 1);
  __cpuid_count(leaf, subleaf, eax, ebx, ecx, edx);
  syscall(SYS_arch_prctl, kSetCpuid, 0);
  if (leaf == 7 && subleaf == 0) {
    ecx &= ~(unsigned)kAvx512Vnni;
    edx &= ~(unsigned)kAmx;
  } else if (leaf == 7 && subleaf == 1) {
    eax &= ~(unsigned)kAvxVnni;
    edx &= ~(unsigned)kAvxVnniInt;
  }
  registers[REG_RAX] = eax;
  registers[REG_RBX] = ebx;
  registers[REG_RCX] = ecx;
  registers[REG_RDX] = edx;
  registers[REG_RIP] += 2;
}

__attribute__((constructor)) static void Hide(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = Answer;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
  if (sigaction(SIGSEGV, &action, NULL) != 0 ||
      syscall(SYS_arch_prctl, kSetCpuid, 0) != 0) {
    fprintf(stderr, "hide_vnni: CPUID cannot be made to fault here\n");
    exit(77);
  }
}
