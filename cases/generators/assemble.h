// Gives a content its form: what is fed, and what is a constant of the model.
#ifndef QCONFORM_CASES_GENERATORS_ASSEMBLE_H_
#define QCONFORM_CASES_GENERATORS_ASSEMBLE_H_

#include "cases/generators/case.h"
#include "cases/generators/content.h"

namespace qconform::generators {

OpCase Assemble(const CaseKey& key, Content content);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_GENERATORS_ASSEMBLE_H_
