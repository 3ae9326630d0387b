#!/usr/bin/env python3
"""Asks the page of the site that explains in Chromium, as a person would: by an address, by typing and
keys, on a narrow screen. Usage: explain_page_test.py QCONFORM REPORT MODULE

MODULE is qconform_explain.js of the preset wasm. Exits with 77 if it is missing, or if Chromium or
Selenium are (script/bootstrap --with browser)."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM, REPORT, MODULE = (pathlib.Path(word) for word in sys.argv[1:4])
if not MODULE.exists():
    print(f"not run, because {MODULE} is missing: the preset wasm builds it")
    sys.exit(77)
import browser  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import Select  # noqa: E402

TIE = "operator=QuantizeLinear&opset=21&x=2.5:FLOAT&y_scale=1:FLOAT&y_zero_point=1:UINT8"
MOST_BYTES = 2 * 1024 * 1024


def explain(*arguments):
    return subprocess.run([PROGRAM, "explain", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False)


class Explain(browser.PageTest):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        source = cls.path / "reports"
        source.mkdir()
        (source / REPORT.name).write_bytes(REPORT.read_bytes())
        made = subprocess.run([PROGRAM, "site", source, "-o", cls.path / "site", "--explain", MODULE],
                              stdout=subprocess.PIPE, text=True, check=False)
        assert made.returncode == 0, made
        cls.start()

    def open(self, question="", width=1280, scheme="light"):
        page = self.path / "site" / "explain.html"
        self.show(f"{page}#{question}" if question else page, width, 900, scheme)
        self.until(lambda: self.all("#answer .card, #error"))

    def text(self, selector):
        return self.one(selector).get_attribute("textContent")

    def test_a_question_in_the_address_is_answered_as_by_the_program(self):
        self.open(TIE + "&actual=4")
        printed = explain("QuantizeLinear", "--opset", "21", "x=2.5", "y_scale=1", "y_zero_point=1:UINT8",
                          "--actual", "4")
        self.assertEqual(self.text("#text"), printed.stdout)
        self.assertIn("3 (0x03)", self.text("#outputs"))
        self.assertIn("rounded, ties to even", self.text("#answer"))
        self.assertIn("Deviates", self.text("#verdict"))
        self.assertIn("ties_away", self.text("#answer"))

    def test_a_number_is_changed_and_the_link_says_so(self):
        self.open(TIE)
        box = self.one("#o-x")
        box.clear()
        box.send_keys("[3.5, -1]", Keys.ENTER)
        self.until(lambda: "[5 (0x05), 0 (0x00)]" in self.text("#outputs"))
        self.driver.execute_script("navigator.clipboard.writeText = async text => { self.copied = text; };")
        next(one for one in self.all("#question button") if one.text == "Copy link").click()
        self.until(lambda: self.driver.execute_script("return self.copied"))
        link = self.driver.execute_script("return self.copied")
        self.assertEqual(link, self.driver.current_url)
        self.driver.get("about:blank")
        self.driver.get(link)
        self.until(lambda: self.all("#outputs"))
        self.assertIn("[5 (0x05), 0 (0x00)]", self.text("#outputs"))
        self.assertEqual(self.one("#o-x").get_attribute("value"), "[3.5,-1]")

    def test_readings_and_published_answers_are_shown(self):
        self.open("operator=QuantizeLinear&opset=25&x=-0:FLOAT&y_scale=1:FLOAT&y_zero_point=0:FLOAT4E2M1")
        self.assertIn("QL-20a:zero_point_added", self.text("#answer"))
        self.until(lambda: self.all("#published .answer"))
        self.assertIn("onnxruntime", self.text("#published"))
        self.one("#published .card > p a").click()
        self.until(lambda: self.all("#cell"))
        self.assertIn("operator-QuantizeLinear.html", self.driver.current_url)

    def test_bad_input_is_the_program_s_error(self):
        self.open("operator=QuantizeLinear&x=%5B1,%5D:FLOAT&y_scale=1:FLOAT")
        printed = explain("QuantizeLinear", "x=[1,]:FLOAT", "y_scale=1:FLOAT")
        self.assertEqual("qconform: " + self.text("#error") + "\n", printed.stderr)
        self.open("operator=Foo&x=1")
        self.assertIn("operator: expected one of ", self.text("#error"))
        self.open("operator=QuantizeLinear&x=1&y_scale=1&zzz=%3Cb%3E1")
        self.assertIn("got 'zzz'", self.text("#error"))

    def test_every_operator_has_an_example_that_is_answered(self):
        self.open()
        names = [option.get_attribute("value") for option in self.all("#operator option")]
        self.assertGreater(len(names), 1)
        self.assertTrue(self.text("#text").startswith(names[0] + ","))
        for name in names[1:]:
            Select(self.one("#operator")).select_by_value(name)
            self.until(lambda: self.all("#text") and self.text("#text").startswith(name + ","))
            self.assertIn("operator=" + name, self.driver.current_url)
            self.assertFalse(self.all("#error"))

    def test_it_fits_a_phone_in_both_schemes(self):
        for scheme in ("light", "dark"):
            self.open(TIE + "&actual=4", width=390, scheme=scheme)
            wide = self.driver.execute_script("return document.documentElement.scrollWidth")
            self.assertLessEqual(wide, 390)

    def test_keys_reach_everything(self):
        self.open(TIE)
        self.one("#operator").send_keys(Keys.TAB)
        seen = set()
        for _ in range(30):
            active = self.driver.switch_to.active_element
            seen.add(active.get_attribute("id") or active.text)
            active.send_keys(Keys.TAB)
        self.assertLessEqual({"opset", "o-x", "o-y_scale", "o-y_zero_point", "element", "actual", "ask", "Copy link"}, seen)

    def test_the_page_is_small(self):
        site = self.path / "site"
        page = (site / "explain.html").read_text()
        parts = ["explain.html", "site.css"] + [part.split('"')[0] for part in page.split('<script src="')[1:]]
        self.assertIn("explain-module.js", parts)
        self.assertLess(sum((site / part).stat().st_size for part in parts), MOST_BYTES)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
