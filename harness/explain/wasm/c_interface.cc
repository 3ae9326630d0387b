#include "harness/explain/wasm/c_interface.h"

#include <exception>
#include <string>

#include "cases/lattice/given_definitions.h"
#include "harness/explain/answer_json.h"

namespace {

std::string& Kept() {
  static std::string kept;
  return kept;
}

}  // namespace

extern "C" {

const char* qconform_define(const char* definitions) {
  const qconform::Status given = qconform::GiveDefinitions(definitions);
  Kept() = given ? "" : given.error().message;
  return Kept().c_str();
}

const char* qconform_explain(const char* question) {
  try {
    Kept() = qconform::AnswerJson(question);
  } catch (const std::exception& error) {  // such as no memory for a large tensor
    Kept() = qconform::ErrorJson(std::string("explain: ") + error.what());
  }
  return Kept().c_str();
}
}
