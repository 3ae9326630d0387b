#!/usr/bin/env python3
"""Uses the page of a published report in Chromium as a person would: with the mouse, keys,
links, downloads and the clipboard. Usage: page_test.py QCONFORM REPORTS_FOLDER

Exits with 77 if Chromium or Selenium is missing (script/bootstrap --with browser)."""

import base64
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import browser
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

PROGRAM, REPORTS = sys.argv[1], pathlib.Path(sys.argv[2])
ONE = [REPORTS / "onnxruntime" / "1.30" / f"default.{op}.json" for op in ("QuantizeLinear", "QLinearMatMul")]
WEB = REPORTS / "onnxruntime-web" / "1.30" / "QuantizeLinear.json"
HOSTILE = "</script><img src=x onerror=document.title='bad'> `x` | **b**"


def make_page(path, *reports):
    """The exit code is that of the reports' verdicts."""
    subprocess.run([PROGRAM, "report", *map(str, reports), "--html", str(path)],
                   stdout=subprocess.DEVNULL, check=False)


class Page(browser.PageTest):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        make_page(cls.path / "one.html", *ONE)
        make_page(cls.path / "two.html", ONE[0], WEB)
        cls.start(**{"download.default_directory": str(cls.path)})

    def open(self, name="one.html", width=1280, scheme="light", height=1000):
        self.show(self.path / name, width, height, scheme)

    def click(self, selector):
        element = self.one(selector)
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def count(self):
        return int(self.one("#count").get_attribute("data-count"))

    def issue(self, selector):
        """Clicks a button that copies, and returns what was copied."""
        self.driver.execute_script(
            "navigator.clipboard.writeText = async text => { window.copied = text; }")
        self.click(selector)
        return self.driver.execute_script("return window.copied")

    def test_parts_of_a_backend_are_one_page(self):
        self.open()
        rows = [browser.report_of(PROGRAM, path)["results"]["totals"]["cells"] for path in ONE]
        supported = sum(row["total"] - row["unsupported"] for row in rows)
        bad = ("crashed", "timed_out", "failed", "invalid_output", "nonconformant")
        deviating = sum(row.get(name, 0) for row in rows for name in bad)
        self.assertIn(f"{deviating} of {supported} supported cells deviate", self.one("h1").text)
        self.assertEqual(len(self.all("h1")), 1)
        self.assertEqual(len(self.all("#maps .card")), 2)
        self.assertEqual(self.count(), supported)  # less than half: only those are shown
        self.assertEqual(len(self.all("#maps .tile use")), supported)

    def test_graphs_are_drawn_and_settings_are_columns(self):
        report = self.path / "graphs.json"
        # The exit code is that of the verdicts.
        subprocess.run([PROGRAM, "run", "--backend", "simd", "--compose", "--vary", "threads=1,2",
                        "--cells", "graphs.sums/21/INT8-*/DQ,DQ-MatMul*", "--level", "smoke",
                        "--no-progress", "--report", str(report)],
                       stdout=subprocess.DEVNULL, check=False)
        make_page(self.path / "graphs.html", report)
        cells = json.loads(report.read_text())["results"]["cells"]
        graphs = {cell["granularity"] for cell in cells}
        self.open("graphs.html")
        heads = [head.text for head in self.all("table.graphs thead th")]
        self.assertEqual(heads, ["graph", "threads=1", "threads=2"])
        self.assertEqual(len(self.all("table.graphs tbody tr")), len(graphs))
        self.assertEqual(len(self.all("table.graphs use")), 2 * len(cells))
        # Two DequantizeLinear, MatMul, and for some QuantizeLinear.
        for drawing in self.all("table.graphs svg.graph"):
            names = [text.get_attribute("textContent")
                     for text in drawing.find_elements(By.CSS_SELECTOR, "text")]
            self.assertEqual(names[:3], ["DQ", "DQ", "MatMul"])
            self.assertIn(names[3:], ([], ["Q"]))
        self.click("table.graphs .tile")
        self.click("#panel .grid .pick")
        self.assertEqual(len(self.all("#panel svg.graph")), 1)
        settings = [cell.text for cell in self.all("#panel table.list td")]
        self.assertIn("threads=1", settings)
        self.assertIn("threads=2", settings)

    def test_clicked_filter(self):
        self.open()
        chip = self.one('.chip[data-verdict="crashed"]')
        wanted = int(chip.get_attribute("data-count"))
        self.click('.chip[data-verdict="crashed"]')
        self.assertEqual(self.count(), wanted)
        while self.all("#cells .more button"):  # a step of rows at a time
            self.click("#cells .more button")
        self.assertEqual(len(self.all("#cells tbody tr")), wanted)
        self.assertEqual(len(self.all("#maps .tile use:not(.off)")), wanted)
        self.assertIn("v=crashed", self.driver.current_url)

    def test_link_of_a_finding_filters_the_map(self):
        self.open()
        link = self.one(".findings li a")
        wanted = int("".join(filter(str.isdigit, link.text)))
        self.click(".findings li a")
        self.assertEqual(self.count(), wanted)
        self.assertEqual(len(self.all("#maps .tile use:not(.off)")), wanted)
        self.assertIn("#finding=", self.driver.current_url)
        self.assertTrue(self.driver.execute_script(
            "return document.querySelector('#filters').getBoundingClientRect().top < innerHeight"))
        self.driver.back()
        time.sleep(0.2)
        self.assertGreater(self.count(), wanted)

    def test_evidence_comes_into_view(self):
        for width, height in ((1280, 800), (390, 700)):
            with self.subTest(width=width):
                self.open(width=width, height=height)
                self.click(".findings .actions .actions button")
                top = self.driver.execute_script(
                    "return document.querySelector('#panel h2').getBoundingClientRect().top")
                self.assertGreaterEqual(top, 0)
                self.assertLess(top, height / 2)

    def test_map_on_a_phone_shows_what_matches(self):
        self.open(width=390, height=700)
        for link in range(len(self.all(".findings li a[href^='#finding']"))):
            self.driver.execute_script(
                "document.querySelectorAll(`.findings li a[href^='#finding']`)[arguments[0]].click()",
                link)
            time.sleep(0.2)
            shown = self.driver.execute_script("""
                return [...document.querySelectorAll('#maps .card:not([hidden])')].map(card => {
                  const box = card.querySelector('.scroll').getBoundingClientRect();
                  return [...card.querySelectorAll('use:not(.off)')].some(use => {
                    const { left, right } = use.getBoundingClientRect();
                    return left >= box.left && right <= box.right;
                  });
                });""")
            self.assertIn(True, shown)
            self.assertEqual(len(shown), 1)  # a finding is of one operator
            self.assertEqual(len(self.all("#maps .card:not([hidden]) .legend")), 1)

    def test_pattern_is_said_once(self):
        self.open()
        words = [text.split(": ", 1)[1] for one in self.all(".findings .why")
                 for text in one.text.split("What deviates")[1:]]
        self.assertEqual(len(words), len(set(words)))

    def test_whole_rows_are_clickable(self):
        self.open()
        self.click("#cells tbody td:last-child")
        self.assertEqual(self.one("#panel h2").text.replace("\n", ""),
                         self.one("#cells tbody .link").get_attribute("data-cell"))
        self.click("#tables tbody tr.go td:last-child")
        self.assertIn("tier=", self.driver.current_url)

    def test_downloaded_model(self):
        self.open()
        link = self.one(".findings a[download]")
        file = self.path / link.get_attribute("download")
        self.click(".findings a[download]")
        for _ in range(50):
            if file.exists():
                break
            time.sleep(0.1)
        data = file.read_bytes()
        self.assertEqual(data, base64.b64decode(link.get_attribute("href").split(",")[1]))
        self.assertTrue(data.startswith(b"\x08"))  # ModelProto's ir_version
        for name in (b"QuantizeLinear", b"x", b"y_scale"):
            self.assertIn(name, data)

    def test_copied_issue(self):
        self.open()
        text = self.issue(".findings .actions .actions button:nth-of-type(2)")
        for words in ("`onnxruntime`", "| `expected` |", "| `actual` |", "| `x` |", "Clause `QL-",
                      "    qconform replay ", "--backend onnxruntime", "--emit python", "1.30.0",
                      "QuantizeLinear/"):
            self.assertIn(words, text)
        self.assertTrue(text.startswith("# onnxruntime: QuantizeLinear to "), text[:80])
        self.assertNotIn("\n ", text.replace("\n    ", ""))

    def test_keyboard(self):
        self.open()
        body = self.one("body")
        body.send_keys("/")
        active = self.driver.switch_to.active_element
        self.assertEqual(active.get_attribute("data-filter"), "q")
        active.send_keys("ties_away_nowhere")
        self.assertEqual(self.count(), 0)
        active.send_keys(Keys.CONTROL, "a")
        active.send_keys(Keys.DELETE)
        self.driver.execute_script("document.querySelector('#maps .tile[tabindex=\"0\"]').focus()")
        first = self.driver.switch_to.active_element
        first.send_keys(Keys.ARROW_DOWN)
        tile = self.driver.switch_to.active_element
        self.assertNotEqual(tile.get_attribute("data-tile"), first.get_attribute("data-tile"))
        tile.send_keys(Keys.ENTER)
        self.assertNotIn("empty", self.one("#panel").get_attribute("class").split())
        self.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
        self.assertIn("empty", self.one("#panel").get_attribute("class").split())
        self.assertEqual(self.driver.switch_to.active_element, tile)
        link = self.one(".findings li a")
        self.driver.execute_script("arguments[0].focus()", link)
        link.send_keys(Keys.ENTER)
        self.assertIn("#finding=", self.driver.current_url)

    def test_dark_mode(self):
        color = "return getComputedStyle(document.body).backgroundColor"
        self.open(scheme="light")
        light = self.driver.execute_script(color)
        self.open(scheme="dark")
        dark = self.driver.execute_script(color)
        self.assertNotEqual(light, dark)
        self.click("#theme")
        self.assertEqual(self.driver.execute_script(color), light)
        self.click("#theme")
        self.assertEqual(self.driver.execute_script(color), dark)
        self.driver.execute_script("localStorage.clear()")

    def test_nothing_lies_outside_of_its_card(self):
        for name in ("one.html", "two.html"):
            for width in (390, 1280, 1920):
                with self.subTest(name=name, width=width):
                    self.open(name, width)
                    self.assertLessEqual(self.driver.execute_script(
                        "return document.documentElement.scrollWidth"), width)
                    outside = self.driver.execute_script("""
                        return [...document.querySelectorAll('.tables .card:not(.wide) td')]
                          .filter(td => td.getBoundingClientRect().right >
                                        td.closest('.scroll').getBoundingClientRect().right + 1)
                          .map(td => td.textContent);""")
                    self.assertEqual(outside, [])

    def test_two_reports(self):
        self.open("two.html")
        heads = [head.text for head in self.all("h1")]
        self.assertEqual(len(heads), 2)
        self.assertTrue(heads[0].startswith("A") and heads[1].startswith("B"), heads)
        # The suites of both are asked at one level.
        levels = {browser.report_of(PROGRAM, path)["results"]["suite"]["level"] for path in (ONE[0], WEB)}
        self.assertEqual(len(self.all("#asked-otherwise")), len(levels) - 1)
        button = self.one("#pairs [data-pair]")
        wanted = int("".join(filter(str.isdigit, button.text)))
        self.click("#pairs [data-pair]")
        self.assertEqual(self.count(), wanted)
        # Each cell is counted once.
        cells = browser.report_of(PROGRAM, ONE[0])["results"]["totals"]["cells"]["total"]
        self.assertEqual(cells, sum(int("".join(filter(str.isdigit, one.text)))
                                    for one in self.all("#pairs [data-pair]")))

    def test_reports_of_other_questions_are_marked(self):
        reports = [self.path / "seed1.json", self.path / "seed2.json"]
        for seed, (path, backend) in enumerate(zip(reports, ("simd", "faulty:ties_away")), 1):
            subprocess.run([PROGRAM, "run", "--backend", backend, "--level", "smoke", "--seed",
                            str(seed), "--cells", "QuantizeLinear/10/*", "-o", str(path), "-q"],
                           stdout=subprocess.DEVNULL, check=False)
        make_page(self.path / "seeds.html", *reports)
        self.open("seeds.html")
        self.assertIn("A was asked at seed 1, B at seed 2", self.one("#asked-otherwise").text)

    def test_hostile_text_stays_text(self):
        report = self.path / "hostile.json"
        subprocess.run([PROGRAM, "run", "--backend", "faulty:ties_away", "--level", "smoke",
                        "--cells", "QuantizeLinear/10/*", "-o", str(report), "-q"],
                       stdout=subprocess.DEVNULL, check=False)
        make_page(self.path / "clean.html", report)
        # What a reader checks is not the question here: the page itself must hold.
        page = (self.path / "clean.html").read_text()
        name = json.dumps(HOSTILE).replace("<", "\\u003c")
        self.assertIn('"faulty:ties_away"', page)
        page = page.replace('"faulty:ties_away"', name).replace('"ties_away"', name)
        (self.path / "hostile.html").write_text(page)
        self.open("hostile.html")
        self.assertIn(HOSTILE, self.one("h1").text)
        text = self.issue(".findings .actions .actions button:nth-of-type(2)")
        self.assertIn(f"``{HOSTILE}``", text)
        self.click("#cells .link")
        self.assertNotEqual(self.driver.title, "bad")
        self.assertEqual(self.all("img"), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
