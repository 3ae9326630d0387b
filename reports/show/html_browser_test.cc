// The HTML page in a real browser: headless Chromium loads it with a script
// behind it that uses it as a person would and writes down what it finds.
// Skipped where no Chromium is installed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "oracle/base/file.h"
#include "reports/diff/diff.h"
#include "reports/show/html.h"
#include "reports/testing/example_records.h"
#include "reports/testing/occurrences.h"

namespace qconform {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string Browser() {
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
    if (std::system(("command -v " + std::string(name) + " >/dev/null 2>&1").c_str()) ==
        0) {
      return name;
    }
  }
  return "";
}

struct Visit {
  std::string dom;
  std::string log;         // what the browser said, its console included
  nlohmann::json results;  // what the script found
};

// Loads the page with `script` behind it. The script sets members of `results`.
Visit Load(std::string page, const std::string& script, const std::string& hash = "",
           const std::string& flags = "") {
  const std::string behind =
      "<pre id=\"test-results\"></pre><script>{const results = {};"
      "const $ = s => document.querySelector(s);"
      "const $$ = s => [...document.querySelectorAll(s)];"
      "const press = (key, on = document.activeElement) => on.dispatchEvent("
      "new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));"
      "const choose = (key, value) => { const field ="
      "$(`[data-filter=\"${key}\"]`); field.value = value; field.dispatchEvent("
      "new Event(key === 'q' ? 'input' : 'change', {bubbles: true})); };"
      "const count = () => Number($('#count').dataset.count);" +
      script + "$('#test-results').textContent = JSON.stringify(results);}</script>";
  page.insert(page.rfind("</body>"), behind);
  const TemporaryDirectory directory;
  EXPECT_TRUE(WriteFileAtomically(directory / "page.html", page));
  const std::string in = directory.path().string();
  const std::string command =
      "HOME='" + in + "' timeout 120 " + Browser() +
      " --headless --no-sandbox --disable-gpu --disable-dev-shm-usage "
      "--disable-background-networking --no-first-run --user-data-dir='" +
      in +
      "/profile' "
      "--enable-logging=stderr --v=0 --virtual-time-budget=5000 "
      "--window-size=1400,1000 " +
      flags + " --dump-dom 'file://" + in + "/page.html" + hash + "' >'" + in +
      "/dom' 2>'" + in + "/log'";
  Visit visit;
  EXPECT_EQ(std::system(command.c_str()), 0);
  visit.dom = ReadFile(directory / "dom").value();
  visit.log = ReadFile(directory / "log").value();
  const std::string open = "<pre id=\"test-results\">";
  const size_t begin = visit.dom.rfind(open) + open.size();
  std::string json = visit.dom.substr(begin, visit.dom.find("</pre>", begin) - begin);
  for (size_t place = json.find("&amp;"); place != std::string::npos;
       place = json.find("&amp;")) {
    json.erase(place + 1, 4);
  }
  visit.results = nlohmann::json::parse(json, nullptr, false);
  EXPECT_FALSE(visit.results.is_discarded()) << visit.log;
  EXPECT_THAT(visit.log, Not(HasSubstr("CONSOLE")));
  return visit;
}

// Every verdict all over the lattice.
Report Mixed(int salt) {
  RunInfo run = ExampleRun();
  std::vector<CellRecord> cells = WholeLattice(Verdict::kConformant);
  for (size_t i = 0; i < cells.size(); i += 3) {
    const size_t verdict = (i / 3 * 7 + static_cast<size_t>(salt)) % kVerdictCount;
    cells[i] = ExampleCell(cells[i].op_type, cells[i].since_version, cells[i].types,
                           cells[i].granularity, AllVerdicts()[verdict]);
  }
  run.selection.cells = static_cast<int64_t>(cells.size());
  return *BuildReport(run, std::move(cells),
                      {ExampleNodeTest("a", NodeVerdict::kDeviates)}, true);
}

int64_t CountIf(const Report& report, auto predicate) {
  return std::count_if(report.cells.begin(), report.cells.end(), predicate);
}

TEST(HtmlInBrowser, Numbers_AreThoseOfTheReport) {
  const Report report = Mixed(0);
  const Visit visit = Load(HtmlText(report), R"(
    results.squares = $$('#maps .tile use').length;
    results.count = count();
    results.headline = $('#headline').textContent;
    results.chips = Object.fromEntries($$('.chip').map(chip => [chip.dataset.verdict, Number(chip.dataset.count)]));
    results.shown = {};
    for (const use of $$('#maps .tile use')) {
      const name = use.getAttribute('href').slice(3);
      results.shown[name] = (results.shown[name] || 0) + 1;
    }
    const digits = id => Number($(id).textContent.split('/')[0].replace(/\D/g, ''));
    results.passes = digits('#passes');
    results.deviations = digits('#deviations');
    results.cases = digits('#cases');
    results.elements = digits('#elements');
    results.loaded_ms = Math.round(performance.now());
  )");
  EXPECT_EQ(visit.results["squares"], 4772);
  EXPECT_EQ(visit.results["count"], 4772);
  for (const Verdict verdict : AllVerdicts()) {
    const std::string name(VerdictName(verdict));
    EXPECT_EQ(visit.results["chips"][name], report.totals.cells[verdict]) << name;
    EXPECT_EQ(visit.results["shown"][name], report.totals.cells[verdict]) << name;
  }
  EXPECT_EQ(visit.results["passes"], report.totals.cells.passes());
  EXPECT_EQ(visit.results["deviations"], report.totals.cells.deviations());
  EXPECT_EQ(visit.results["cases"], report.totals.cases);
  EXPECT_EQ(visit.results["elements"], report.totals.elements);
  RecordProperty("loaded_ms", visit.results["loaded_ms"].get<int>());
}

TEST(HtmlInBrowser, Filters_SelectTheCellsThatMatch) {
  const Report report = Mixed(0);
  const Visit visit = Load(HtmlText(report), R"(
    choose('y', 'INT4'); results.int4 = count();
    results.off = $$('#maps .tile use.off').length;
    choose('since', '25'); results.int4_25 = count();
    choose('g', 'blocked'); results.int4_25_blocked = count();
    $('#reset').click(); results.reset = count();
    choose('op', 'QLinearMatMul'); choose('x', 'INT8'); results.matmul_int8 = count();
    $('#reset').click();
    choose('q', 'ties_away float16-'); results.search = count();
    $('#reset').click();
    const start = performance.now();
    $('[data-verdict="nonconformant"]').click(); results.nonconformant = count();
    results.filter_ms = Math.round(performance.now() - start);
    results.focus_stays = document.activeElement === document.body || document.activeElement.dataset.verdict === 'nonconformant';
    $('[data-verdict="crashed"]').click(); results.two = count();
    results.rows = $$('#cells tbody tr').length;
    results.first = $('#cells tbody .verdict').textContent;
    results.hash = location.hash;
    $('#reset').click();
    choose('q', 'no such words'); results.none = count();
    results.none_text = $('#cells').textContent;
    choose('q', '');
    choose('tier', 'accumulator_overflow');
  )");
  const auto int4 = [](const CellRecord& cell) {
    return cell.output_type() == DataType::kInt4;
  };
  EXPECT_EQ(visit.results["int4"], CountIf(report, int4));
  EXPECT_EQ(visit.results["off"], 4772 - CountIf(report, int4));
  EXPECT_EQ(visit.results["int4_25"], CountIf(report, [&](const CellRecord& cell) {
              return int4(cell) && cell.since_version == 25;
            }));
  EXPECT_EQ(
      visit.results["int4_25_blocked"], CountIf(report, [&](const CellRecord& cell) {
        return int4(cell) && cell.since_version == 25 && cell.granularity == "blocked";
      }));
  EXPECT_EQ(visit.results["reset"], 4772);
  EXPECT_EQ(visit.results["matmul_int8"], CountIf(report, [](const CellRecord& cell) {
              return cell.op_type == "QLinearMatMul" && cell.types[1] == DataType::kInt8;
            }));
  EXPECT_EQ(visit.results["search"], CountIf(report, [](const CellRecord& cell) {
              return cell.diagnosis == "ties_away" &&
                     cell.cell.find("FLOAT16-") != std::string::npos;
            }));
  EXPECT_EQ(visit.results["nonconformant"], report.totals.cells[Verdict::kNonconformant]);
  EXPECT_EQ(visit.results["two"], report.totals.cells[Verdict::kNonconformant] +
                                      report.totals.cells[Verdict::kCrashed]);
  EXPECT_EQ(visit.results["rows"], 50);
  EXPECT_EQ(visit.results["first"], "crashed");
  EXPECT_THAT(visit.results["hash"], HasSubstr("v=nonconformant%2Ccrashed"));
  EXPECT_EQ(visit.results["none"], 0);
  EXPECT_THAT(visit.results["none_text"], HasSubstr("No cell matches"));
  RecordProperty("filter_ms", visit.results["filter_ms"].get<int>());
}

TEST(HtmlInBrowser, Keys_MoveOpenAndClose) {
  const Visit visit = Load(HtmlText(Mixed(0)), R"(
    results.tab_stops = $$('#maps .tile').filter(tile => tile.tabIndex === 0).length;
    const first = $('#maps .tile'); first.focus();
    results.label = first.getAttribute('aria-label');
    press('ArrowRight'); const second = document.activeElement;
    results.right = second.dataset.tile;
    press('ArrowDown'); results.down = document.activeElement.dataset.tile;
    press('ArrowUp'); press('ArrowLeft'); results.back = document.activeElement === first;
    press('End'); results.end = document.activeElement.dataset.tile;
    const last = document.activeElement; last.click();
    results.opened = document.activeElement.className;
    const picks = $$('#panel .pick'); results.picks = picks.length;
    press('ArrowRight'); results.moved = document.activeElement === picks[1];
    document.activeElement.click();
    results.cell = $('#panel h2').textContent;
    results.pressed = $$('#panel .pick[aria-pressed="true"]').length;
    results.focus_stays = document.activeElement.dataset.cell;
    press('Escape');
    results.closed = $('#panel').classList.contains('empty');
    results.focus_returns = document.activeElement === last;
    press('/', document.body); results.search = document.activeElement.dataset.filter;
  )");
  EXPECT_EQ(visit.results["tab_stops"], 2);  // one for each operator
  EXPECT_THAT(visit.results["label"], HasSubstr("UINT8, since_version 10, per_tensor: "));
  EXPECT_EQ(visit.results["right"], "QuantizeLinear/13/per_tensor/UINT8");
  EXPECT_EQ(visit.results["down"], "QuantizeLinear/13/per_tensor/INT8");
  EXPECT_EQ(visit.results["back"], true);
  EXPECT_EQ(visit.results["end"], "QuantizeLinear/25/blocked/FLOAT4E2M1");
  EXPECT_EQ(visit.results["opened"], "pick");
  EXPECT_EQ(visit.results["picks"], 20);
  EXPECT_EQ(visit.results["moved"], true);
  EXPECT_THAT(visit.results["cell"], HasSubstr("QuantizeLinear/25/"));
  EXPECT_EQ(visit.results["pressed"], 1);
  EXPECT_EQ(visit.results["focus_stays"], visit.results["cell"]);
  EXPECT_EQ(visit.results["closed"], true);
  EXPECT_EQ(visit.results["focus_returns"], true);
  EXPECT_EQ(visit.results["search"], "q");
}

TEST(HtmlInBrowser, Evidence_HasBitsValuesFormulaAndReplayLine) {
  RunInfo run = ExampleRun();
  run.selection.cells = 1;
  const CellRecord cell = ExampleCell(
      "QuantizeLinear", 21, {DataType::kFloat, DataType::kFloat, DataType::kUint8},
      "blocked", Verdict::kNonconformant);
  const Report report = *BuildReport(run, {cell}, {}, true);
  KnownDifference entry;
  entry.cells = {"*"};
  entry.verdict = Verdict::kNonconformant;
  entry.reason = "being mended";
  const KnownOutcome known = ApplyKnownDifferences({entry}, report, "2026-08-01");
  const HtmlOptions options{.known = &known,
                            .explanations = {{"ties_away", "half goes away from zero"},
                                             {"QL-10", "round, then add"}}};
  const Visit visit = Load(HtmlText(report, options), R"(
    $('#maps .tile').click();
    results.text = $('#panel').textContent;
    results.replay = $('#panel .copy code').textContent;
    results.marked = $$('#panel mark').map(mark => mark.textContent);
    results.operands = [...$('#panel .operands').rows].map(row => [...row.cells].map(cell => cell.textContent));
    results.listed = $('#cells tbody tr').textContent;
  )");
  const std::string text = visit.results["text"];
  for (const char* words :
       {"ties_away", "half goes away from zero", "clause QL-10", "round, then add",
        "being mended", "123\u202f456", "-158.5 (-0x1.3dp+7)"}) {
    EXPECT_THAT(text, HasSubstr(words));
  }
  for (const char* words : {"half goes away from zero", "round, then add"}) {
    EXPECT_EQ(Occurrences(text, words), 1u) << words;
  }
  // The decimal value comes before the bits.
  EXPECT_EQ(visit.results["operands"],
            (nlohmann::json{{"x FLOAT", "2.5", "0x40200000"},
                            {"y_scale FLOAT", "1", "0x3f800000"},
                            {"y_zero_point UINT8", "128", "0x80"},
                            {"expected", "130", "0x82"},
                            {"actual", "131", "0x83"}}));
  EXPECT_THAT(visit.results["listed"],
              HasSubstr("y[0,3]: expected 130 (0x82), actual 131 (0x83)"));
  EXPECT_EQ(visit.results["replay"], cell.counterexamples[0].replay);
  EXPECT_EQ(visit.results["marked"], (nlohmann::json{"2", "3", "-159", "2", "3"}));
}

TEST(HtmlInBrowser, TwoReports_StandSideBySideAndTheirChangesAreCounted) {
  const Report after = Mixed(0);
  const Report before = Mixed(1);
  const Visit visit = Load(HtmlText(after, {.beside = &before}), R"(
    results.figures = $$('#maps figure').length;
    results.squares = $$('#maps .tile use').length;
    choose('view', 'changes');
    results.changes = {};
    for (const use of $$('#maps .tile use')) {
      const name = use.getAttribute('href').slice(3);
      results.changes[name] = (results.changes[name] || 0) + 1;
    }
    choose('change', 'regressed'); results.regressions = count();
    $('#cells .link').click();
    results.tags = $$('#panel .tag').map(tag => tag.textContent);
  )",
                           "#view=both");
  EXPECT_EQ(visit.results["figures"], 4);
  EXPECT_EQ(visit.results["squares"], 2 * 4772);
  EXPECT_EQ(visit.results["tags"].size(), 2u);
  int64_t sum = 0;
  for (const auto& [name, count] : visit.results["changes"].items())
    sum += count.get<int64_t>();
  EXPECT_EQ(sum, 4772);
  EXPECT_EQ(visit.results["changes"]["regressed"], visit.results["regressions"]);
  std::map<std::string, int64_t> counts;  // of the kind that comes first
  for (const CellChange& change : DiffReports(before, after).cells) {
    ++counts[std::string(ChangeKindName(change.kinds.front()))];
  }
  for (const ChangeKind kind : kChangeKinds) {
    const std::string name(ChangeKindName(kind));
    EXPECT_EQ(visit.results["changes"].value(name, int64_t{0}), counts[name]) << name;
  }
}

TEST(HtmlInBrowser, ATierThatIsWorse_AndModelsThatCrash_AreSeen) {
  RunInfo run = ExampleRun();
  run.selection.cells = 2;
  const CellRecord same = ExampleCell(
      "QuantizeLinear", 21, {DataType::kFloat, DataType::kFloat, DataType::kInt8},
      "blocked", Verdict::kConformant);
  CellRecord cell = ExampleCell("QuantizeLinear", 21,
                                {DataType::kFloat, DataType::kFloat, DataType::kUint8},
                                "blocked", Verdict::kNonconformant);
  cell.forms = {{"inputs",
                 {{"regular", Verdict::kConformant},
                  {"degenerate_scale", Verdict::kNonconformant}}}};
  CellRecord worse = cell;
  worse.forms[0].tiers[0].verdict = Verdict::kNonconformant;
  const NegativeRecord crashed{"QuantizeLinear@21/odd",  "invalid",   "QL-34",
                               "QuantizeLinear",         21,          "load",
                               NegativeResult::kCrashed, "died of it"};
  const Report before = *BuildReport(run, {cell, same}, {}, true);
  const Report after =
      *BuildReport(run, {worse, same}, {ExampleNodeTest("test_a", NodeVerdict::kError)},
                   true, {crashed});
  EXPECT_EQ(DiffReports(before, after).Count(ChangeKind::kRegressed), 1);
  const Visit visit = Load(HtmlText(after, {.beside = &before}), R"(
    choose('change', 'regressed'); results.regressions = count();
    results.headline = $('h1').textContent;
    results.text = document.body.textContent;
  )");
  EXPECT_EQ(visit.results["regressions"], 1);
  EXPECT_THAT(visit.results["headline"].get<std::string>(),
              HasSubstr("1 of 2 cells deviates, 1 node test deviates, 1 negative model "
                        "deviates"));
  EXPECT_THAT(visit.results["text"].get<std::string>(), HasSubstr("died of it"));
}

TEST(HtmlInBrowser, PhoneWidth_DoesNotScrollSideways) {
  const Visit visit = Load(HtmlText(Mixed(0)), R"(
    results.width = document.documentElement.scrollWidth;
    results.window = innerWidth;
    $('#cells .link').click();
    const box = $('#panel').getBoundingClientRect();
    results.panel_bottom = Math.round(box.bottom) === innerHeight;
    results.panel_width = document.documentElement.scrollWidth;
  )",
                           "", "--window-size=500,900");
  EXPECT_LE(visit.results["width"], visit.results["window"]);
  EXPECT_LE(visit.results["panel_width"], visit.results["window"]);
  EXPECT_EQ(visit.results["panel_bottom"], true);
}

TEST(HtmlInBrowser, LongNamesOfParts_FitAPhone) {
  const Report report = ExampleModelReport(
      {ExamplePart(
           "/model/conv4/interp/Resize_output_0_QuantizeLinear_of_the_second_branch", 0,
           Verdict::kConformant),
       ExamplePart("gemm", 1, Verdict::kConformant)});
  const Visit visit = Load(HtmlText(report), R"(
    const table = $('#cells table').getBoundingClientRect();
    results.right = Math.floor(table.right);
    results.window = innerWidth;
  )",
                           "", "--window-size=500,900");
  EXPECT_LE(visit.results["right"], visit.results["window"]);
}

TEST(HtmlInBrowser, ReportOfAModel_NamesItItsPartsAndItsWholeRun) {
  const Report report =
      ExampleModelReport({ExamplePart("/conv/Conv", 0, Verdict::kNonconformant),
                          ExamplePart("gemm", 1, Verdict::kConformant)});
  const Visit visit = Load(HtmlText(report), R"(
    results.headline = $('#headline').textContent;
    results.lead = $('.lead').textContent;
    results.model = $('#model').innerText;
    $('#model details').open = true;
    results.not_judged = $('#model details').innerText;
    results.parts = $$('#cells .link').map(link => link.textContent);
    results.list = $('#cells').innerText;
  )");
  EXPECT_THAT(visit.results["headline"], HasSubstr("1 of 2 parts deviates"));
  EXPECT_THAT(visit.results["lead"], HasSubstr("net.onnx"));
  EXPECT_THAT(
      visit.results["model"],
      AllOf(HasSubstr("The whole model on mine differs"),
            HasSubstr("output 'y': 1 of 2 elements differs"),
            HasSubstr("2 parts: domain com.microsoft"), Not(HasSubstr("attention2"))));
  EXPECT_THAT(visit.results["not_judged"], HasSubstr("attention2"));
  EXPECT_EQ(visit.results["parts"], nlohmann::json({"/conv/Conv", "gemm"}));
  EXPECT_THAT(visit.results["list"], HasSubstr("QuantizeLinear/21"));
}

TEST(HtmlInBrowser, StrangeWordsAndEmptyReports_AreNoProblem) {
  Report report = ExampleReport();
  report.cells[0].reason = "</script><img src=x onerror=document.title='bad'> <!--";
  Visit visit = Load(HtmlText(report),
                     "results.title = document.title; $('#cells .link').click();"
                     "results.text = $('#panel').textContent;");
  EXPECT_NE(visit.results["title"], "bad");
  visit = Load(HtmlText(*BuildReport(ExampleRun(), {}, {}, false)),
               "results.count = count(); results.text = $('#top').textContent;");
  EXPECT_EQ(visit.results["count"], 0);
  EXPECT_THAT(visit.results["text"], HasSubstr("Incomplete"));
  RunInfo nothing = ExampleRun();  // a shard without cells: nothing passed
  nothing.selection.cells = 0;
  visit = Load(HtmlText(*BuildReport(nothing, {}, {}, true)),
               "results.text = $('#top').textContent;");
  EXPECT_THAT(visit.results["text"], HasSubstr("0 of 0 cells pass"));
}

}  // namespace
}  // namespace qconform

// Tests that are all skipped would count as passed.
int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (qconform::Browser().empty()) {
    std::cout << "not run, because no Chromium is installed\n";
    return 77;
  }
  return RUN_ALL_TESTS();
}
