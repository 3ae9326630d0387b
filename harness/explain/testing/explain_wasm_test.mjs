// The WebAssembly of explain gives what the native code gives, byte for byte: for the cases
// of level smoke of all operators, and for bad input. Usage:
//   node explain_wasm_test.mjs MODULE QUESTIONS QCONFORM [EVERY]
// MODULE is qconform_explain.js of the preset wasm, QUESTIONS the program
// qconform_smoke_questions, of whose cases every EVERY-th is asked (1: all).
//
// Exits with 77 if MODULE is not there.

import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

const [file, questions, program, every = "1"] = process.argv.slice(2);
if (!existsSync(file)) {
  console.log(`not run, because ${file} is missing: cmake --workflow --preset wasm`);
  process.exit(77);
}
const module = await createRequire(import.meta.url)(resolve(file))();
const call = (name, text) => module.ccall(name, "string", ["string"], [text]);

let failures = 0;
function fail(what, expected, got) {
  if (++failures > 10) return;
  console.error(`${what}\n  native: ${expected.slice(0, 2000)}\n  wasm:   ${got.slice(0, 2000)}`);
}

// Without definitions there is no operator, and no crash.
if (!JSON.parse(call("qconform_explain", '{"operator": "X", "settings": []}')).error)
  fail("no definitions", "an error", "none");
if (!call("qconform_define", "[]")) fail("qconform_define", "an error", "none");

// The cell of a question is that of its case, but for a scale or zero point that is a list of one element: typed,
// it is per tensor, and the case may have it as its only row or column.
function isCell(got, wanted, question) {
  if (got === wanted) return true;
  const hasListOfOne = JSON.parse(question).settings.some(text => /(scale|zero_point)=\[+[^,\[\]]+\]+:/.test(text));
  if (!hasListOfOne) return false;
  const place = got.lastIndexOf("/") + 1;
  const parts = wanted.slice(place).split("-");
  const found = got.slice(place).split("-");
  return got.slice(0, place) === wanted.slice(0, place) && found.length === parts.length &&
    found.every((part, i) => part === parts[i] || part === "per_tensor");
}

const source = spawn(questions, [every], { stdio: ["ignore", "pipe", "inherit"] });
const ended = new Promise(done => source.on("close", done));
let definitions = null;
let totals = null;
const asked = {};
for await (const line of createInterface({ input: source.stdout })) {
  if (!definitions) {
    definitions = JSON.parse(line);
    const wrong = call("qconform_define", line);
    if (wrong) fail("qconform_define", "", wrong);
    continue;
  }
  const one = JSON.parse(line);
  if (one.cases !== undefined) {
    totals = one;
    continue;
  }
  const op = one.id.split("/")[0];
  asked[op] = (asked[op] || 0) + 1;
  const got = call("qconform_explain", one.question);
  if (got !== one.answer) fail(one.id, one.answer, got);
  const answer = JSON.parse(one.answer);
  if (answer.error) fail(one.id, "an answer", answer.error);
  else if (!isCell(answer.cell, one.cell, one.question)) fail(one.id, `cell ${one.cell}`, answer.cell);
}
if ((await ended) !== 0 || !totals) fail(questions, "exit code 0", "another");
for (const op of Object.keys(definitions)) if (!asked[op]) fail(op, "cases", "none");

// The program itself prints the text, or the error, of the same words.
const shell = question => {
  const { operator, settings, opset, element, actual } = question;
  const words = ["explain", operator, ...settings];
  if (opset) words.push("--opset", String(opset));
  if (element) words.push("--element", String(element));
  if (actual) words.push("--actual", actual);
  return spawnSync(program, words, { encoding: "utf8" });
};
let compared = 0;
function compare(question) {
  const { stdout, stderr } = shell(question);
  const answer = JSON.parse(call("qconform_explain", JSON.stringify(question)));
  const got = answer.error ? `qconform: ${answer.error}\n` : answer.text;
  const native = answer.error ? stderr : stdout;
  if (native !== got) fail(JSON.stringify(question), native + stderr, got);
  ++compared;
}
for (const [operator, { versions, example: settings }] of Object.entries(definitions)) {
  const first = settings[0].split("=")[0];
  const rest = settings.slice(1);
  const newest = versions[versions.length - 1].opset_versions.slice(-1)[0];
  compare({ operator, settings });
  compare({ operator, settings, element: 1 });
  compare({ operator, settings, opset: versions[0].since_version });
  compare({ operator, settings, opset: newest + 1 });
  compare({ operator, settings, opset: 1 });
  compare({ operator, settings, element: 1000000 });
  compare({ operator, settings, actual: "[0]" });
  compare({ operator, settings, actual: "77" });
  compare({ operator, settings: [] });
  compare({ operator, settings: [...settings, settings[0]] });
  compare({ operator, settings: [...settings, "zzz=1"] });
  compare({ operator, settings: [...settings, "axis"] });
  for (const value of ["", "[", "[1", "[1,]", "[[1,2],[3]]", "1:FOO", "1:DOUBLE", "abc:FLOAT", "[[[1]]]:INT8", "1e999:FLOAT", "300:UINT8", "\u00e9"])
    compare({ operator, settings: [`${first}=${value}`, ...rest] });
}
compare({ operator: "Foo", settings: ["x=1"] });

const counts = Object.entries(asked).map(([op, count]) => `${op} ${count}`).join(", ");
console.log(`${totals ? totals.asked : 0} of ${totals ? totals.cases : 0} questions of smoke (${counts}); ${totals ? totals.left_out : 0} have shapes that are not typed; ${compared} compared with the program's output; ${failures} differ`);
process.exit(failures ? 1 : 0);
