/* A plugin that does what its option fault=NAME says, and is right otherwise: each
 * fault must be found by the loader, or end the process that runs it. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <qconform_backend.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char g_fault[64];
static char g_says[1000]; /* what is printed, and the reason for which all is declined */
static int32_t g_threads = 1;
static int g_runs;
static size_t g_first_count; /* elements of the first run of the present model */
static char* g_constant; /* of the model that was created last, or NULL */

static int Is(const char* fault) { return strcmp(g_fault, fault) == 0; }

static qconform_status Create(const qconform_node* node, void** instance,
                              qconform_reason* reason) {
  if (strcmp(node->op_type, "QuantizeLinear") != 0 || node->operand_count < 3 ||
      node->operands[2]->tensor == NULL || node->operands[0]->tensor->data_type != 1 ||
      (node->operands[2]->tensor->data_type != 2 && !Is("dirty_padding"))) {
    snprintf(reason->text, sizeof reason->text, "FLOAT to UINT8 alone");
    return QCONFORM_UNSUPPORTED;
  }
  if (*g_says != 0) {
    fprintf(stderr, "%s\n", g_says);
    snprintf(reason->text, sizeof reason->text, "%s", g_says);
    return QCONFORM_UNSUPPORTED;
  }
  if (Is("crash_in_create")) abort();
  if (Is("refuse")) return QCONFORM_REFUSED;
  if (Is("latin1")) {
    snprintf(reason->text, sizeof reason->text, "keine Gr\xF6\xDF" "e 2");
    return QCONFORM_UNSUPPORTED;
  }
  if (Is("write_node")) {
    *(char*)(uintptr_t)node->op_type = 'X';
    *(char*)(uintptr_t)node->operands[0]->name = 'X';
    ((int64_t*)(uintptr_t)node->operands[0]->tensor->dims)[0] = -5;
  }
  g_constant = node->operands[1]->kind == QCONFORM_CONSTANT
                   ? (char*)node->operands[1]->tensor->data
                   : NULL;
  if (Is("write_constant") && g_constant != NULL) *g_constant ^= 1;
  if (Is("fixed_dims") && node->operands[0]->tensor->dims[0] < 0) {
    snprintf(reason->text, sizeof reason->text, "%lld elements of %zu bytes",
             (long long)node->operands[0]->tensor->dims[0],
             node->operands[0]->tensor->data_size);
    return QCONFORM_UNSUPPORTED;
  }
  g_runs = 0;
  g_first_count = 0;
  *instance = malloc(1);
  return QCONFORM_OK;
}

static qconform_status Run(void* instance, const qconform_tensor* const* operands,
                           size_t operand_count, qconform_output* const* outputs,
                           size_t output_count, qconform_reason* reason) {
  (void)instance, (void)operand_count, (void)output_count, (void)reason;
  const qconform_tensor* x = operands[0];
  const size_t count = x->data_size / 4;
  uint8_t* y = outputs[0]->data;
  float scale = *(const float*)operands[1]->data;
  /* As where what is made of a scale is kept by its address. */
  if (Is("scale_by_address")) {
    static const void* kept_of;
    static float kept;
    if (kept_of != operands[1]->data) kept = scale;
    kept_of = operands[1]->data;
    scale = kept;
  }
  const uint8_t zero_point = *(const uint8_t*)operands[2]->data;
  if (++g_runs == 1) g_first_count = count;
  uint8_t* const first_code = outputs[0]->data;
  const uint8_t poison = outputs[0]->capacity > 0 ? *first_code : 0;
  if (Is("dirty_padding")) {  // one element of 4 or 6 bits: the others stay as they were
    const uint8_t used = outputs[0]->data_type == 21 ? 0x0F : 0x3F;
    *y = (uint8_t)((*y & ~used) | 7);
    outputs[0]->rank = x->rank;
    memcpy(outputs[0]->dims, x->dims, x->rank * sizeof(int64_t));
    return QCONFORM_OK;
  }
  for (size_t i = 0; i < count - (Is("unwritten") && count > 0); ++i) {
    const float q = ((const float*)x->data)[i] / scale;
    const float v = (Is("ties_away") ? roundf(q) : nearbyintf(q)) + zero_point;
    y[i] = v >= 0.0f ? (uint8_t)fminf(v, 255.0f) : 0;
  }
  outputs[0]->data_type = 2;
  outputs[0]->rank = x->rank;
  memcpy(outputs[0]->dims, x->dims, x->rank * sizeof(int64_t));
  volatile char* bytes = (volatile char*)y;
  if (Is("write_behind")) bytes[count] = 1;
  if (Is("write_before")) bytes[-1] = 1;
  if (Is("read_behind"))
    bytes[0] = (char)(bytes[0] + 0 * ((const volatile char*)x->data)[x->data_size]);
  if (Is("write_input")) ((volatile char*)(uintptr_t)x->data)[0] ^= 1;
  if (Is("write_and_restore")) {
    volatile char* byte = (volatile char*)(uintptr_t)operands[2]->data;
    const char before = *byte;
    *byte = 0;
    *byte = before;
  }
  /* As where elements are left out until y is aligned, and x is taken to be, too. */
  if (Is("by_offset") && (uintptr_t)x->data / 4 % 16 != (uintptr_t)y % 16) bytes[0] ^= 1;
  if (Is("by_address") && ((uintptr_t)y & 7) < 4 && count > 0) y[0] ^= 1;
  for (size_t i = 0; Is("nan_by_run") && i < count; ++i) {  // as QL-12 allows
    if (isnan(((const float*)x->data)[i])) y[i] = (uint8_t)(g_runs & 1 ? 9 : 0);
  }
  // Other bits in each run, which happen to be the first two poisons.
  if (Is("like_poison") && count > 0) y[0] = poison == 0x5A || poison == 0xA5 ? poison : 9;
  if (Is("by_threads") && g_threads > 1 && count > 0) y[0] ^= 1;
  if (Is("by_two_threads") && g_threads == 2 && count > 0) y[0] ^= 1;
  if (Is("by_three_threads") && g_threads == 3 && count > 0) y[0] ^= 1;
  if (Is("by_four_threads") && g_threads == 4 && count > 0) y[0] ^= 1;
  if (Is("by_five_threads") && g_threads == 5 && count > 0) y[0] ^= 1;
  if (Is("by_eight_threads") && g_threads == 8 && count > 0) y[0] ^= 1;
  if (Is("long_split") && g_threads > 1 && count > 65536) y[65536] ^= 1;
  if (Is("write_constant_in_run") && g_constant != NULL) *g_constant ^= 1;
  if (Is("decline_by_run") && (g_runs & 1) == 0) return QCONFORM_UNSUPPORTED;
  if (Is("type_by_run") && (g_runs & 1) == 0) outputs[0]->data_type = 3;
  if (Is("by_run") && count > 0) y[0] ^= (uint8_t)(g_runs & 1);
  if (Is("wrong_type")) outputs[0]->data_type = 3;
  if (Is("unknown_type")) outputs[0]->data_type = 77;
  if (Is("wrong_shape")) outputs[0]->dims[0] += 1;
  if (Is("wrong_rank")) outputs[0]->rank = 33;
  if (Is("endless_rank")) outputs[0]->rank = SIZE_MAX;
  if (Is("negative_dim")) outputs[0]->dims[0] = -1;
  if (Is("least_dim")) outputs[0]->dims[0] = INT64_MIN;
  if (Is("dims_overflow") || Is("dims_overflow_to_0")) {
    outputs[0]->rank = 4;
    for (int i = 0; i < 4; ++i) outputs[0]->dims[i] = INT64_MAX;
    if (Is("dims_overflow_to_0")) outputs[0]->dims[3] = 0;
  }
  /* The harness knows where its buffer is, and how large. */
  if (Is("other_data")) outputs[0]->data = (void*)(uintptr_t)x->data;
  if (Is("no_data")) outputs[0]->data = NULL;
  if (Is("other_capacity")) outputs[0]->capacity = SIZE_MAX;
  if (Is("write_dims")) ((int64_t*)(uintptr_t)x->dims)[0] = INT64_MAX;
  if (Is("free_input")) free((void*)(uintptr_t)x->data);
  if (Is("free_output")) free(outputs[0]->data);
  if (Is("endless_reason")) {
    memset(reason->text, 'A', sizeof reason->text);
    memset(reason->url, 'B', sizeof reason->url);
    return QCONFORM_ERROR;
  }
  /* As where a kernel's loop was made for the sizes of the first run. */
  if (Is("first_size") && count > g_first_count) y[count - 1] ^= 1;
  if (Is("strange_status")) return (qconform_status)9;
  if (Is("crash")) raise(SIGSEGV);
  if (Is("exit")) _exit(3);
  if (Is("hang"))
    for (;;) pause();
  return QCONFORM_OK;
}

static void Destroy(void* instance) { free(instance); }

static qconform_status SetOption(const char* key, const char* value,
                                 qconform_reason* reason) {
  if (strcmp(key, "says") == 0) {
    snprintf(g_says, sizeof g_says, "%s", value);
    return QCONFORM_OK;
  }
  if (strcmp(key, "fault") != 0) {
    snprintf(reason->text, sizeof reason->text, "there is fault=NAME, not %s", key);
    return QCONFORM_UNSUPPORTED;
  }
  snprintf(g_fault, sizeof g_fault, "%s", value);
  return QCONFORM_OK;
}

static void SetThreads(int32_t count) { g_threads = count; }

QCONFORM_EXPORT const qconform_backend* qconform_get_backend(uint32_t abi_version) {
  static const qconform_backend kBackend = {
      .struct_size = sizeof(qconform_backend),
      .abi_version = QCONFORM_ABI_VERSION,
      .name = "bad",
      .version = "1",
      .create = Create,
      .run = Run,
      .destroy = Destroy,
      .set_option = SetOption,
      .set_threads = SetThreads,
      .dynamic_shapes = 1,
  };
  return abi_version >= QCONFORM_ABI_VERSION ? &kBackend : NULL;
}
