// Functions that reading and writing share: whole files, and the shapes of a data set.
// Private to this folder.
#ifndef QCONFORM_CASES_NODE_TESTS_FILES_H_
#define QCONFORM_CASES_NODE_TESTS_FILES_H_

#include <filesystem>
#include <string>
#include <string_view>

#include "cases/model/model.h"
#include "oracle/base/result.h"

namespace qconform {

// Returns the bytes of a regular file of at most 2 GiB. An Error begins with the
// path.
Result<std::string> ReadSmallFile(const std::filesystem::path& path);

// Creates the file. Precondition: nobody reads it before this has returned.
Status WriteFile(const std::filesystem::path& path, std::string_view bytes);

// Returns an Error if a tensor does not have the type and shape that the model
// declares. `file` names the tensor ("test_data_set_0/input_1.pb").
Status CheckAgainst(const ValueInfo& info, const Tensor& tensor, const std::string& file);

}  // namespace qconform

#endif  // QCONFORM_CASES_NODE_TESTS_FILES_H_
