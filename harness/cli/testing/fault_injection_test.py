#!/usr/bin/env python3
"""Lets one system call or allocation of the program fail, and looks at what it does then.

Usage: harness/cli/testing/fault_injection_test.py [--program FILE] [--library FILE]
             [--points N | --sample] [--only SCENARIO[/KIND]] [--keep DIR]

Each scenario (run, resume, merge, certify, verify, export, ...) is run once as it is, which
counts its calls of each kind: alloc, open, read, write, fsync, rename, mkdir, fork, pipe,
thread. Then it is run again and again, and each time another call fails: all calls if there are
at most N (default 40), otherwise the first and the last ones and a growing sequence between
them; and from some of them on all later calls fail, too, as on a full disk. With --sample one
call of each kind fails, in the middle: ctest runs that.

After each fault:
  - the program ends by itself: no signal, and not later than 180 s;
  - it ends as without the fault, or with 2 and one sentence that does not call the fault a bug,
    or with 3 if some cells could not be judged; it never accuses the backend or the package;
  - its report is complete and has the same digest, or is missing; no file is half written, and no
    temporary file is left behind;
  - what was interrupted can be finished without the fault, with the same digest.

The program and the library (fault_injection.c beside this file) are those of build/release.
Exit code 1: something does not hold; 2: bad usage, or no program.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
KINDS = ["alloc", "open", "read", "write", "fsync", "rename", "mkdir", "fork", "pipe", "thread"]
CELL = "QuantizeLinear/10/FLOAT-FLOAT-INT8/per_tensor"
CELLS = "QuantizeLinear/10/FLOAT-FLOAT-*/per_tensor"
SECONDS = 180

# Verdicts that accuse nobody.
HARMLESS = {"conformant", "admissible", "error", "untested"}


class Scenario:
    def __init__(self, name, words, outputs, prepare=None, finish=None, worker=False):
        self.name = name
        self.words = words  # of the command
        self.outputs = outputs  # files and folders that it may leave behind
        self.prepare = prepare  # makes what the command reads
        self.finish = finish  # the command that finishes what was interrupted
        self.worker = worker  # the fault is in its children


class Tester:
    def __init__(self, program, library, points, sample, keep):
        self.program = program
        self.library = library
        self.points = points
        self.sample = sample
        self.keep = keep
        self.findings = 0
        self.runs = 0

    def run(self, words, folder, fail=None, worker=False, count=None):
        environment = dict(os.environ, HOME=folder, TMPDIR=folder)
        environment.pop("QCONFORM_FAIL", None)
        if fail or count:
            environment["LD_PRELOAD"] = self.library
            if fail:
                environment["QCONFORM_FAIL"] = fail
            if count:
                environment["QCONFORM_COUNT"] = count
            if worker:
                environment["QCONFORM_FAIL_IN"] = "worker"
        self.runs += 1
        try:
            done = subprocess.run(
                [self.program] + words,
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=SECONDS,
            )
        except subprocess.TimeoutExpired:
            return None, "", ""
        return (
            done.returncode,
            done.stdout.decode("utf-8", "replace"),
            done.stderr.decode("utf-8", "replace"),
        )

    def must(self, words, folder):
        code, out, err = self.run(words, folder)
        if code != 0:
            sys.exit("fault_injection_test: %s: expected 0, got %s\n%s" % (" ".join(words), code, out + err))

    def folder(self, scenario):
        folder = tempfile.mkdtemp(prefix="fault-injection.")
        if scenario.prepare:
            scenario.prepare(self, folder)
        return folder

    def digests(self, folder, scenario):
        """What the command made: digests of reports, whole texts of other files."""
        found = {}
        for output in scenario.outputs:
            path = os.path.join(folder, output)
            if output.endswith(".json") and os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    report = json.load(file)
                found[output] = report.get("results_digest")
            elif os.path.isdir(path):
                found[output] = sorted(
                    os.path.relpath(os.path.join(at, name), path)
                    for at, _, names in os.walk(path)
                    for name in names
                )
        return found

    def tell(self, scenario, fail, what, folder, err=""):
        self.findings += 1
        print("%s %s: %s" % (scenario.name, fail, what))
        for line in err.strip().splitlines()[-3:]:
            print("    " + line[:300])
        sys.stdout.flush()
        if self.keep:
            shutil.copytree(
                folder, os.path.join(self.keep, "%s-%s" % (scenario.name, fail)), dirs_exist_ok=True
            )

    def check(self, scenario, fail, right):
        folder = self.folder(scenario)
        try:
            before = set(os.listdir(folder))
            code, out, err = self.run(scenario.words, folder, fail, scenario.worker)
            said = [line for line in err.splitlines() if line.startswith("qconform: ")]
            bug = [line for line in said if "a bug in qconform" in line or "a fault of qconform" in line]
            if code is None:
                return self.tell(scenario, fail, "did not end within %d s" % SECONDS, folder)
            if code < 0:
                return self.tell(scenario, fail, "ended by signal %d" % -code, folder, err)
            if code not in (right["code"], 2, 3):
                return self.tell(scenario, fail, "ended with %d" % code, folder, out + err)
            if code == 2 and (not said or bug):
                return self.tell(scenario, fail, "ended with 2 without the cause", folder, err)
            after = set(os.listdir(folder)) - before
            left = {name for name in after if name not in scenario.outputs and not name.endswith(".journal")}
            if left:
                return self.tell(scenario, fail, "left behind: %s" % ", ".join(sorted(left)), folder, err)
            try:
                made = self.digests(folder, scenario)
            except ValueError as error:
                return self.tell(scenario, fail, "wrote half a file: %s" % error, folder, err)
            if code == right["code"] and made != right["made"]:
                return self.tell(scenario, fail, "made something else", folder, err)
            if code == 3 and right["code"] != 3:
                for output in scenario.outputs:
                    path = os.path.join(folder, output)
                    if output.endswith(".json") and os.path.exists(path):
                        with open(path, encoding="utf-8") as file:
                            rows = json.load(file)["results"]["cells"]
                        accused = [row for row in rows if row["verdict"] not in HARMLESS]
                        if accused:
                            return self.tell(
                                scenario,
                                fail,
                                "accuses the backend: %s" % accused[0]["verdict"],
                                folder,
                                out,
                            )
            # It may have done all of its work before.
            if code != right["code"] and scenario.finish and (not made or made != right["made"]):
                code, out, err = self.run(scenario.finish(folder), folder)
                if code != right["code"]:
                    return self.tell(scenario, fail, "cannot be finished: %d" % code, folder, out + err)
                if self.digests(folder, scenario) != right["made"]:
                    return self.tell(scenario, fail, "is finished with another result", folder, err)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return None

    def sequence(self, total):
        """Numbers of calls: all, or the first, the last, and growing ones between them."""
        if self.sample:
            return [(total + 1) // 2] if total else []
        if total <= self.points:
            return list(range(1, total + 1))
        chosen = set(range(1, self.points // 5 + 1))
        chosen |= set(range(total - self.points // 10, total + 1))
        left = max(1, self.points - len(chosen))
        for i in range(left):
            # A growing sequence up to the middle, then even steps.
            chosen.add(max(1, round(total ** ((i + 1) / left))) if i % 2 else 1 + total * i // left)
        return sorted(chosen)

    def test(self, scenario, only_kind):
        folder = self.folder(scenario)
        count = os.path.join(tempfile.gettempdir(), "fault-injection.%d" % os.getpid())
        if os.path.exists(count):
            os.remove(count)
        code, out, err = self.run(scenario.words, folder, None, scenario.worker, count)
        if code != 0:
            sys.exit("fault_injection_test: %s: expected 0, got %s\n%s" % (scenario.name, code, out + err))
        right = {"code": code, "made": self.digests(folder, scenario)}
        shutil.rmtree(folder)
        totals = {}
        with open(count, encoding="utf-8") as file:
            for line in file:
                kind, number = line.split()
                totals[kind] = max(totals.get(kind, 0), int(number))
        os.remove(count)
        for kind in KINDS:
            if only_kind and kind != only_kind:
                continue
            # A child that cannot write cannot say why, and looks as if its backend had
            # ended it. Its pipe fails only if the harness is gone.
            if scenario.worker and kind == "write":
                continue
            total, before = totals.get(kind, 0), self.findings
            calls = self.sequence(total)
            faults = ["%s:%d" % (kind, call) for call in calls]
            if kind != "alloc" and not self.sample:  # later ones, too
                faults += ["%s:%d+" % (kind, call) for call in calls[:: max(1, len(calls) // 8)]]
            for fault in faults:
                self.check(scenario, fault, right)
            if total:
                print(
                    "%-14s %-7s %8d calls, %4d faults, %3d findings"
                    % (scenario.name, kind, total, len(faults), self.findings - before)
                )
                sys.stdout.flush()


def run_words(cells, *more):
    return ["run", "--backend", "simd", "--level", "smoke", "--cells", cells, "--no-negative"] + [
        "--jobs", "2", "--no-progress", "-o", "report.json"] + list(more)


def finished(words):
    """The command that finishes a run of these words: from its journal, if it has one."""

    def finish(folder):
        journal = os.path.join(folder, "report.json.journal")
        if not os.path.exists(journal):
            return words
        with open(journal, "rb") as file:
            text = file.read()
        if b'\n{"footer":' in text and text.endswith(b"\n"):  # only the report is missing
            return ["report", "report.json.journal", "--json", "report.json"]
        if b"\n" not in text:  # not even its header was written
            return [word for word in words if word != "--resume"]
        return words if "--resume" in words else words + ["--resume"]

    return finish


def prepare_journal(tester, folder):
    """A journal of three cells, of which one is written."""
    tester.must(run_words(CELLS), folder)
    os.remove(os.path.join(folder, "report.json"))
    journal = os.path.join(folder, "report.json.journal")
    with open(journal, "rb") as file:
        lines = file.read().splitlines(keepends=True)
    with open(journal, "wb") as file:
        file.write(b"".join(lines[:2]))


def prepare_reports(tester, folder):
    for shard in range(2):
        words = run_words(CELLS, "--shard", "%d/2" % shard)
        words[words.index("report.json")] = "shard%d.json" % shard
        tester.must(words, folder)


CERTIFY = ["certify", "--backend", "simd", "--level", "smoke", "--cells", CELL, "--profile", "int8-core"]
CERTIFY += ["--vendor", "Example", "--product", "kernels 1", "--jobs", "2", "--no-progress"]
CERTIFY += ["-o", "made.qcert"]


ISOLATED = CERTIFY + ["--isolate"]


def certified_again(words):
    """The command that finishes a package of these words: from its journal, if it has one."""

    def finish(folder):
        journal = os.path.join(folder, "made.qcert.journal")
        if not os.path.exists(journal):
            return words
        with open(journal, "rb") as file:
            return words + (["--resume"] if b"\n" in file.read() else [])

    return finish


EXPORT = ["export", "--cells", CELL, "--level", "smoke", "--no-progress", "made"]


def prepare_package(tester, folder):
    tester.must(CERTIFY, folder)


SCENARIOS = [
    Scenario("run", run_words(CELL, "--isolate"), ["report.json"], None,
             finished(run_words(CELL, "--isolate"))),
    Scenario("worker", run_words(CELL, "--isolate"), ["report.json"], None,
             finished(run_words(CELL, "--isolate")), worker=True),
    Scenario("resume", run_words(CELLS, "--resume"), ["report.json"], prepare_journal,
             finished(run_words(CELLS, "--resume"))),
    Scenario("report", ["report", "shard0.json", "--html", "page.html", "--junit", "j.xml"],
             ["page.html", "j.xml"], prepare_reports),
    Scenario("diff", ["diff", "shard0.json", "shard0.json"], [], prepare_reports),
    Scenario("merge", ["merge", "shard0.json", "shard1.json", "-o", "report.json"], ["report.json"],
             prepare_reports, lambda folder: ["merge", "shard0.json", "shard1.json", "-o", "report.json"]),
    Scenario("certify", CERTIFY, ["made.qcert"], None, certified_again(CERTIFY)),
    Scenario("certify-isolate", ISOLATED, ["made.qcert"], None, certified_again(ISOLATED)),
    Scenario("certify-worker", ISOLATED, ["made.qcert"], None, certified_again(ISOLATED),
             worker=True),
    Scenario("verify", ["verify", "made.qcert"], [], prepare_package),
    Scenario("verify-backend", ["verify", "made.qcert", "--backend", "simd", "--sample", "100%"], [],
             prepare_package),
    Scenario("export", EXPORT, ["made"], None, lambda folder: EXPORT),
    Scenario("explain", ["explain", "QuantizeLinear", "x=2.5", "y_scale=1", "y_zero_point=0:INT8"], []),
]


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    release = os.path.join(ROOT, "build", "release")
    parser.add_argument("--program", default=os.path.join(release, "bin", "qconform"))
    parser.add_argument("--library", default=os.path.join(release, "lib", "qconform_fault_injection.so"))
    parser.add_argument("--points", type=int, default=40)
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", default="")
    parser.add_argument("-h", "--help", action="store_true")
    arguments = parser.parse_args()
    if arguments.help:
        print(__doc__)
        return 0
    for path in (arguments.program, arguments.library):
        if not os.path.exists(path):
            print("fault_injection_test: %s: expected a file, got none; build the preset release" % path,
                  file=sys.stderr)
            return 2
    tester = Tester(os.path.abspath(arguments.program), os.path.abspath(arguments.library),
                    arguments.points, arguments.sample, arguments.keep)
    name, _, kind = arguments.only.partition("/")
    for scenario in SCENARIOS:
        if not name or scenario.name == name:
            tester.test(scenario, kind)
    print("fault_injection_test: %d runs, %d findings" % (tester.runs, tester.findings))
    return 1 if tester.findings else 0


if __name__ == "__main__":
    sys.exit(main())
