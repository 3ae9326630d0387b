#!/usr/bin/env python3
"""Uses the site of the published reports in Chromium as a person would: with links, keys, filters, a
narrow screen, and a report that is dropped onto it. Usage: site_page_test.py QCONFORM REPORTS_FOLDER

Exits with 77 if Chromium or Selenium is missing (script/bootstrap --with browser)."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import browser
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

PROGRAM, REPORTS = sys.argv[1], pathlib.Path(sys.argv[2])
ORT = REPORTS / "onnxruntime" / "1.30" / "default.QuantizeLinear.json"
BACKEND = "backend-onnxruntime-1.30.0-opt_level-all.html"


def qconform(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE, text=True, check=False)


class Site(browser.PageTest):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        source = cls.path / "reports"
        shutil.copytree(REPORTS, source, ignore=shutil.ignore_patterns("history"))
        releases = source / "history"
        releases.mkdir()
        qconform("report", "-q", ORT, "--compact", releases / "1.30.0.json")
        compact = json.loads((releases / "1.30.0.json").read_text())
        compact["backend"]["version"] = "1.29.0"
        for outcome in compact["outcomes"]:  # a release that declined what is wrong now
            if outcome.pop("findings", None):
                outcome["verdict"] = "unsupported"
        (releases / "1.29.0.json").write_text(json.dumps(compact, separators=(",", ":")))
        pages = REPORTS.parent.parent / "docs" / "findings"
        made = qconform("site", source, "-o", cls.path / "site", "--pages", pages)
        assert made.returncode == 0, made
        cls.start()

    def open(self, page="index.html", width=1280, scheme="light"):
        self.show(self.path / "site" / page, width, 900, scheme)

    def test_the_scoreboard_counts_what_the_reports_say(self):
        self.open(f"index.html#backends={BACKEND[len('backend-'):-len('.html')]}")
        cells = browser.report_of(PROGRAM, ORT)["results"]["totals"]["cells"]
        supported = cells["total"] - cells["unsupported"] - cells["untested"]
        passes = cells["conformant"] + cells["admissible"]
        row = next(row for row in self.all("#board tbody tr") if row.text.startswith("QuantizeLinear"))
        self.assertIn(f"{passes} of {supported}", row.text)

    def test_columns_are_chosen_and_stay_in_the_address(self):
        self.open()
        before = len(self.all("#board thead th"))
        self.one("#choose summary").click()
        box = next(box for box in self.all("#choose input") if box.is_selected())
        box.click()
        self.assertEqual(len(self.all("#board thead th")), before - 1)
        self.driver.refresh()
        self.assertEqual(len(self.all("#board thead th")), before - 1)

    def test_releases_of_a_history_are_columns(self):
        self.open("index.html#backends=onnxruntime@1.29.0,onnxruntime@1.30.0")
        heads = [head.text for head in self.all("#board thead th")]
        self.assertEqual(len(heads), 3)
        self.assertIn("1.29.0", heads[1])
        row = next(row for row in self.all("#board tbody tr") if row.text.startswith("QuantizeLinear"))
        old, new = row.find_elements(By.CSS_SELECTOR, ".score")
        passes = [score.text.split(" of ")[0].replace("\u202f", "") for score in (old, new)]
        self.assertEqual(passes[0], passes[1])  # the same passes, of fewer that are supported
        self.assertNotEqual(old.text, new.text)
        self.one("#board thead a").click()
        self.until(lambda: self.all("#history"))

    def test_a_cell_has_an_address_and_all_answers(self):
        report = browser.report_of(PROGRAM, ORT)
        cell = next(cell for cell in report["results"]["cells"] if cell["verdict"] == "nonconformant")
        self.open("operator-QuantizeLinear.html#" + cell["cell"].replace("/", "%2F"))
        text = self.one("#cell").text
        self.assertIn(cell["cell"], text.replace("\n", ""))
        self.assertIn("onnxruntime 1.30.0, opt_level=all", text)
        self.assertIn("onnxruntime-web 1.30.0", text)
        example = cell["counterexamples"][0]
        self.assertIn(example["actual"]["bits"], text)
        self.assertIn(example["replay"], text.replace("\n", " "))
        self.assertIn(example["clause"] + ": ", text)
        self.one("#cell #close").click()
        self.until(lambda: not self.all("#cell"))

    def test_cells_are_filtered_and_reached_by_keys(self):
        self.open("operator-QuantizeLinear.html")
        whole = int(self.one("#count").get_attribute("data-count"))
        self.one("#words").send_keys("int4 blocked")
        Select(self.one("#since")).select_by_value("21")
        found = int(self.one("#count").get_attribute("data-count"))
        self.assertTrue(0 < found < whole)
        links = [link.text.replace("\n", "") for link in self.all("tbody a")]
        self.assertEqual(len(links), found)
        self.assertTrue(all("INT4" in text and "blocked" in text for text in links))
        first = self.one("tbody a")
        self.driver.execute_script("arguments[0].focus()", first)
        first.send_keys(Keys.ENTER)
        self.until(lambda: self.all("#cell"))
        self.assertEqual(self.driver.switch_to.active_element.get_attribute("id"), "cell")

    def test_a_backend_leads_to_findings_cells_and_evidence(self):
        self.open(BACKEND)
        self.assertTrue(self.driver.execute_script(
            "return document.querySelector('.badges img').naturalWidth > 0"))
        box = self.one(".finding-box")
        box.find_element(By.TAG_NAME, "summary").click()
        self.until(lambda: box.find_elements(By.CSS_SELECTOR, ".cells a"))
        box.find_element(By.CSS_SELECTOR, ".cells a").click()
        self.until(lambda: self.all("#cell"))
        evidence = [link for link in self.all("#cell a") if "All evidence" in link.text]
        self.assertTrue(evidence)
        evidence[0].click()
        self.until(lambda: self.all("#panel .badge"))

    def test_a_finding_has_an_address(self):
        self.open("findings.html")
        identity = self.driver.execute_script(
            "document.querySelector('.finding-box').open = true;"
            "return document.querySelector('.finding-box') && 1")
        self.assertEqual(identity, 1)
        self.until(lambda: self.all(".finding-box .id code"))
        name = self.one(".finding-box .id code").get_attribute("textContent")
        self.open("findings.html#" + name.replace("/", "%2F").replace("+", "%2B"))
        self.assertIn(name, self.one("#finding").get_attribute("textContent"))

    def test_findings_are_said_and_found_in_words(self):
        said = "keeps 32 bits"
        for page in ("findings.html", "history-onnxruntime.html"):
            with self.subTest(page=page):
                self.open(page)
                whole = self.one("#count").text
                self.one("#words").send_keys("integer " + said)
                self.assertNotIn(self.one("#count").text, (whole, "0 findings"))
                self.assertTrue(all(said in one.text for one in self.all(".said")))

    def test_what_was_checked_by_hand_is_found_read_and_copied(self):
        self.open("backend-worker-opencv-5.0.0.93.html")
        self.assertIn("Gemm between DequantizeLinear and QuantizeLinear rounds ties away", self.one(".noted").text)
        self.open("findings.html")
        self.one("#words").send_keys("opencv gemm ties away")
        link = self.one(".noted a")
        link.click()
        self.until(lambda: self.all(".note h2"))
        self.assertIn("rounds ties away from zero", self.driver.switch_to.active_element.text)
        self.assertIn("qconform replay reports/published/opencv/5.0.0.93/cases/gemm_tie.json",
                      self.one(".note").text.replace("\n", " "))
        self.assertNotIn("```", self.one(".note").text)
        self.open("pages.html")
        for link in [link.get_attribute("href") for link in self.all(".note a")]:
            self.driver.get(link)
            self.until(lambda: self.all(".note h1"))
            text = self.one(".note").text
            self.assertFalse([word for word in ("](", "**", "<!--", "```") if word in text], link)

    def test_the_history_says_what_appeared(self):
        self.open("history-onnxruntime.html")
        self.assertEqual([head.text for head in self.all("#history thead th")],
                         ["finding", "1.29.0", "1.30.0"])
        self.assertIn("in 1.30.0", self.one("#history tbody th").text)
        self.assertIn("new: cells 0 ->", self.one("main").text)
        self.assertIn("newly supported, wrong", self.one("main").text)

    def drop(self, name, text):
        self.driver.execute_script("""
          const data = new DataTransfer();
          data.items.add(new File([arguments[1]], arguments[0], {type: "application/json"}));
          document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true}));
        """, name, text)

    def test_a_report_is_dropped_and_compared(self):
        self.open()
        self.drop("mine.json", ORT.read_text())
        labels = [option.text for option in Select(self.one("#beside")).options]
        self.until(lambda: self.all("#pairs"))
        Select(self.one("#beside")).select_by_index(labels.index("onnxruntime 1.30.0, opt_level=all"))
        self.until(lambda: "0 cells of both" in self.one("#comparison").text)
        Select(self.one("#beside")).select_by_index(labels.index("onnxruntime-web 1.30.0"))
        self.until(lambda: self.all("#differing tbody a"))
        self.one("#differing tbody a").click()
        self.until(lambda: self.all("#cell"))

    def test_what_is_no_report_is_an_error_in_words(self):
        self.open()
        for name, text in (("a.txt", "no JSON"), ("b.json", "{}"), ("c.json", '{"results":{}}')):
            self.drop(name, text)
            self.until(lambda name=name: f"{name}: expected a report of qconform"
                       in self.one("#comparison").text)

    def test_nothing_is_wider_than_a_phone(self):
        for page in ("index.html", "findings.html", "pages.html#opencv", BACKEND, "history-onnxruntime.html",
                     "operator-QuantizeLinear.html", "operator-graphs.sums.html"):
            with self.subTest(page=page):
                self.open(page, width=390, scheme="dark")
                self.assertLessEqual(
                    self.driver.execute_script("return document.documentElement.scrollWidth"), 390)

    def test_pages_have_the_theme_of_the_reader(self):
        for scheme, dark in (("light", False), ("dark", True)):
            self.open(scheme=scheme)
            color = self.driver.execute_script("return getComputedStyle(document.body).backgroundColor")
            self.assertEqual(sum(map(int, color[4:-1].split(","))) < 300, dark)
        self.one("#theme").click()
        self.assertEqual(self.driver.execute_script("return document.documentElement.dataset.theme"), "light")

    def test_nothing_is_loaded_from_elsewhere(self):
        for page in ("index.html", BACKEND, "operator-QuantizeLinear.html"):
            self.open(page)
            loaded = self.driver.execute_script(
                "return [...document.querySelectorAll('[src], link[href]')].map(one => one.src || one.href)")
            self.assertTrue(loaded)
            self.assertTrue(all(name.startswith("file:") for name in loaded), loaded)
            policy = self.one("meta[http-equiv]").get_attribute("content")
            self.assertIn("default-src 'none'", policy)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
