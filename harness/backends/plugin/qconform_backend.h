/* The plugin interface of qconform: how a shared library offers kernels to be
 * judged. C11, and C++. A plugin exports one function, qconform_get_backend.
 *
 * Who calls whom: the harness calls create once per model (one node), run any
 * number of times, destroy once. All calls come from one thread at a time, and a
 * plugin runs in a process of its own, so that it may keep global state.
 *
 * Versions: every struct starts with its size. The side that fills a struct sets
 * struct_size to sizeof of the struct that it was compiled with; the side that
 * reads it touches no field beyond that. Fields are only ever added at the end.
 * Arrays of structs are arrays of pointers, so that a struct may grow.
 */
#ifndef QCONFORM_BACKEND_H_
#define QCONFORM_BACKEND_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define QCONFORM_ABI_VERSION 1u
#define QCONFORM_MAX_RANK 32

#if defined(_WIN32)
#define QCONFORM_EXPORT __declspec(dllexport)
#else
#define QCONFORM_EXPORT __attribute__((visibility("default")))
#endif

/* What a call came to. All but OK may fill the reason. */
typedef enum qconform_status {
  QCONFORM_OK = 0,
  QCONFORM_UNSUPPORTED = 1, /* declined: not a pass, not a failure */
  QCONFORM_REFUSED = 2,     /* the model or its inputs are held to be invalid */
  QCONFORM_ERROR = 3        /* tried and failed */
} qconform_status;

/* Where a plugin says why, in zero-terminated UTF-8. */
typedef struct qconform_reason {
  uint32_t struct_size;
  char text[1024];
  char url[512]; /* of an issue or a page, or empty */
} qconform_reason;

/* A tensor in host memory, laid out as in ONNX's raw_data: row-major,
 * little-endian. Elements of 6, 4 and 2 bits follow each other in the bits of the
 * bytes, the lowest bit first: four elements of 6 bits take three bytes. Rows are
 * not padded, so a row may begin inside a byte. The unused bits of the last byte
 * belong to no element and may have any value. `data` is aligned to the element's size and to nothing more; the byte behind its
 * end, or before its start, cannot be accessed. It must not be written to. `data` is
 * NULL where only type and shape are known. */
typedef struct qconform_tensor {
  uint32_t struct_size;
  int32_t data_type;   /* number in TensorProto.DataType: 1 FLOAT, 2 UINT8, ... */
  const int64_t* dims; /* rank of them; a scalar has none; -1: see dynamic_shapes */
  size_t rank;
  const void* data;
  size_t data_size; /* bytes: ceil(elements * bits / 8) */
} qconform_tensor;

typedef enum qconform_operand_kind {
  QCONFORM_ABSENT = 0,  /* an optional operand that is left out */
  QCONFORM_FED = 1,     /* given at run; at create only type and shape are known */
  QCONFORM_CONSTANT = 2 /* a constant of the model; its data is there at create */
} qconform_operand_kind;

/* One operand of the node, in the order of the operator's schema. */
typedef struct qconform_operand {
  uint32_t struct_size;
  int32_t kind;            /* qconform_operand_kind */
  const char* name;        /* of the value in the graph; "" where absent */
  qconform_tensor* tensor; /* NULL where absent */
} qconform_operand;

typedef enum qconform_attribute_kind {
  QCONFORM_INT = 0,
  QCONFORM_FLOAT = 1,
  QCONFORM_STRING = 2,
  QCONFORM_INTS = 3
} qconform_attribute_kind;

/* An attribute that the node has; those left out have the schema's default. */
typedef struct qconform_attribute {
  uint32_t struct_size;
  int32_t kind; /* qconform_attribute_kind; the field of that name holds the value */
  const char* name;
  int64_t i;
  float f;
  const char* s;
  const int64_t* ints;
  size_t ints_count;
} qconform_attribute;

/* One node of one operator. All of it lives until destroy returns. */
typedef struct qconform_node {
  uint32_t struct_size;
  int32_t opset_version; /* what the model imports of `domain` */
  const char* op_type;   /* "QuantizeLinear" */
  const char* domain;    /* "" is ONNX's own */
  const qconform_attribute* const* attributes;
  size_t attribute_count;
  const qconform_operand* const* operands;
  size_t operand_count;
  size_t output_count;
  /* The whole model as a serialized ModelProto, for those who want it. */
  const void* model;
  size_t model_size;
} qconform_node;

/* Where run writes an output. The harness sets data, capacity and the declared
 * type and shape; the plugin sets data_type, dims and rank to what it wrote. The
 * unused bits of the last byte should be 0; others belong to no element: they are a
 * note in the report, never an error or a deviation. */
typedef struct qconform_output {
  uint32_t struct_size;
  int32_t data_type;
  int64_t dims[QCONFORM_MAX_RANK];
  size_t rank;
  void* data;      /* aligned to the element's size; no byte beyond is accessible */
  size_t capacity; /* bytes; more is QCONFORM_ERROR, not a reason to write on */
} qconform_output;

typedef struct qconform_backend {
  uint32_t struct_size;
  uint32_t abi_version; /* QCONFORM_ABI_VERSION */
  const char* name;
  const char* version;
  const char* vendor;
  const char* device;   /* where it computes, such as an instruction set */
  const char* homepage; /* or NULL */

  /* Makes `node` ready and sets *instance, or says why not. */
  qconform_status (*create)(const qconform_node* node, void** instance,
                            qconform_reason* reason);
  /* Computes the outputs. operands: one for each of the node's, in their order,
   * constants among them; NULL where absent. */
  qconform_status (*run)(void* instance, const qconform_tensor* const* operands,
                         size_t operand_count, qconform_output* const* outputs,
                         size_t output_count, qconform_reason* reason);
  void (*destroy)(void* instance);

  /* Optional, may be NULL: an option of the user, KEY=VALUE, before any create.
   * A key that is not known is QCONFORM_UNSUPPORTED with a reason. */
  qconform_status (*set_option)(const char* key, const char* value,
                                qconform_reason* reason);
  /* Optional, may be NULL: computes with up to `count` threads from now on. The
   * bits of an answer must not depend on it; the harness looks. */
  void (*set_threads)(int32_t count);
  /* Optional: 1 where create takes models whose dimensions have names (ONNX's
   * dim_param) in place of sizes. Such a dimension of a tensor that is fed is -1 at
   * create, with a data_size of 0; at run all sizes are there, others each time. */
  int32_t dynamic_shapes;
} qconform_backend;

/* Returns the backend, which lives as long as the library is loaded, or NULL
 * where `abi_version` (of the harness) is one that the plugin cannot serve. */
QCONFORM_EXPORT const qconform_backend* qconform_get_backend(uint32_t abi_version);

#ifdef __cplusplus
}
#endif

#endif /* QCONFORM_BACKEND_H_ */
