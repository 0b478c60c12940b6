// Makes the page: build.mjs MODULE OUTPUT
//
// MODULE is the WebAssembly module. Every script, style and byte goes into the one file OUTPUT, which depends on nothing
// but its sources: no time, no path, no order of a folder.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { deflateRawSync } from "node:zlib";

const LIMIT = 400_000;
const IMPORT = /^import\s*\{([^}]*)\}\s*from\s*"(\.[^"]+)";\n/gm;
const REEXPORT = /^export\s*\{([^}]*)\}\s*from\s*"(\.[^"]+)";\n/gm;
const LIST = /^export\s*\{([^}]*)\};\n/gm;
const EXPORT = /^export ((?:async )?(?:class|const|function\*?))\s+(\w+)/gm;
const page = dirname(fileURLToPath(import.meta.url));
const [modulePath, output] = process.argv.slice(2);
if (!output) throw new Error("build.mjs MODULE OUTPUT");

const style = read("style.css");
const frameScript = bundle(join(page, "main.mjs"));
const outerScript = bundle(join(page, "outer.mjs"));
const policy = [
  "default-src 'none'",
  `script-src '${digest(frameScript)}' '${digest(outerScript)}' 'wasm-unsafe-eval'`,
  `style-src '${digest(style)}'`,
  "worker-src blob:",
  // Firefox asks this of a file that a frame saves.
  "frame-src blob:",
  "form-action 'none'",
  "base-uri 'none'",
].join("; ");

const frame = filled("frame.html", {
  policy, style, script: frameScript, worker: bundle(join(page, "worker.mjs")),
  module: deflateRawSync(readFileSync(modulePath), { level: 9 }).toString("base64"),
});
// In single quotes, because the scripts are full of double ones.
const attribute = frame.replaceAll("&", "&amp;").replaceAll("'", "&#39;");
const text = filled("open.html", { policy, style, script: outerScript, frame: attribute });
const length = Buffer.byteLength(text);
if (length > LIMIT) throw new Error(`the page has ${length} bytes; the limit is ${LIMIT}`);
writeFileSync(output, text);

function read(name) {
  return readFileSync(join(page, name), "utf8");
}

/** A page with each `{{name}}` replaced. */
function filled(name, values) {
  return read(name).replace(/\{\{(\w+)\}\}/g, (_, key) => values[key]);
}

function digest(text) {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/**
 * A script of a module and all that it imports: each is a function, called once and after those that it imports, which
 * returns what the module exports.
 */
function bundle(entry) {
  const parts = [];
  const numbers = new Map();
  add(entry);
  const script = `(() => {\n"use strict";\n${parts.join("\n")}})();\n`;
  if (/<\/script|<!--/i.test(script)) throw new Error(`${entry}: text that ends a script`);
  new Script(script);
  return script;

  /** Adds a module if it is not there, and returns the name of what it exports. */
  function add(path) {
    if (!numbers.has(path)) {
      numbers.set(path, null);
      const body = moduleBody(path);
      numbers.set(path, `module${parts.length + 1}`);
      parts.push(`// ${relative(page, path)}\nconst ${numbers.get(path)} = (() => {\n${body}})();\n`);
    }
    const name = numbers.get(path);
    if (name === null) throw new Error(`${path} imports itself through others`);
    return name;
  }

  function moduleBody(path) {
    const exported = [];
    const code = readFileSync(path, "utf8")
      .replace(IMPORT, (_, names, from) => `const {${names.replace(/(\w+)\s+as\s+/g, "$1: ")}} = ${add(resolve(dirname(path), from))};\n`)
      .replace(REEXPORT, (_, names, from) => {
        const module = add(resolve(dirname(path), from));
        for (const name of listed(names)) exported.push(`${name}: ${module}.${name}`);
        return "";
      })
      .replace(LIST, (_, names) => (exported.push(...listed(names)), ""))
      .replace(EXPORT, (_, kind, name) => (exported.push(name), `${kind} ${name}`));
    if (/^(import|export)\b/m.test(code)) throw new Error(`${path}: an import or export of another form`);
    return `${code.trim()}\n${exported.length > 0 ? `return { ${exported.join(", ")} };\n` : ""}`;
  }
}

function listed(names) {
  return names.split(",").map((name) => name.trim()).filter((name) => name !== "");
}
