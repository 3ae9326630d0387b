#include "harness/cli/model/listing.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "cases/lattice/cell.h"
#include "harness/runner/selection.h"
#include "oracle/base/json.h"
#include "oracle/base/text.h"
#include "reports/show/terminal_text.h"

namespace qconform {
namespace {

std::string Counted(int64_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

// Rows of a table with a heading; the first column is aligned to the right.
template <size_t kColumns>
std::string Table(std::vector<std::array<std::string, kColumns>> rows) {
  std::array<size_t, kColumns> widths{};
  for (auto& row : rows) std::ranges::transform(row, row.begin(), OneLine);
  for (const auto& row : rows) {
    for (size_t i = 0; i < kColumns; ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line = "  " + std::string(widths[0] - row[0].size(), ' ') + row[0];
    for (size_t i = 1; i < kColumns; ++i) {
      line += "  " + row[i];
      if (i + 1 < kColumns) line += std::string(widths[i] - row[i].size(), ' ');
    }
    text += line + "\n";
  }
  return text;
}

// The quantized nodes of the graph, by op_type: how many there are, and how many of them
// belong to a part that is judged.
struct NodeCount {
  int64_t all = 0;
  int64_t judged = 0;
};

std::map<std::string, NodeCount> CountNodes(const ModelFile& file,
                                            const PartsOfModel& parts) {
  std::set<size_t> judged;
  for (const Part& part : parts.parts) {
    if (part.not_judged.empty()) judged.insert(part.nodes.begin(), part.nodes.end());
  }
  std::map<std::string, NodeCount> counts;
  for (size_t i = 0; i < file.nodes().size(); ++i) {
    if (!IsQuantized(file.nodes()[i])) continue;
    NodeCount& count = counts[file.nodes()[i].node.op_type];
    ++count.all;
    count.judged += judged.contains(i) ? 1 : 0;
  }
  return counts;
}

std::string TypesText(const Part& part) {
  return part.types.empty() ? "-" : Joined(part.types, "-");
}

// The cell that a part belongs to, or else its family.
std::string CellText(const Part& part) {
  if (part.cell) return CellId(*part.cell);
  return part.family.empty() ? "none" : "none; family " + part.family;
}

// Nodes of the bodies of If, Loop and Scan; those of functions are counted with these.
std::string NestedText(const ModelFile& file) {
  const std::vector<std::string> operators = OperatorsInUse();
  int64_t nested = 0;
  int64_t quantized = 0;
  for (const NestedNode& node : file.nested()) {
    if (node.where.starts_with("function ")) continue;
    ++nested;
    if (node.domain.empty()) quantized += std::ranges::count(operators, node.op_type);
  }
  if (nested == 0) return "";
  return Counted(nested, "node") +
         " besides Constant inside of others (bodies of If, Loop, Scan), " +
         std::to_string(quantized) + " of them quantized\n";
}

std::string HeadText(const ModelFile& file,
                     const std::map<std::string, NodeCount>& nodes) {
  std::string text = OneLine(file.path().string()) + ": ";
  text += file.ir_version() > 0 ? "IR version " + std::to_string(file.ir_version())
                                : "no IR version";
  text += file.opset_version() > 0
              ? ", opset_version " + std::to_string(file.opset_version())
              : ", ONNX's own operators are not imported";
  std::vector<std::string> domains;
  for (const auto& [domain, version] : file.opset_imports()) {
    if (!domain.empty())
      domains.push_back(OneLine(domain + " " + std::to_string(version)));
  }
  if (!domains.empty()) text += " (" + Joined(domains, ", ") + ")";
  int64_t quantized = 0;
  for (const auto& [op_type, count] : nodes) quantized += count.all;
  text += "\n" + Counted(std::ssize(file.nodes()), "node");
  if (file.constant_nodes() > 0) {
    text +=
        " and " + Counted(static_cast<int64_t>(file.constant_nodes()), "Constant node");
  }
  text += ", " + std::to_string(quantized) + " of them quantized";
  if (!nodes.empty()) {
    text += ": " + Joined(nodes, ", ", [](const auto& one) {
              return std::to_string(one.second.all) + " " + OneLine(one.first);
            });
  }
  text += "\n" + NestedText(file);
  if (!file.functions().empty()) {
    text +=
        Counted(std::ssize(file.functions()), "function") + " of the model: " +
        Joined(file.functions(), ", ",
               [](const FileFunction& function) {
                 return OneLine((function.domain.empty() ? "" : function.domain + ".") +
                                function.name) +
                        " (" + Counted(static_cast<int64_t>(function.nodes), "node") +
                        ")";
               }) +
        "\n";
  }
  return text;
}

std::string JudgedText(const PartsOfModel& parts,
                       const std::map<std::string, NodeCount>& nodes) {
  using Kind = std::array<std::string, 4>;
  std::vector<std::pair<Kind, int64_t>> kinds;  // in the order of their first part
  int64_t judged = 0;
  for (const Part& part : parts.parts) {
    if (!part.not_judged.empty()) continue;
    ++judged;
    Kind kind{part.graph, TypesText(part), part.granularity, CellText(part)};
    const auto found = std::ranges::find(kinds, kind, &std::pair<Kind, int64_t>::first);
    if (found == kinds.end()) {
      kinds.emplace_back(std::move(kind), 1);
    } else {
      ++found->second;
    }
  }
  if (judged == 0) return "\nNo part of it is judged.\n";
  std::vector<std::array<std::string, 5>> rows;
  rows.push_back({"parts", "operator or graph", "types", "granularity", "cell"});
  for (const auto& [kind, count] : kinds) {
    rows.push_back({std::to_string(count), kind[0], kind[1], kind[2], kind[3]});
  }
  NodeCount sum;
  for (const auto& [op_type, count] : nodes) {
    sum.all += count.all;
    sum.judged += count.judged;
  }
  return "\nJudged, " + Counted(judged, "part") + " with " +
         (sum.judged == sum.all ? "all quantized nodes"
                                : std::to_string(sum.judged) + " of the " +
                                      Counted(sum.all, "quantized node")) +
         ":\n" + Table(rows);
}

std::string NotJudgedText(const PartsOfModel& parts) {
  using Kind = std::array<std::string, 2>;
  std::vector<std::pair<Kind, std::vector<std::string>>> kinds;  // names
  int64_t count = 0;
  for (const Part& part : parts.parts) {
    if (part.not_judged.empty()) continue;
    ++count;
    Kind kind{part.graph, part.not_judged};
    auto found =
        std::ranges::find(kinds, kind, &std::pair<Kind, std::vector<std::string>>::first);
    if (found == kinds.end()) {
      kinds.push_back({std::move(kind), {}});
      found = kinds.end() - 1;
    }
    found->second.push_back(part.name);
  }
  if (count == 0) return "";
  constexpr size_t kMostNames = 3;
  std::vector<std::array<std::string, 4>> rows;
  rows.push_back({"parts", "operator or graph", "names", "why"});
  for (const auto& [kind, names] : kinds) {
    const std::vector<std::string> shown(
        names.begin(), names.begin() + std::min(names.size(), kMostNames));
    rows.push_back({std::to_string(names.size()), kind[0],
                    Joined(shown, ", ") + (names.size() > kMostNames ? ", ..." : ""),
                    kind[1]});
  }
  return "\nNot judged, " + Counted(count, "part") + ":\n" + Table(rows);
}

std::string RestText(const ModelFile& file, const PartsOfModel& parts,
                     const std::map<std::string, NodeCount>& nodes) {
  std::string text;
  int64_t others = 0;
  for (const auto& [op_type, count] : parts.others) others += count;
  if (others > 0 && !nodes.empty()) {
    text += "\n" + Counted(others, "node") +
            " between them that quantize nothing, and are not judged: " +
            Joined(parts.others, ", ",
                   [](const auto& one) {
                     return std::to_string(one.second) + " " + OneLine(one.first);
                   }) +
            "\n";
  }
  const bool has_quantized_part = std::ranges::any_of(parts.parts, [](const Part& part) {
    return part.nodes.empty() && part.graph.find('.') == std::string::npos;
  });
  if (nodes.empty() && !has_quantized_part) {
    text += "\nThe model has no quantization operator of ONNX (" +
            Joined(OperatorsInUse(), ", ") + "): there is nothing to judge.\n";
  }
  if (!parts.unclaimed_constants.empty()) {
    int64_t constants = 0;
    for (const auto& [op_type, count] : parts.unclaimed_constants) constants += count;
    text += "\n" + Counted(constants, "constant") +
            " of at most 8 bits an element, read by " +
            Joined(parts.unclaimed_constants, ", ",
                   [](const auto& one) {
                     return OneLine(one.first) + " (" + std::to_string(one.second) + ")";
                   }) +
            ": integers without quantization operators, whose meaning the model does not "
            "say\n";
  }
  if (!file.checker().empty()) {
    text += "\nONNX's checker rejects the model: " + OneLine(file.checker()) + "\n";
  }
  return text;
}

Json PartJson(const ModelFile& file, const Part& part) {
  Json json = Json::object();
  json["name"] = part.name;
  json["graph"] = part.graph;
  Json nodes = Json::array();
  for (const size_t node : part.nodes) {
    const FileNode& read = file.nodes()[node];
    Json one = Json::object();
    one["op_type"] = read.node.op_type;
    one["domain"] = read.node.domain;
    one["name"] = read.name;
    nodes.push_back(std::move(one));
  }
  json["nodes"] = std::move(nodes);
  json["outputs"] = part.outputs;
  json["types"] = part.types;
  json["granularity"] = part.granularity;
  json["family"] = part.family;
  json["cell"] = part.cell ? Json(CellId(*part.cell)) : Json();
  json["judged"] = part.not_judged.empty();
  if (!part.not_judged.empty()) json["not_judged"] = part.not_judged;
  if (part.is_invalid) json["invalid"] = true;
  return json;
}

}  // namespace

std::string ListingText(const ModelFile& file, const PartsOfModel& parts) {
  const auto nodes = CountNodes(file, parts);
  return HeadText(file, nodes) + JudgedText(parts, nodes) + NotJudgedText(parts) +
         RestText(file, parts, nodes);
}

std::string ListingJson(const ModelFile& file, const PartsOfModel& parts) {
  Json json = Json::object();
  json["file"] = file.path().string();
  json["ir_version"] = file.ir_version();
  json["opset_imports"] = file.opset_imports();
  json["nodes"] = file.nodes().size();
  json["constant_nodes"] = file.constant_nodes();
  json["nested_nodes"] = file.nested().size();
  Json quantized = Json::object();
  for (const auto& [op_type, count] : CountNodes(file, parts)) {
    quantized[op_type] = Json{{"nodes", count.all}, {"judged", count.judged}};
  }
  json["quantized"] = std::move(quantized);
  Json listed = Json::array();
  for (const Part& part : parts.parts) listed.push_back(PartJson(file, part));
  json["parts"] = std::move(listed);
  json["others"] = parts.others;
  json["unclaimed_constants"] = parts.unclaimed_constants;
  Json functions = Json::array();
  for (const FileFunction& function : file.functions()) {
    functions.push_back(Json{
        {"domain", function.domain}, {"name", function.name}, {"nodes", function.nodes}});
  }
  json["functions"] = std::move(functions);
  if (!file.checker().empty()) json["checker"] = file.checker();
  return Dump(json, 2) + "\n";
}

std::vector<std::string> CellsOfParts(const PartsOfModel& parts) {
  std::set<std::string> used;
  for (const Part& part : parts.parts) {
    if (part.cell && part.not_judged.empty()) used.insert(CellId(*part.cell));
  }
  std::vector<std::string> ids = LatticeIds();
  std::erase_if(ids, [&](const std::string& id) { return !used.contains(id); });
  return ids;
}

}  // namespace qconform
