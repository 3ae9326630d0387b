// Writes one classic script that holds a module of Emscripten and its WebAssembly, compressed, so that
// a page can load it from a folder. Usage: node pack.mjs MODULE_JS MODULE_WASM OUT_JS
// The script defines qconformExplainModule(), which promises the module.

import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const [script, binary, out] = process.argv.slice(2);
const packed = gzipSync(readFileSync(binary), { level: 9 }).toString("base64");
writeFileSync(
  out,
  `${readFileSync(script, "utf8")}
async function qconformExplainModule() {
  const packed = Uint8Array.from(atob(qconformExplainPacked), letter => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return qconformExplainGlue({ wasmBinary: await new Response(stream).arrayBuffer() });
}
if (typeof module === "object") module.exports = qconformExplainModule;
const qconformExplainPacked = "${packed}";
`,
);
