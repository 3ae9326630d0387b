/* An example plugin in plain C11: QuantizeLinear of FLOAT to UINT8 and INT8 with
 * one scale (per_tensor), for every opset_version from 10. Everything else is
 * declined, in words. docs/adding_a_backend.md says how to run it. */
#include <math.h>
#include <qconform_backend.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kFloat = 1, kUint8 = 2, kInt8 = 3 }; /* TensorProto.DataType */

typedef struct Instance {
  int32_t output_type;
} Instance;

static qconform_status Decline(qconform_reason* reason, const char* text) {
  snprintf(reason->text, sizeof reason->text, "%s", text);
  return QCONFORM_UNSUPPORTED;
}

static const qconform_attribute* FindAttribute(const qconform_node* node,
                                               const char* name) {
  for (size_t i = 0; i < node->attribute_count; ++i) {
    if (strcmp(node->attributes[i]->name, name) == 0) return node->attributes[i];
  }
  return NULL;
}

static int64_t IntOr(const qconform_attribute* attribute, int64_t value) {
  return attribute != NULL && attribute->kind == QCONFORM_INT ? attribute->i : value;
}

static int IsOneElement(const qconform_tensor* tensor) {
  for (size_t i = 0; i < tensor->rank; ++i) {
    if (tensor->dims[i] != 1) return 0;
  }
  return tensor->rank <= 1;
}

static qconform_status Create(const qconform_node* node, void** instance,
                              qconform_reason* reason) {
  if (strcmp(node->op_type, "QuantizeLinear") != 0 || node->domain[0] != '\0') {
    return Decline(reason, "only QuantizeLinear is implemented");
  }
  if (node->operand_count < 2 || node->operands[0]->kind == QCONFORM_ABSENT ||
      node->operands[1]->kind == QCONFORM_ABSENT) {
    snprintf(reason->text, sizeof reason->text, "QuantizeLinear needs x and y_scale");
    return QCONFORM_REFUSED;
  }
  const qconform_tensor* x = node->operands[0]->tensor;
  const qconform_tensor* scale = node->operands[1]->tensor;
  if (x->data_type != kFloat || scale->data_type != kFloat) {
    return Decline(reason, "only FLOAT is implemented for x and y_scale");
  }
  const int64_t precision = IntOr(FindAttribute(node, "precision"), 0);
  if (precision != 0 && precision != kFloat) {
    return Decline(reason, "precision is implemented for FLOAT alone");
  }
  if (!IsOneElement(scale) || IntOr(FindAttribute(node, "block_size"), 0) != 0) {
    return Decline(reason, "only per_tensor granularity is implemented");
  }
  int64_t type = IntOr(FindAttribute(node, "output_dtype"), 0);
  if (node->operand_count > 2 && node->operands[2]->kind != QCONFORM_ABSENT) {
    const qconform_tensor* zero_point = node->operands[2]->tensor;
    if (!IsOneElement(zero_point)) {
      return Decline(reason, "only per_tensor granularity is implemented");
    }
    if (type != 0 && type != zero_point->data_type) {
      snprintf(reason->text, sizeof reason->text,
               "output_dtype is %d, y_zero_point is of type %d", (int)type,
               (int)zero_point->data_type);
      return QCONFORM_REFUSED;
    }
    type = zero_point->data_type;
  }
  if (type == 0) type = kUint8;
  if (type != kUint8 && type != kInt8) {
    return Decline(reason, "only UINT8 and INT8 are implemented for y");
  }
  Instance* made = malloc(sizeof *made);
  if (made == NULL) return QCONFORM_ERROR;
  made->output_type = (int32_t)type;
  *instance = made;
  return QCONFORM_OK;
}

/* nearbyintf rounds to nearest even in the default rounding mode. A NaN gives the
 * lowest integer, which is what the comparisons below do with it. */
static int32_t Quantize(float x, float scale, int32_t zero_point, int32_t low,
                        int32_t high) {
  const float rounded = nearbyintf(x / scale);
  if (!(rounded > (float)(low - zero_point))) return low;
  if (rounded > (float)(high - zero_point)) return high;
  return (int32_t)rounded + zero_point;
}

static qconform_status Run(void* instance, const qconform_tensor* const* operands,
                           size_t operand_count, qconform_output* const* outputs,
                           size_t output_count, qconform_reason* reason) {
  const Instance* self = instance;
  const qconform_tensor* x = operands[0];
  const size_t count = x->data_size / sizeof(float);
  if (output_count != 1 || outputs[0]->capacity < count || x->rank > QCONFORM_MAX_RANK) {
    snprintf(reason->text, sizeof reason->text, "y needs room for %zu bytes", count);
    return QCONFORM_ERROR;
  }
  const float scale = *(const float*)operands[1]->data;
  const int is_signed = self->output_type == kInt8;
  int32_t zero_point = 0;
  if (operand_count > 2 && operands[2] != NULL) {
    const uint8_t code = *(const uint8_t*)operands[2]->data;
    zero_point = is_signed ? (int8_t)code : code;
  }
  uint8_t* y = outputs[0]->data;
  for (size_t i = 0; i < count; ++i) {
    y[i] = (uint8_t)Quantize(((const float*)x->data)[i], scale, zero_point,
                             is_signed ? -128 : 0, is_signed ? 127 : 255);
  }
  outputs[0]->data_type = self->output_type;
  outputs[0]->rank = x->rank;
  for (size_t i = 0; i < x->rank; ++i) outputs[0]->dims[i] = x->dims[i];
  return QCONFORM_OK;
}

static void Destroy(void* instance) { free(instance); }

const qconform_backend* qconform_get_backend(uint32_t abi_version) {
  static const qconform_backend kBackend = {
      .struct_size = sizeof(qconform_backend),
      .abi_version = QCONFORM_ABI_VERSION,
      .name = "example",
      .version = "1",
      .vendor = "qconform",
      .device = "CPU",
      .create = Create,
      .run = Run,
      .destroy = Destroy,
      .dynamic_shapes = 1, /* Create looks at no size but those of y_scale */
  };
  return abi_version >= QCONFORM_ABI_VERSION ? &kBackend : NULL;
}
