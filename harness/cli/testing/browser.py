"""What tests of pages in Chromium share. Where Chromium or Selenium is missing
(script/bootstrap --with browser), importing this ends the test with exit code 77."""

import json
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
except ImportError as error:
    print(f"not run, because Selenium is missing: {error}")
    sys.exit(77)
DRIVER = shutil.which("chromedriver")
BROWSER = shutil.which("chromium")
if not DRIVER or not BROWSER:
    print("not run, because chromium or chromedriver is missing")
    sys.exit(77)


def report_of(program, path):
    """Returns a report, packed or not."""
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.json"
        subprocess.run([program, "report", "-q", path, "--json", whole], capture_output=True, check=False)
        return json.loads(whole.read_text())


class PageTest(unittest.TestCase):
    """Tests of pages of one folder: `path`, which is that of the temporary `folder`, by one browser:
    `driver`."""

    @classmethod
    def start(cls, **preferences):
        """Starts the browser, with its profile in cls.path."""
        options = webdriver.ChromeOptions()
        options.binary_location = BROWSER
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--window-size=1280,1000", f"--user-data-dir={cls.path / 'profile'}"):
            options.add_argument(flag)
        options.add_experimental_option("prefs", preferences)
        cls.driver = webdriver.Chrome(service=Service(DRIVER), options=options)

    @classmethod
    def tearDownClass(cls):
        cls.driver.quit()
        cls.folder.cleanup()

    def tearDown(self):
        bad = [line for line in self.driver.get_log("browser") if line["level"] == "SEVERE"]
        self.assertEqual(bad, [])

    def show(self, path, width, height, scheme):
        """Loads a file afresh, in a window of that size and with that colour scheme."""
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})
        self.driver.get("about:blank")
        self.driver.get(f"file://{path}")

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def until(self, what):
        for _ in range(200):
            if what():
                return
            time.sleep(0.1)
        self.fail("not within 20 s")
