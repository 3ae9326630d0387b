#include "cases/core/case.h"

#include <algorithm>
#include <map>

#include "cases/core/assemble.h"
#include "cases/core/content.h"
#include "cases/core/covering_array.h"
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

// Definitions with more cells are asked the full list at a second opset_version in one
// cell of this many; others in each.
constexpr size_t kFewCells = 100;
constexpr uint64_t kOneInMany = 16;

// Returns the opset_version besides `whole` at which the full list is asked; 0 if there
// is none.
int SecondWholeList(const Cell& cell, const std::vector<int>& opsets, int whole) {
  std::vector<int> others;
  for (const int opset : opsets) {
    if (opset != whole) others.push_back(opset);
  }
  if (others.empty()) return 0;
  Fnv1a64 hash = HashOfTypes(cell);
  hash.Number(GranularityNumber(cell));
  hash.Text("second list");
  const uint64_t turn = hash.hash() >> 8;
  if (!IsInLattice(cell)) return 0;
  const uint64_t share = CellCountOf(cell) > kFewCells ? kOneInMany : 1;
  return turn % share == 0 ? others[turn / share % others.size()] : 0;
}

// Gives rows of a covering array their last two factors: opset_version and operand form.
class Places {
 public:
  Places(const std::vector<ContentName>& contents, size_t opsets, size_t forms)
      : array_(Levels(contents, opsets, forms)) {}

  struct Place {
    size_t opset;
    size_t form;
  };
  Place Next(const ContentName& content) {
    CoveringRow row = content.levels;
    row.resize(row.size() + 2, kFreeLevel);
    row = array_.Add(std::move(row));
    return {static_cast<size_t>(row[row.size() - 2]), static_cast<size_t>(row.back())};
  }

 private:
  static std::vector<int> Levels(const std::vector<ContentName>& contents, size_t opsets,
                                 size_t forms) {
    std::vector<int> levels;
    for (const ContentName& content : contents) {
      levels.resize(std::max(levels.size(), content.levels.size()), 1);
      for (size_t i = 0; i < content.levels.size(); ++i) {
        levels[i] = std::max(levels[i], content.levels[i] + 1);
      }
    }
    levels.push_back(static_cast<int>(opsets));
    levels.push_back(static_cast<int>(forms));
    return levels;
  }

  CoveringArray array_;
};

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
  const int second = level == Level::kSmoke ? 0 : SecondWholeList(cell, opsets, whole);
  const auto forms = OperandFormsOf(cell.op_type);
  Places places(contents, opsets.size(), forms.size());
  std::vector<CaseKey> keys;
  const auto add = [&](const ContentName& content, int opset, OperandForm form) {
    keys.push_back({.cell = cell,
                    .opset_version = opset,
                    .form = form,
                    .variant = content.variant,
                    .generator = std::string(content.generator),
                    .index = content.index});
  };
  std::map<std::string_view, int> of_generator;
  for (size_t place = 0; place < contents.size(); ++place) {
    const ContentName& content = contents[place];
    if (!content.levels.empty()) {
      const Places::Place at = places.Next(content);
      add(content, opsets[at.opset], forms[at.form]);
      continue;
    }
    // The first, third, ... of each generator: what the other two forms are asked has
    // them all.
    const bool as_parameters = of_generator[content.generator]++ % 2 == 0;
    for (size_t i = opsets.size(); i-- > 0;) {
      const bool other = opsets[i] != whole;
      if (other && opsets[i] != second && place != probes[i]) continue;
      for (const OperandForm form : forms) {
        if (other && level == Level::kSmoke && form != OperandForm::kInputs) continue;
        if (form == OperandForm::kParameters && (other || !as_parameters)) continue;
        add(content, opsets[i], form);
      }
    }
  }
  return keys;
}

}  // namespace qconform
