#include "cmake/include_directions/rules.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string_view>

#include "cmake/include_directions/source_text.h"

namespace qconform {
namespace {

// --- which folder may include which
// -----------------------------------------------------

struct Room {
  std::string_view folder;
  std::vector<std::string_view> may_include;  // itself left out
};

// The longest folder that a file lies in counts; a source that lies in none is a
// violation.
const std::vector<Room>& Rooms() {
  static const std::vector<Room> rooms = [] {
    std::vector<Room> all{
        {"oracle/base", {}},
        {"oracle/tensor", {"oracle/base"}},
        {"oracle/formats", {"oracle/tensor", "oracle/base"}},
        {"oracle/core", {"oracle/formats", "oracle/tensor", "oracle/base"}},
        {"oracle/matmul",
         {"oracle/core", "oracle/formats", "oracle/tensor", "oracle/base"}},
        {"oracle/requantization",
         {"oracle/matmul", "oracle/core", "oracle/formats", "oracle/tensor",
          "oracle/base"}},
        {"oracle/convolution",
         {"oracle/matmul", "oracle/core", "oracle/formats", "oracle/tensor",
          "oracle/base"}},
        {"oracle/operators",
         {"oracle/convolution", "oracle/requantization", "oracle/matmul", "oracle/core",
          "oracle/formats", "oracle/tensor", "oracle/base"}},
        {"oracle/graphs",
         {"oracle/convolution", "oracle/requantization", "oracle/matmul", "oracle/core",
          "oracle/formats", "oracle/tensor", "oracle/base"}},
        {"oracle/exact",
         {"oracle/base"}},  // the judge shares nothing, or a bug passes twice
        {"cases", {"oracle/formats", "oracle/tensor", "oracle/base"}},
        {"reports", {"oracle/tensor", "oracle/base"}},
        {"harness/backends/simd", {"oracle/tensor", "oracle/base"}},
    };
    // Inside of harness, each may include those before it.
    std::vector<std::string_view> below{"cases",       "reports",        "oracle/graphs",
                                        "oracle/core", "oracle/formats", "oracle/tensor",
                                        "oracle/base"};
    all.push_back({"harness/core", below});
    below.push_back("harness/core");
    all.push_back({"harness/parts", below});
    below.push_back("harness/parts");
    below.push_back("harness/backends/simd");
    std::vector<std::string_view> operators = below;
    operators.push_back("oracle/matmul");
    operators.push_back("oracle/requantization");
    operators.push_back("oracle/convolution");
    for (const std::string_view room :
         {"harness/matmul", "harness/convolution", "harness/integer_sums",
          "harness/quantization", "harness/requantization"}) {
      all.push_back({room, operators});
      operators.push_back(room);
    }
    operators.push_back("oracle/operators");
    all.push_back({"harness/operators", operators});
    all.push_back({"harness/graphs", operators});
    for (const std::string_view room :
         {"harness/backends", "harness/compare", "harness/diagnosis", "harness/explain",
          "harness/runner/shrink", "harness/runner/ask", "harness/runner/judge",
          "harness/runner", "harness/runner/suites", "harness/reference_path"}) {
      all.push_back({room, below});
      below.push_back(room);
    }
    std::vector<std::string_view> siblings = below;
    for (const std::string_view room :
         {"harness/certificate", "harness/faults", "harness/sweep", "harness/gtest"}) {
      all.push_back({room, below});
      siblings.push_back(room);
    }
    all.push_back({"harness/cli", siblings});
    return all;
  }();
  return rooms;
}

// The headers of a third party, and the folders that may include them.
struct Party {
  std::string_view prefix;
  std::vector<std::string_view> folders;
};

const Party kParties[] = {
    {"hwy/", {"harness/backends/simd"}},
    {"onnx/", {"cases/model", "cases/lattice"}},
    {"google/protobuf/", {"cases/model", "cases/lattice", "harness/backends/process"}},
    {"nlohmann/", {"oracle/base"}},
    {"openssl/", {"harness/certificate"}},
    {"gmp", {"oracle/exact"}},
    {"CLI/", {"harness/cli"}},
    {"onnxruntime", {"harness/backends/onnxruntime"}},
};

// Those of tests; harness/gtest is a library for the tests of others.
constexpr std::string_view kTestParties[] = {"gtest/", "gmock/", "rapidcheck",
                                             "benchmark/", "valijson/"};

constexpr std::string_view kGeneratedHeaders[] = {"qconform_version_made.h",
                                                  "worker.pb.h"};

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool LiesIn(std::string_view path, std::string_view folder) {
  return StartsWith(path, folder) && path.size() > folder.size() &&
         path[folder.size()] == '/';
}

const Room* RoomOf(std::string_view path) {
  const Room* longest = nullptr;
  for (const Room& room : Rooms()) {
    if (LiesIn(path, room.folder) &&
        (longest == nullptr || room.folder.size() > longest->folder.size()))
      longest = &room;
  }
  return longest;
}

// Tests, benchmarks, fuzzers and what only they use may include and name everything.
bool IsForTests(const std::string& path) {
  static const std::regex pattern(
      R"((_test|_benchmark|_fuzz)\.(cc|c|py|js|mjs)$|(^|/)testing/)");
  return std::regex_search(path, pattern);
}

std::string Join(const std::vector<std::string_view>& words) {
  std::string joined;
  for (const std::string_view word : words) {
    if (!joined.empty()) joined += ", ";
    joined += word;
  }
  return joined;
}

// Returns the operator in whose folder a file lies, or "".
std::string OperatorOf(const std::string& path, const std::set<std::string>& operators) {
  static const std::regex pattern(
      R"(^(oracle|oracle/exact|cases|harness)/operators/([^/]+)/|^harness/backends/simd/([^/]+)/)");
  std::smatch match;
  if (!std::regex_search(path, match, pattern)) return "";
  const std::string word = match[2].matched ? match[2] : match[3];
  return operators.count(word) > 0 ? word : "";
}

// Returns why a file may not include a header, or "".
std::string WhyNot(const std::string& file, const std::string& header) {
  if (IsForTests(header)) return "only tests include test helpers";
  for (const std::string_view party : kTestParties) {
    if (StartsWith(header, party) && !LiesIn(file, "harness/gtest"))
      return "only tests and benchmarks include " + std::string(party);
  }
  for (const Party& party : kParties) {
    if (!StartsWith(header, party.prefix)) continue;
    for (const std::string_view folder : party.folders) {
      if (LiesIn(file, folder)) return "";
    }
    return std::string(party.prefix) + " is private to " + Join(party.folders);
  }
  static const std::regex ours("^(oracle|cases|reports|harness)/");
  if (!std::regex_search(header, ours)) return "";  // the standard library and the system
  const Room* from = RoomOf(file);
  const Room* to = RoomOf(header);
  if (to == nullptr) return "no rule says what its folder is";
  if (from == to || std::find(from->may_include.begin(), from->may_include.end(),
                              to->folder) != from->may_include.end())
    return "";
  return std::string(from->folder) + " may not include " + std::string(to->folder);
}

// --- what only the folder of an operator may know
// ---------------------------------------

struct Knowledge {
  std::set<std::string> operators;  // the words of the folders
  std::set<std::string> names;      // op_types and words
  std::set<std::string> clause_prefixes;
  std::set<int> since_versions;
};

std::string OpType(const std::string& word) {
  std::string name;
  bool upper = true;
  for (const char c : word) {
    if (c != '_') name += upper ? static_cast<char>(std::toupper(c)) : c;
    upper = c == '_';
  }
  return name;
}

Language LanguageOf(const std::string& path) {
  if (path.size() > 3 && path.substr(path.size() - 3) == ".py") return Language::kPython;
  if (path.size() > 3 && path.substr(path.size() - 2) == "js")
    return Language::kJavaScript;
  return Language::kCpp;
}

const std::regex& ListOfNumbers() {
  static const std::regex pattern(R"([{[(]\s*([0-9]+(\s*,\s*[0-9]+)+)\s*,?\s*[}\])])");
  return pattern;
}

std::vector<int> NumbersIn(const std::string& text) {
  static const std::regex number("[0-9]+");
  std::vector<int> numbers;
  for (std::sregex_iterator at(text.begin(), text.end(), number), end; at != end; ++at) {
    numbers.push_back(at->str().size() > 6 ? -1 : std::stoi(at->str()));
  }
  return numbers;
}

bool IsIncreasing(const std::vector<int>& numbers) {
  return std::adjacent_find(numbers.begin(), numbers.end(), std::greater_equal<int>()) ==
         numbers.end();
}

// Reads it from the folders of the oracle's operators: nobody has to keep a list.
Knowledge KnowledgeOf(const std::vector<TreeFile>& tree) {
  static const std::regex folder("^(oracle|cases|harness)/operators/([^/]+)/");
  static const std::regex clause("^([A-Z]{2,})-[0-9]{2}$");
  Knowledge known;
  for (const TreeFile& file : tree) {
    std::smatch match;
    if (!std::regex_search(file.path, match, folder)) continue;
    known.operators.insert(match[2]);
    known.names.insert(match[2]);
    known.names.insert(OpType(match[2]));
    if (match[1] != "oracle" || IsForTests(file.path) || !IsSource(file.path)) continue;
    const SourceText source = ReadSource(file.text, LanguageOf(file.path));
    for (const StringLiteral& literal : source.strings) {
      if (std::regex_match(literal.text, match, clause))
        known.clause_prefixes.insert(match[1].str() + "-");
    }
    if (file.path.find("/clauses") == std::string::npos) continue;
    for (std::sregex_iterator at(source.code.begin(), source.code.end(), ListOfNumbers()),
         end;
         at != end; ++at) {
      const std::vector<int> numbers = NumbersIn((*at)[1]);
      if (IsIncreasing(numbers))
        known.since_versions.insert(numbers.begin(), numbers.end());
    }
  }
  return known;
}

// Whether a word of `text` begins with `word`.
bool HasWord(const std::string& text, const std::string& word) {
  for (size_t at = text.find(word); at != std::string::npos;
       at = text.find(word, at + 1)) {
    if (at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0)
      return true;
  }
  return false;
}

// The same with a digit after it.
bool HasNumbered(const std::string& text, const std::string& prefix) {
  for (char digit = '0'; digit <= '9'; ++digit) {
    if (HasWord(text, prefix + digit)) return true;
  }
  return false;
}

class FileCheck {
 public:
  FileCheck(const TreeFile& file, const Knowledge& known, std::vector<Violation>& found)
      : file_(file),
        known_(known),
        found_(found),
        source_(ReadSource(file.text, LanguageOf(file.path))) {}

  void CheckIncludes() {
    static const std::regex include(R"(#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"])");
    for (std::sregex_iterator at(file_.text.begin(), file_.text.end(), include), end;
         at != end; ++at) {
      const size_t start = static_cast<size_t>(at->position());
      if (source_.code[start] != '#') continue;  // in a comment or a string
      include_lines_.insert(LineOf(start));
      const std::string header = (*at)[1];
      const bool is_quoted = at->str().back() == '"';
      // Otherwise "../core/answer.h" would slip through.
      const bool is_bare =
          is_quoted && header.find('/') == std::string::npos &&
          std::find(std::begin(kGeneratedHeaders), std::end(kGeneratedHeaders), header) ==
              std::end(kGeneratedHeaders);
      if (header.find("../") != std::string::npos || is_bare) {
        Add(start, header + ": is not written from the project's root");
        continue;
      }
      const std::string why = WhyNot(file_.path, header);
      if (!why.empty()) {
        Add(start, header + ": " + why);
      } else if (IsOutside() && !IsJudgeOfGraphs() &&
                 !OperatorOf(header, known_.operators).empty()) {
        Add(start, header + ": is an operator's own");
      }
    }
  }

  void CheckKnowledge() {
    if (!IsOutside()) return;
    // The clauses of graphs refer to those of their nodes.
    if (file_.path == "oracle/graphs/clauses.cc") return;
    for (const StringLiteral& literal : source_.strings) {
      if (include_lines_.count(literal.line) > 0) continue;
      for (const std::string& prefix : known_.clause_prefixes) {
        // The name of a graph, "DQ-Relu-Q", may begin as a clause.
        const bool cites = IsOfGraphs() ? HasNumbered(literal.text, prefix)
                                        : HasWord(literal.text, prefix);
        if (cites) AddAt(literal.line, "a string cites " + prefix);
      }
    }
    if (IsOfGraphs()) return;
    for (const StringLiteral& literal : source_.strings) {
      if (include_lines_.count(literal.line) > 0) continue;
      for (const std::string& name : known_.names) {
        if (HasWord(literal.text, name)) AddAt(literal.line, "a string names " + name);
      }
    }
    for (const std::string& name : known_.names) {
      for (size_t at = source_.code.find(name); at != std::string::npos;
           at = source_.code.find(name, at + name.size())) {
        if (include_lines_.count(LineOf(at)) == 0) Add(at, "the code names " + name);
      }
    }
    for (std::sregex_iterator
             at(source_.code.begin(), source_.code.end(), ListOfNumbers()),
         end;
         at != end; ++at) {
      const std::vector<int> numbers = NumbersIn((*at)[1]);
      if (IsIncreasing(numbers) &&
          std::all_of(numbers.begin(), numbers.end(),
                      [&](int one) { return known_.since_versions.count(one) > 0; }))
        Add(static_cast<size_t>(at->position()),
            "a list of since_versions: " + at->str());
    }
    static const std::regex compared(
        R"(\bsince_version\s*(==|!=|<|>|<=|>=)\s*([0-9]{2,}))");
    AddEach(compared, "a since_version compared with a number: ");
    static const std::regex position(
        R"(\b(inputs|operands)_?(\(\))?(\[|\.at\()\s*[0-9]+\s*[\])])");
    AddEach(position, "the position of an operand: ");
  }

 private:
  bool IsOutside() const { return OperatorOf(file_.path, known_.operators).empty(); }

  // The judge of graphs composes the judges of operators, which have no registry.
  bool IsJudgeOfGraphs() const { return file_.path.starts_with("oracle/exact/graphs/"); }

  // Graphs are made of operators that they name; the operators' clauses are not theirs.
  bool IsOfGraphs() const {
    static const std::regex folder("^(oracle|oracle/exact|cases|harness)/graphs/");
    return std::regex_search(file_.path, folder);
  }

  void AddEach(const std::regex& pattern, const std::string& what) {
    for (std::sregex_iterator at(source_.code.begin(), source_.code.end(), pattern), end;
         at != end; ++at) {
      Add(static_cast<size_t>(at->position()), what + at->str());
    }
  }

  size_t LineOf(size_t position) const {
    const auto begin = source_.code.begin();
    return 1 + static_cast<size_t>(std::count(
                   begin, begin + static_cast<std::ptrdiff_t>(position), '\n'));
  }

  void Add(size_t position, std::string what) {
    AddAt(LineOf(position), std::move(what));
  }

  void AddAt(size_t line, std::string what) {
    found_.push_back({file_.path, line, std::move(what)});
  }

  const TreeFile& file_;
  const Knowledge& known_;
  std::vector<Violation>& found_;
  const SourceText source_;
  std::set<size_t> include_lines_;
};

void CheckSizes(const std::vector<TreeFile>& tree, std::vector<Violation>& found) {
  std::map<std::string, std::set<std::string>> entries;
  for (const TreeFile& file : tree) {
    std::string path = file.path;
    for (size_t slash = path.rfind('/'); slash != std::string::npos;
         slash = path.rfind('/')) {
      const std::string folder = path.substr(0, slash);
      entries[folder].insert(path.substr(slash + 1));
      path = folder;
    }
  }
  for (const auto& [folder, names] : entries) {
    if (names.size() > kMostEntries)
      found.push_back({folder, 0,
                       std::to_string(names.size()) + " entries; at most " +
                           std::to_string(kMostEntries) + " are easy to look through"});
  }
}

std::string SuffixOf(const std::string& path) {
  const size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(dot + 1);
}

}  // namespace

bool IsSource(const std::string& path) {
  static const std::set<std::string> suffixes{"h",     "cc", "c",   "hpp", "cpp",
                                              "proto", "js", "mjs", "py"};
  static const std::regex rooms("^(oracle|cases|reports|harness|python)/");
  return suffixes.count(SuffixOf(path)) > 0 && std::regex_search(path, rooms);
}

std::vector<Violation> FindViolations(const std::vector<TreeFile>& tree) {
  static const std::set<std::string> scripts{"proto", "js", "mjs", "py"};
  const Knowledge known = KnowledgeOf(tree);
  std::vector<Violation> found;
  for (const TreeFile& file : tree) {
    if (!IsSource(file.path) || IsForTests(file.path)) continue;
    FileCheck check(file, known, found);
    if (scripts.count(SuffixOf(file.path)) == 0) {
      if (RoomOf(file.path) == nullptr) {
        found.push_back({file.path, 0, "no rule says what this folder may include"});
        continue;
      }
      check.CheckIncludes();
    }
    // Plugins are examples of somebody else's code: those in C, and those in folders.
    static const std::regex plugins("^harness/backends/plugin/[^/]+/");
    const bool is_plugin =
        SuffixOf(file.path) == "c" || std::regex_search(file.path, plugins);
    if (!is_plugin) check.CheckKnowledge();
  }
  CheckSizes(tree, found);
  return found;
}

}  // namespace qconform
