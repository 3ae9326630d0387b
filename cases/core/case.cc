#include "cases/core/case.h"

#include <algorithm>
#include <map>

#include "cases/core/assemble.h"
#include "cases/core/content.h"
#include "cases/core/known_cells.h"
#include "cases/core/operator_cases.h"

namespace qconform {
namespace {

using namespace generators;  // NOLINT: this file is their only door

// Which content an opset_version is asked where another one is asked all `count` of them:
// cells and opset_versions go through them. Those at the end of the list take long.
size_t ProbeOf(const OperatorCases& cases, const Cell& cell, int opset_version,
               size_t count) {
  Fnv1a64 hash = HashOfTypes(cell);
  hash.Number(GranularityNumber(cell));
  hash.Number(static_cast<uint64_t>(opset_version));
  return hash.hash() % std::min(count, cases.probed_contents);
}

}  // namespace

Result<OpCase> CaseMaker::Make(const CaseKey& key) {
  if (const Status valid = CheckKey(key); !valid) return valid.error();
  std::string id = ContentId(key);
  content_is_new_ = id != content_id_ || content_ == nullptr;
  if (content_is_new_) {
    const GeneratorInfo& generator = *FindGenerator(key.cell.op_type, key.generator);
    Result<Content> content =
        FindOperatorCases(key.cell.op_type)
            ->make_content(key.cell, {key.variant, generator.name, key.index},
                           CounterRng(ContentKey(id, seed_, generator.version)));
    if (!content)
      return Error{"case id '" + CaseId(key) + "': " + content.error().message};
    content_ = std::make_shared<const Content>(*std::move(content));
    content_id_ = std::move(id);
  }
  return Assemble(key, *content_);
}

Result<OpCase> MakeCase(const CaseKey& key, uint64_t seed) {
  return CaseMaker(seed).Make(key);
}

std::vector<CaseKey> ContentsOf(const Cell& cell, const SinceVersion& versions,
                                Level level) {
  std::vector<CaseKey> contents;
  for (CaseKey& key : CasesOf(cell, versions, level)) {
    if (contents.empty() || ContentId(contents.back()) != ContentId(key)) {
      contents.push_back(std::move(key));
    }
  }
  return contents;
}

std::vector<CaseKey> CasesOf(const Cell& cell, const SinceVersion& versions, Level level,
                             int whole_list_at) {
  const OperatorCases& cases = *FindOperatorCases(cell.op_type);
  const std::vector<ContentName> contents = cases.contents(cell, level);
  if (contents.empty()) return {};
  const std::vector<int>& opsets = versions.opset_versions;
  const bool known =
      std::find(opsets.begin(), opsets.end(), whole_list_at) != opsets.end();
  const int whole = known ? whole_list_at : opsets.back();
  std::vector<size_t> probes;
  for (const int opset : opsets)
    probes.push_back(ProbeOf(cases, cell, opset, contents.size()));
  std::vector<CaseKey> keys;
  std::map<std::string_view, int> of_generator;
  for (size_t place = 0; place < contents.size(); ++place) {
    const ContentName& content = contents[place];
    // The first, third, ... of each generator: what the other two forms are asked has
    // them all.
    const bool as_parameters = of_generator[content.generator]++ % 2 == 0;
    for (size_t i = opsets.size(); i-- > 0;) {
      const bool other = opsets[i] != whole;
      if (other && place != probes[i]) continue;
      for (const OperandForm form : OperandFormsOf(cell.op_type)) {
        if (other && level == Level::kSmoke && form != OperandForm::kInputs) continue;
        if (form == OperandForm::kParameters && (other || !as_parameters)) continue;
        keys.push_back({.cell = cell,
                        .opset_version = opsets[i],
                        .form = form,
                        .variant = content.variant,
                        .generator = std::string(content.generator),
                        .index = content.index});
      }
    }
  }
  return keys;
}

}  // namespace qconform
