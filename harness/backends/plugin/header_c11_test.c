/* That the header is C11 by itself, and what its versioning rests on. */
#include <qconform_backend.h>

_Static_assert(offsetof(qconform_backend, struct_size) == 0, "the size comes first");
_Static_assert(offsetof(qconform_tensor, struct_size) == 0, "the size comes first");
_Static_assert(offsetof(qconform_operand, struct_size) == 0, "the size comes first");
_Static_assert(offsetof(qconform_attribute, struct_size) == 0, "the size comes first");
_Static_assert(offsetof(qconform_node, struct_size) == 0, "the size comes first");
_Static_assert(offsetof(qconform_output, struct_size) == 0, "the size comes first");
_Static_assert(offsetof(qconform_reason, struct_size) == 0, "the size comes first");
_Static_assert(QCONFORM_OK == 0 && QCONFORM_ERROR == 3, "the statuses are numbers");
