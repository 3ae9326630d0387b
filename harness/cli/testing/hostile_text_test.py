"""Hostile texts, from every input to every output: hostile_text_test.py QCONFORM PLUGINS CXX

Names of a stored case, fields of a report, reasons of known differences, words of a worker and of
a plugin, options, paths, names of a vendor: each is replaced by a text that would leave its place
in one of the outputs. What comes out is read by the grammar of its kind, and no terminal gets a
character that it would act on, or a line that begins as the text wants it.
"""

import ast
import contextlib
import copy
import csv
import html.parser
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unicodedata
import xml.etree.ElementTree

TOOL, PLUGINS, CXX = sys.argv[1:4]
ROOT = os.path.abspath(__file__)
for _ in range(4):  # of harness/cli/testing/NAME
    ROOT = os.path.dirname(ROOT)

CELL = "QuantizeLinear/21/FLOAT-FLOAT-UINT8/per_tensor"
CASE = "QuantizeLinear/21@21/FLOAT-FLOAT-UINT8/per_tensor/inputs/saturate=1/ties/0"
GRAPH = "graphs.round_trip/21/UINT8-FLOAT/Q-DQ.per_tensor"
PLUGIN = os.path.join(PLUGINS, "qconform_bad_plugin.so")

# What leaves a place in some output, but prints.
VISIBLE = ("""*/ " ' \\ <script>evil()</script> </style> ]]> --> | ` ``` $(evil) %s %n &amp; """
           """@evil #1 ::error::evil ##[error]evil {{evil}} ??/""")
# Moves the cursor, begins a line, changes the order or is not seen.
CONTROLS = ("a\x1b[31m\x1b]0;evil\x07\nFORGED evil\n::error::evil\r##[error]\x08\x7f\x9b31m\x85"
            "\u2028\u202eb\u2066\u200f\u200b\u00ad\ufeff\U000e0041\ufffe\uffff")
TEXTS = {
    "visible": VISIBLE,
    "controls": CONTROLS + VISIBLE,
    "formula": "=cmd|' /C calc'!A0",
    "formula_after_tab": "\t+1+cmd,\"x\"\r\n@SUM(1)",
    "literals": '"""\nraise SystemExit(9)\n"""\\',
}
INVALID = b"\xff\xc0\x80\xed\xa0\x80\xf5"  # not UTF-8

checks = 0


def check(condition, *what):
    global checks
    checks += 1
    if not condition:
        raise AssertionError(" ".join(str(part) for part in what))


def seen(character):
    """Whether the character is one that stays where it is, on its line, and is seen."""
    return character == "\n" or (unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Zl",
                                 "Zp") and ord(character) & 0xFFFE != 0xFFFE)


def of_plain_characters(data):
    text = data.decode("utf-8", "strict")
    bad = sorted({hex(ord(c)) for c in text if not seen(c)})
    check(not bad, "characters", bad, "in", repr(text[:2000]))
    return text


def of_terminal(data):
    text = of_plain_characters(data)
    for line in text.split("\n"):
        check(not line.startswith(("FORGED", "raise ")), "a line of the text:", repr(line))
        check(not line.lstrip().startswith("::") and "##[" not in line, "a command:", repr(line))


def of_json(data):
    json.loads(of_plain_characters(data))


def of_xml(data):
    of_plain_characters(data)
    root = xml.etree.ElementTree.fromstring(data)
    allowed = {"testsuites", "testsuite", "properties", "property", "testcase", "failure", "error",
               "skipped", "system-out", "system-err"}
    tags = {element.tag.split("}")[-1] for element in root.iter()}
    check(tags <= allowed or root.tag.endswith("svg"), tags)
    check("script" not in tags, tags)


def of_csv(data):
    rows = list(csv.reader(io.StringIO(of_plain_characters(data), newline=""), strict=True))
    for row in rows:
        check(len(row) == len(rows[0]), "fields of", row)
        for field in row:
            check(not field.startswith(("=", "+", "-", "@", "\t", "\r")), "formula", field)


def without_code(text):
    """Returns Markdown without its blocks and spans of code."""
    text = re.sub(r"^(`{3,})\n.*?^\1\n", "", text, flags=re.M | re.S)
    return re.sub(r"(?<![`\\])(`+)(?!`)(.*?)(?<!`)\1(?!`)", "", text)


def of_markdown(data):
    text = of_plain_characters(data)
    columns = None
    for line in re.sub(r"^(`{3,})\n.*?^\1\n", "", text, flags=re.M | re.S).split("\n"):
        if not line.startswith("|"):
            columns = None
            continue
        count = len(re.findall(r"(?<!\\)(?:\\\\)*\|", line))
        columns = columns or count
        check(count == columns, "fields of", line)
    tags = set(re.findall(r"<\s*[/!?]?\s*([a-zA-Z]*)", without_code(text)))
    check(tags <= {"details", "summary", "code", "sub", "br"}, "tags", tags, "in", text)
    check(not re.search(r"(?<![\\&\w])@evil", without_code(text)), "a mention in", text)


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, tuple(name for name, _ in attributes)))


def of_html(data):
    tags = Page(of_plain_characters(data)).tags
    Page.expected = Page.expected or tags  # those of the first page, which has no such text
    check(tags == Page.expected, "tags", set(tags) ^ set(Page.expected))


Page.expected = []


def of_python(data):
    tree = ast.parse(of_plain_characters(data))
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    check("evil" not in names and "SystemExit" not in names, names)


GTEST = """
#include <cstddef>
struct Sink { template <class T> Sink& operator<<(const T&) { return *this; } };
#define TEST(suite, name) void name()
#define ASSERT_EQ(...) Sink()
#define EXPECT_TRUE(...) Sink()
"""


def of_cpp(data):
    of_plain_characters(data)
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(folder + "/gtest")
        with open(folder + "/gtest/gtest.h", "w") as file:
            file.write(GTEST)
        for standard in ("-std=c++17", "-std=c++14"):  # the latter with trigraphs
            ran = subprocess.run([CXX, standard, "-fsyntax-only", "-x", "c++", "-I", folder, "-"],
                                 input=data, capture_output=True)
            check(ran.returncode == 0, ran.stderr.decode())


def run(*arguments, ended=None, environment=None):
    """Runs qconform; what it prints must be fit for a terminal. Returns the exit code and the two
    streams."""
    ran = subprocess.run([TOOL, *arguments], capture_output=True, stdin=subprocess.DEVNULL,
                         env={**os.environ, **(environment or {})})
    words = [argument[:300] for argument in arguments]
    check(0 <= ran.returncode <= 4, "exit code", ran.returncode, "of", words, ran.stderr)
    check(ended is None or ran.returncode in ended, "exit code", ran.returncode, "of", words,
          ran.stdout, ran.stderr)
    return ran.returncode, ran.stdout, ran.stderr


def to_terminal(*arguments, **options):
    code, printed, errors = run(*arguments, **options)
    of_terminal(printed)
    of_terminal(errors)
    return code, printed, errors


OUTPUTS = {"--junit": of_xml, "--markdown": of_markdown, "--html": of_html, "--csv": of_csv,
           "--badge": of_xml, "--json": of_json, "--compact": of_json}


def show(report, *more):
    """Makes everything of a report. Returns whether it could be read."""
    with tempfile.TemporaryDirectory() as folder:
        files = {flag: os.path.join(folder, flag[2:]) for flag in OUTPUTS}
        words = [word for item in files.items() for word in item]
        code, _, errors = to_terminal("report", report, "-v", *words, *more)
        if b"qconform:" in errors:
            check(code == 2, "exit code", code, errors)
            return False
        for flag, grammar in OUTPUTS.items():
            with open(files[flag], "rb") as file:
                try:
                    grammar(file.read())
                except Exception as error:
                    raise AssertionError(f"{flag} of {report}: {error!r}") from error
        to_terminal("report", report, "--cells", "*", *more)
        to_terminal("report", report, "--quiet", *more)
        return True


SCRIPT = re.compile(r'self\.qconformData = self\.qconformData \|\| \{\};\n'
                    r'self\.qconformData\["\w+"\] = (.*);\n', re.S)


def of_site(folder):
    """Its pages have the tags of a site without such texts, and its scripts hold data only."""
    for name in sorted(os.listdir(folder)):
        check(re.fullmatch(r"[A-Za-z0-9_.-]+", name), "a file of the site:", name)
        with open(os.path.join(folder, name), "rb") as file:
            data = file.read()
        kind = name.split("-")[0].split(".")[0]
        if name.endswith(".svg"):
            of_xml(data)
        elif kind == "data":
            script = SCRIPT.fullmatch(of_plain_characters(data))
            check(script and "<" not in script[1], "the script", name)
            json.loads(script[1])
        elif name.endswith(".html"):
            tags = Page(of_plain_characters(data)).tags
            check(tags == SITE_TAGS.setdefault(kind, tags), "tags of", name,
                  set(tags) ^ set(SITE_TAGS[kind]))


SITE_TAGS = {}  # of each kind of page, from the first site


def show_together(report):
    """A report as a release, and on a site with a history. Returns whether it could be read."""
    with tempfile.TemporaryDirectory() as folder:
        releases = os.path.join(folder, "reports", "releases")
        os.makedirs(releases)
        with open(report, "rb") as file:
            write(os.path.join(folder, "reports", "one.json"), file.read())
        first = os.path.join(releases, "1.json")
        code, _, _ = to_terminal("report", "-q", report, "--compact", first)
        if not os.path.exists(first):
            return False
        with open(first) as file:
            later = json.load(file)
        later["backend"]["version"] += "9"
        write(os.path.join(releases, "2.json"), later)
        made = os.path.join(folder, "made")
        to_terminal("history", releases, "--markdown", made + ".md", "--json", made + ".json",
                    ended=[0])
        for suffix, grammar in ((".md", of_markdown), (".json", of_json)):
            with open(made + suffix, "rb") as file:
                grammar(file.read())
        to_terminal("site", os.path.join(folder, "reports"), "-o", made, ended=[0])
        of_site(made)
        return True


def write(path, data):
    with open(path, "wb") as file:
        file.write(data if isinstance(data, bytes) else json.dumps(data).encode())
    return path


def places(value, path=()):
    """Yields the paths of all strings in a JSON value."""
    if isinstance(value, str):
        yield path
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from places(item, path + (i,))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, path + (key,))


def put(value, path, text):
    for key in path[:-1]:
        value = value[key]
    value[path[-1]] = text


def faulty_run(report):
    run("run", "--backend", "plugin:" + PLUGIN, "--backend-option", "fault=ties_away", "--cells",
        CELL, "--level", "smoke", "-o", report, ended=[1])
    with open(report) as file:
        return json.load(file)


def reports(folder):
    """Every string of a report, at once for all places that have the same keys."""
    path = os.path.join(folder, "whole.json")
    whole = faulty_run(path)
    kinds = {}
    for place in places(whole):
        kinds.setdefault(tuple("[]" if isinstance(key, int) else key for key in place),
                         []).append(place)
    read = 0
    for kind, same in kinds.items():
        for text in (TEXTS["controls"], TEXTS["formula"]):
            changed = copy.deepcopy(whole)
            for place in same:
                put(changed, place, text)
            forged = write(os.path.join(folder, "forged.json"), changed)
            shown = show(forged)
            read += shown
            check(show_together(forged) == shown, "a report is shown on a site too")
            made = ["--markdown", forged + ".md", "--json", forged + ".diff"]
            if not shown:  # a field that has no free text
                break
            to_terminal("diff", path, forged, *made)
            for suffix, grammar in ((".md", of_markdown), (".diff", of_json)):
                with open(forged + suffix, "rb") as file:
                    grammar(file.read())
            to_terminal("merge", path, forged, "-o", forged + ".merged")
    check(read >= 30, "reports that were shown:", read)
    print(f"{read} changed reports were shown")
    with open(path, "rb") as file:
        text = file.read()
    show(write(path + "2", text.replace(b'"kind"', b'"\\u001b[31m\\nFORGED"')))
    show(write(path + "3", text.replace(b"plugin:", INVALID)))
    show(write(path + "4", b"\x1b[31mFORGED\n" + text))


def known(folder):
    report = os.path.join(folder, "known_report.json")
    faulty_run(report)
    for text in TEXTS.values():
        entry = {"cells": [CELL], "reason": text, "url": text, "owner": text, "verdict":
                 "nonconformant", "diagnosis": "ties_away"}
        path = os.path.join(folder, "known.json")
        for change in ({}, {"diagnosis": text}, {"cells": [text]}, {"expires": text},
                       {"expires": "2020-01-01"}, {"backend": text}, {"finding": text},
                       {"operand_forms": [text]}, {"tiers": {text: text}}, {text: text}):
            write(path, {"qconform_known_differences": 1, "differences": [{**entry, **change}]})
            show(report, "--known", path)
        write(path, {"qconform_known_differences": 1, "differences": [entry]})


def stored_cases(folder):
    _, text, _ = run("replay", CASE, "--emit", "json")
    whole = json.loads(text)
    path = os.path.join(folder, "case.json")
    emitted = 0
    for text in TEXTS.values():
        for place in places(whole):
            if "codes" in place:
                continue
            changed = copy.deepcopy(whole)
            put(changed, place, text)
            emitted += emit_all(write(path, changed))
        changed = copy.deepcopy(whole)
        changed["attributes"][text] = text
        emit_all(write(path, changed))
    check(emitted > 10, "cases that were emitted:", emitted)
    _, listed, _ = run("list", "cases", "--cells", GRAPH, "--level", "smoke", ended=[0])
    _, text, _ = run("replay", listed.split()[0].decode(), "--emit", "json", ended=[0])
    whole = json.loads(text)
    for text in TEXTS.values():
        for place in places(whole):
            if "codes" in place or "shape" in place:
                continue
            changed = copy.deepcopy(whole)
            put(changed, place, text)
            emit_all(write(path, changed))


def emit_all(path):
    """Shows a stored case in all forms. Returns whether it could be read."""
    code, _, errors = to_terminal("explain", path)
    if code == 2:
        return False
    to_terminal("replay", path, "--backend", "oracle")
    for form, grammar in (("json", of_json), ("python", of_python), ("cpp", of_cpp)):
        code, printed, errors = run("replay", path, "--emit", form, ended=[0, 2])
        of_terminal(errors)
        if code == 0:
            grammar(printed)
    with contextlib.chdir(os.path.dirname(path)) if hasattr(contextlib, "chdir") else \
            contextlib.nullcontext():
        to_terminal("replay", path, "--emit", "onnx", "-o", path + ".onnx")
    return True


WORKER = '''
import sys
sys.path.insert(0, {package!r})
from qconform_worker import protocol

TEXT = {text!r}
requests, replies = protocol.take_standard_files()
sys.stderr.buffer.write(TEXT.encode() + {invalid!r} + b"\\n")
sys.stderr.flush()
for request in protocol.read_requests(requests):
    if request.kind == "hello":
        body = dict(protocol_version=1, name=TEXT, version=TEXT, vendor=TEXT, device=TEXT,
                    homepage=TEXT, details={{TEXT: TEXT, "x": TEXT}})
        reply = dict(hello=body)
    elif request.kind == "release":
        continue
    elif {how!r} == "dies":
        sys.exit(3)
    elif {how!r} == "prints":
        replies.write(TEXT.encode() * 9)
        replies.flush()
        sys.exit(0)
    else:
        reply = {{{how!r}: {{("text" if {how!r} == "error" else "reason"): TEXT}}}}
    protocol.write_reply(replies, request.seq, reply)
'''


def workers(folder):
    package = os.path.join(ROOT, "harness", "backends", "process", "python")
    report = os.path.join(folder, "worker.json")
    for text in (TEXTS["controls"], TEXTS["formula"]):
        for how in ("unsupported", "refused", "error", "dies", "prints"):
            path = write(os.path.join(folder, "worker.py"), WORKER.format(
                package=package, text=text, how=how, invalid=INVALID).encode())
            backend = f"process:{sys.executable} {path}"
            with contextlib.suppress(FileNotFoundError):
                os.remove(report)
            _, printed, errors = to_terminal("run", "--backend", backend, "--cells", CELL,
                                             "--level", "smoke", "-v", "-o", report)
            if os.path.exists(report):
                show(report)
            to_terminal("replay", CASE, "--backend", backend)
            to_terminal("explain", CASE, "--backend", backend)
            to_terminal("explain", CELL, "--backend", backend, "--level", "smoke")
            to_terminal("worker-check", f"{sys.executable} {path}")


def words(folder):
    """Texts on the command line, in the environment and in names of files."""
    report = os.path.join(folder, "words.json")
    faulty_run(report)
    plugin = ["--backend", "plugin:" + PLUGIN, "--backend-option", "fault=ties_away"]
    one = ["--cells", CELL, "--level", "smoke"]
    for text in TEXTS.values():
        for line in (
                ["run", *plugin, "--backend-option", "says=" + text, *one, "-v", "-o", report],
                ["run", *plugin, "--backend-option", text, *one],
                ["run", *plugin, "--backend-option", text + "=1", *one],
                ["run", *plugin, "--name", text, *one, "-o", report],
                ["run", "--backend", "plugin:/" + text, *one],
                ["run", "--backend", "process:" + text, *one],
                ["run", "--backend", "py:" + text, *one],
                ["run", "--backend", text, *one],
                ["run", "--vary", text, *one],
                ["run", "--vary", "says=" + text, *plugin, *one],
                ["run", "--cells", text], ["run", "--operator", text], ["run", "--profile", text],
                ["run", "--node-tests", text], ["run", "--shard", text], ["run", "--known", text],
                ["run", "--level", text], ["run", "--jobs", text], ["run", "--" + text], [text],
                ["report", text], ["diff", text, text], ["merge", text], ["verify", text],
                ["history", text], ["site", text, "-o", text], ["site", folder, "-o", "/" + text],
                ["list", text], ["list", "cells", "--cells", text], ["help", text],
                ["list", "schema", text], ["completion", text], ["faults", "--faults", text],
                ["replay", text], ["replay", text + ".json"], ["replay", "/" + text],
                ["replay", CASE, "--shrink", "/dev/full/" + text],
                ["explain", "QuantizeLinear", text], ["explain", "QuantizeLinear", text + "=1"],
                ["explain", "QuantizeLinear", "x=" + text], ["explain", text, "x=1"],
                ["explain", "QuantizeLinear", "x=1", "y_scale=1", "--actual", text],
                ["certify", "--vendor", text, "--product", text, "--profile", text, "-o", text],
                ["verify", "/", "--key", text], ["export", "/dev/null/" + text],
                ["prove", text], ["bench", "--operators", text],
                ["worker-check", text]):
            to_terminal(*[word.replace("\0", "") for word in line])
            if line[-1] == report:
                show(report)
        for variable in ("TEST_TOTAL_SHARDS", "GTEST_TOTAL_SHARDS", "SLURM_ARRAY_TASK_COUNT"):
            to_terminal("run", *plugin, *one, environment={
                variable: text, "TEST_SHARD_INDEX": text, "GTEST_SHARD_INDEX": text,
                "SLURM_ARRAY_TASK_ID": text, "SLURM_ARRAY_TASK_MIN": text})
        # The names of files that are there.
        name = os.path.join(folder, text.replace("/", ":")[:200])
        faulty_run(name)
        to_terminal("run", *plugin, *one, "-o", name)
        to_terminal("run", *plugin, *one, "-o", name, "--resume")
        show(name)
        write(name + ".known", {"qconform_known_differences": 1, "differences": []})
        show(name, "--known", name + ".known")
        to_terminal("run", *plugin, *one, "-o", name, "--known", name + ".known",
                    "--update-known")
        to_terminal("diff", name, name)
        to_terminal("merge", name, name)
        run("replay", CASE, "--emit", "json", "-o", name + ".json")
        emit_all(name + ".json")
        to_terminal("replay", name + ".json", *plugin, "--shrink", name + ".small.json")
        to_terminal("export", name + ".tests", *one)
        to_terminal("run", "--no-cells", "--node-tests", name + ".tests", *plugin)
        with open(PLUGIN, "rb") as file:
            library = write(name + ".so", file.read())
        to_terminal("run", "--backend", "plugin:" + library, *plugin[2:], *one, "-v", "-o", name)
        show(name)
        to_terminal("run", "--backend", "plugin:" + report, *one)
    for line in (["run", "--cells", INVALID], ["report", INVALID], [INVALID],
                 ["run", *plugin, "--backend-option", b"says=" + INVALID, *one, "-o", report]):
        to_terminal(*line)
    show(report)


def varint(value):
    return bytes([value]) if value < 128 else bytes([value % 128 + 128]) + varint(value // 128)


def field(number, value):
    """Returns a field of a protobuf message: a number, a text or the bytes of a message."""
    if isinstance(value, int):
        return varint(8 * number) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(8 * number + 2) + varint(len(data)) + data


def model(**names):
    """Returns a ModelProto with QuantizeLinear, a node of another domain and a function."""
    names = {key: names.get(key, key) for key in (
        "producer", "graph", "x", "y", "node", "op_type", "domain", "function", "attribute")}
    tensor = lambda name, data_type, data: (
        field(2, data_type) + field(8, name) + field(9, data))
    value = lambda name, data_type: field(1, name) + field(2, field(1, field(1, data_type) + field(
        2, field(1, field(1, 2)))))
    node = lambda inputs, outputs, *more: b"".join(
        [field(1, each) for each in inputs] + [field(2, each) for each in outputs] + list(more))
    graph = [
        field(1, node([names["x"], "scale", "zero"], ["q"], field(3, names["node"]),
                      field(4, "QuantizeLinear"))),
        field(1, node(["q"], [names["y"]], field(3, names["node"] + "2"),
                      field(4, names["op_type"]), field(7, names["domain"]),
                      field(5, field(1, names["attribute"]) + field(3, 1) + field(20, 2)))),
        field(2, names["graph"]), field(5, tensor("scale", 1, b"\0\0\x80\x3f")),
        field(5, tensor("zero", 2, b"\0")), field(11, value(names["x"], 1)),
        field(12, value(names["y"], 2))]
    function = field(1, names["function"]) + field(10, names["domain"])
    return b"".join([
        field(1, 8), field(2, names["producer"]), field(7, b"".join(graph)), field(8, field(2, 17)),
        field(8, field(1, names["domain"]) + field(2, 1)), field(25, function)])


def models(folder):
    """Every name of a model."""
    listed = 0
    for text in TEXTS.values():
        for name in ("producer", "graph", "x", "y", "node", "op_type", "domain", "function",
                     "attribute"):
            path = write(os.path.join(folder, "model.onnx"), model(**{name: text}))
            code, printed, _ = to_terminal("model", path)
            listed += code == 0 and b"QuantizeLinear" in printed
            code, printed, _ = run("model", path, "--json")
            if code == 0:
                of_json(printed)
            report = os.path.join(folder, "model.json")
            with contextlib.suppress(FileNotFoundError):
                os.remove(report)
            to_terminal("model", path, "--backend", "plugin:" + PLUGIN, "--backend-option",
                        "fault=ties_away", "-v", "-o", report)
            if os.path.exists(report):
                show(report)
        path = write(os.path.join(folder, text.replace("/", ":")[:200] + ".onnx"), model())
        to_terminal("model", path)
    check(listed > 20, "models that were listed:", listed)


def certificates(folder):
    profile = write(os.path.join(folder, "profile.json"), {
        "profile_version": "1.0.0", "name": "tiny", "title": "One cell", "means": "One cell.",
        "cells": [CELL], "passes": ["conformant"], "declinable": []})
    for text in TEXTS.values():
        package = os.path.join(folder, "package.qcert")
        code, printed, errors = to_terminal(
            "certify", "--backend", "plugin:" + PLUGIN, "--profile", profile, "--level", "smoke",
            "--vendor", "V " + text, "--product", "P " + text, "-o", package)
        if code == 2:  # refused, as not every character of it is one to see
            to_terminal("certify", "--backend", "plugin:" + PLUGIN, "--profile", profile,
                        "--level", "smoke", "--vendor", "V", "--product", "P", "-o", package)
        to_terminal("verify", package)
        statement = os.path.join(package, "STATEMENT.json")
        with open(statement) as file:
            whole = json.load(file)
        for place in list(places(whole)):
            changed = copy.deepcopy(whole)
            put(changed, place, text)
            write(statement, changed)
            to_terminal("verify", package, "--no-recount")
        write(statement, whole)
        write(os.path.join(package, text.replace("/", ":")[:200]), b"")
        to_terminal("verify", package, "--no-recount")
        subprocess.run(["rm", "-r", package], check=True)


def sources(_):
    """Only print.cc and the bar of progress write to the terminal."""
    for folder, _, names in os.walk(os.path.join(ROOT, "harness")):
        if not re.search(r"/harness/(cli|runner)\b", folder):
            continue
        for name in names:
            if not name.endswith(".cc") or name.endswith("_test.cc"):
                continue
            with open(os.path.join(folder, name)) as file:
                text = file.read()
            check(name in ("print.cc", "progress.cc") or not re.search(
                r"\b(f?printf|f?puts|fwrite|perror|cout|cerr|clog)\b\s*[(<]", text), name)


def main():
    for send in (sources, reports, known, stored_cases, workers, words, models,
                 certificates):
        if sys.argv[4:] and send.__name__ not in sys.argv[4:]:
            continue
        before = checks
        with tempfile.TemporaryDirectory() as folder:
            faulty_run(folder + "/plain.json")
            show(folder + "/plain.json")
            show_together(folder + "/plain.json")
            send(folder)
        print(f"{send.__name__}: {checks - before} checks")


if __name__ == "__main__":
    main()
