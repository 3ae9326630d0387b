// Gives a content its operand form.
#ifndef QCONFORM_CASES_CORE_ASSEMBLE_H_
#define QCONFORM_CASES_CORE_ASSEMBLE_H_

#include "cases/core/case.h"
#include "cases/core/content.h"

namespace qconform::generators {

OpCase Assemble(const CaseKey& key, const Content& content);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_CORE_ASSEMBLE_H_
