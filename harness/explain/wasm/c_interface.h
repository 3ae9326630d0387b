/* The oracle's explanations for callers in C, such as a page of the site, where this is
   WebAssembly. Texts are UTF-8 and end with a zero byte. A text that is returned belongs
   to the library and holds until the next call. One thread at a time. */
#ifndef QCONFORM_HARNESS_EXPLAIN_WASM_C_INTERFACE_H_
#define QCONFORM_HARNESS_EXPLAIN_WASM_C_INTERFACE_H_

#ifdef __cplusplus
extern "C" {
#endif

/* Takes the definitions of operators (cases/lattice/given_definitions.h), before the
   first question. Returns an error, or "". */
const char* qconform_define(const char* definitions);

/* Takes a question and returns its answer, both JSON (answer_json.h). */
const char* qconform_explain(const char* question);

#ifdef __cplusplus
}
#endif

#endif /* QCONFORM_HARNESS_EXPLAIN_WASM_C_INTERFACE_H_ */
