/* A plugin whose answers are right, and that does to its own process what its option
 * act=NAME says: that costs its own cell at most, and often nothing. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <qconform_backend.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char g_act[64];
static int g_runs;
static qconform_backend g_backend;

static int Is(const char* act) { return strcmp(g_act, act) == 0; }

static void WriteToAll(void) {
  for (int file = 0; file < 20; ++file) {
    if (write(file, "rubbish rubbish rubbish rubbish\n", 32) < 0) continue;
  }
}

static void Hang(void) {
  for (;;) pause();
}

static void Limit(__rlimit_resource_t which, rlim_t most) {
  const struct rlimit limit = {most, most};
  setrlimit(which, &limit);
}

static void Act(void) {
  ++g_runs;
  if (Is("rounds_down")) fesetround(FE_DOWNWARD);
  if (Is("traps")) feenableexcept(FE_ALL_EXCEPT);
#ifdef __x86_64__
  if (Is("flushes")) __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#endif
  if (Is("locale")) setlocale(LC_ALL, "de_DE.UTF-8");
  if (Is("chdir") && chdir("/") != 0) abort();
  if (Is("umask")) umask(0777);
  if (Is("clearenv")) clearenv();
  if (Is("blocks_signals")) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
  }
  for (int i = 1; Is("ignores_signals") && i < 32; ++i) signal(i, SIG_IGN);
  for (int i = 0; Is("closes_standard_files") && i < 3; ++i) close(i);
  for (int i = 3; Is("closes_others") && i < 64; ++i) close(i);
  for (int i = 0; Is("does_not_block") && i < 20; ++i) fcntl(i, F_SETFL, O_NONBLOCK);
  if (Is("reads_stdin")) {
    char bytes[64];
    if (read(0, bytes, sizeof bytes) > 0) abort();
  }
  if (Is("prints")) {
    printf("{\"verdict\":\"conformant\"}\n");
    fflush(stdout);
  }
  if (Is("writes_to_all_files")) WriteToAll();
  if (Is("no_files")) Limit(RLIMIT_NOFILE, 0);
  if (Is("no_memory")) Limit(RLIMIT_AS, 1);
  if (Is("no_file_size")) Limit(RLIMIT_FSIZE, 0);
  if (Is("exits") && g_runs == 3) exit(0);
  if (Is("becomes_another") && g_runs == 3) execl("/bin/cat", "cat", (char*)NULL);
  if (Is("ends_thread") && g_runs == 3) pthread_exit(NULL);
  if (Is("ends_group") && g_runs == 3) kill(0, SIGTERM);
  if (Is("new_session")) setsid();
  if (Is("aborts_at_exit") && g_runs == 1) atexit(abort);
  if (Is("hangs_at_exit") && g_runs == 1) atexit(Hang);
  if (Is("writes_at_exit") && g_runs == 1) atexit(WriteToAll);
  if (Is("leaves_child") && g_runs == 1 && fork() == 0) Hang();
  if (Is("no_functions")) {
    g_backend.run = NULL;
    g_backend.name = NULL;
  }
  if (Is("smaller")) g_backend.struct_size = 0;
}

static qconform_status Create(const qconform_node* node, void** instance,
                              qconform_reason* reason) {
  const int has_zero_point = node->operand_count > 2 && node->operands[2]->tensor != NULL;
  if (strcmp(node->op_type, "QuantizeLinear") != 0 ||
      node->operands[0]->tensor->data_type != 1 || node->operands[1]->tensor->rank != 0 ||
      (has_zero_point && node->operands[2]->tensor->data_type != 2)) {
    snprintf(reason->text, sizeof reason->text, "FLOAT to UINT8, per_tensor, only");
    return QCONFORM_UNSUPPORTED;
  }
  if (Is("endless_text")) {
    memset(reason, 'A', sizeof *reason);
    return QCONFORM_REFUSED;
  }
  *instance = NULL; /* as where there is nothing to keep */
  return QCONFORM_OK;
}

static qconform_status Run(void* instance, const qconform_tensor* const* operands,
                           size_t operand_count, qconform_output* const* outputs,
                           size_t output_count, qconform_reason* reason) {
  (void)instance, (void)output_count, (void)reason;
  const qconform_tensor* x = operands[0];
  const size_t count = x->data_size / sizeof(float);
  const float scale = *(const float*)operands[1]->data;
  const uint8_t zero_point =
      operand_count > 2 && operands[2] != NULL ? *(const uint8_t*)operands[2]->data : 0;
  uint8_t* y = outputs[0]->data;
  for (size_t i = 0; i < count; ++i) {
    const float v = nearbyintf(((const float*)x->data)[i] / scale) + zero_point;
    y[i] = v >= 0.0f ? (uint8_t)fminf(v, 255.0f) : 0;
  }
  outputs[0]->data_type = 2;
  outputs[0]->rank = x->rank;
  memcpy(outputs[0]->dims, x->dims, x->rank * sizeof(int64_t));
  if (Is("unmaps")) munmap((void*)((uintptr_t)y & ~(uintptr_t)4095), 4096);
  Act();
  return QCONFORM_OK;
}

static void Destroy(void* instance) {
  (void)instance;
  if (Is("exits_in_destroy")) exit(3);
}

static qconform_status SetOption(const char* key, const char* value,
                                 qconform_reason* reason) {
  (void)key, (void)reason;
  snprintf(g_act, sizeof g_act, "%s", value);
  return QCONFORM_OK;
}

static qconform_backend g_backend = {
    .struct_size = sizeof(qconform_backend),
    .abi_version = QCONFORM_ABI_VERSION,
    .name = "hostile",
    .version = "1",
    .create = Create,
    .run = Run,
    .destroy = Destroy,
    .set_option = SetOption,
};

QCONFORM_EXPORT const qconform_backend* qconform_get_backend(uint32_t abi_version) {
  return abi_version >= QCONFORM_ABI_VERSION ? &g_backend : NULL;
}
