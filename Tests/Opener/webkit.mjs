// Drives WebKitGTK by its WebDriver, on a screen of its own that nobody sees.

import { spawn } from "node:child_process";
import { closeSync, existsSync, fstatSync, mkdirSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Driven } from "./browser.mjs";

const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** Whether Debian's packages for it are here. */
export const hasWebKit = ["/usr/bin/WebKitWebDriver", "/usr/bin/Xvfb"].every((path) => existsSync(path));

/** A running WebKitGTK, and its one tab. */
export class WebKitTab extends Driven {
  log = [];
  #profile = mkdtempSync(join(tmpdir(), "opener-"));
  #processes = [];
  #port;
  #session;
  #inFrame = false;
  #downloads;

  static async open(address, downloads) {
    const tab = new WebKitTab();
    tab.#downloads = downloads;
    const screen = tab.#start("Xvfb", ["-displayfd", "3", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"], {}, ["ignore", "ignore", "ignore", "pipe"]);
    const display = await new Promise((resolve, reject) => {
      screen.stdio[3].once("data", (bytes) => resolve(String(bytes).trim()));
      screen.once("exit", () => reject(new Error("no screen")));
    });
    mkdirSync(join(tab.#profile, "config"));
    writeFileSync(join(tab.#profile, "config/user-dirs.dirs"), `XDG_DOWNLOAD_DIR="${downloads}"\n`);
    tab.#port = await freePort();
    tab.#start("WebKitWebDriver", [`--port=${tab.#port}`], {
      DISPLAY: `:${display}`, HOME: tab.#profile, XDG_CONFIG_HOME: join(tab.#profile, "config"), XDG_CACHE_HOME: join(tab.#profile, "cache"),
      XDG_DATA_HOME: join(tab.#profile, "data"), LIBGL_ALWAYS_SOFTWARE: "1", WEBKIT_DISABLE_COMPOSITING_MODE: "1", NO_AT_BRIDGE: "1",
    });
    while (!(await tab.#call("GET", "/status").catch(() => null))?.ready) await new Promise((resolve) => setTimeout(resolve, 50));
    const { sessionId } = await tab.#call("POST", "/session", { capabilities: { alwaysMatch: { timeouts: { script: 600000 } } } });
    tab.#session = `/session/${sessionId}`;
    await tab.#call("POST", `${tab.#session}/url`, { url: address });
    return tab;
  }

  async run(expression, { inFrame = true } = {}) {
    if (inFrame !== this.#inFrame) {
      await this.#call("POST", `${this.#session}/frame`, { id: null });
      if (inFrame) await this.#call("POST", `${this.#session}/frame`, { id: 0 });
      this.#inFrame = inFrame;
    }
    const script = `const done = arguments[arguments.length - 1];
      (async () => (${expression}))().then((value) => done({ value }), (error) => done({ failure: String(error.stack ?? error) }));`;
    const { value, failure } = await this.#call("POST", `${this.#session}/execute/async`, { script, args: [] });
    if (failure !== undefined && failure !== null) throw new Error(failure);
    return value;
  }

  async choose(selector, files) {
    await this.empty(selector);
    const found = await this.#call("POST", `${this.#session}/element`, { using: "css selector", value: selector });
    await this.#call("POST", `${this.#session}/element/${found[ELEMENT]}/value`, { text: files.join("\n") });
  }

  async reload() {
    await this.#call("POST", `${this.#session}/frame`, { id: null });
    this.#inFrame = false;
    await this.#call("POST", `${this.#session}/refresh`, {});
  }

  async downloaded(name) {
    const path = join(this.#downloads, name);
    const end = Date.now() + 2 * this.patience;
    // WebKitGTK writes under the name itself, so the end of a ZIP file shows that it is whole.
    const hasEnded = () => existsSync(path) && (name.endsWith(".zip") ? isZipWhole(path) : statSync(path).size > 0);
    while (!hasEnded()) {
      if (Date.now() > end) throw new Error(`no download of ${name}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async close() {
    if (this.#session) await this.#call("DELETE", this.#session).catch(() => {});
    for (const started of this.#processes.reverse()) {
      started.kill();
      if (started.exitCode === null && started.signalCode === null) await new Promise((resolve) => started.once("exit", resolve));
    }
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  #start(name, words, environment, stdio = "ignore") {
    const started = spawn(name, words, { stdio, env: { ...process.env, ...environment } });
    this.#processes.push(started);
    return started;
  }

  #call(method, path, body) {
    const text = body === undefined ? "" : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const call = request({ host: "127.0.0.1", port: this.#port, method, path, headers: { "content-length": Buffer.byteLength(text) } }, (answer) => {
        const parts = [];
        answer.on("data", (part) => parts.push(part));
        answer.on("end", () => {
          const { value } = JSON.parse(Buffer.concat(parts).toString());
          if (answer.statusCode === 200) resolve(value);
          else reject(new Error(`${path}: ${value?.error}: ${value?.message}`));
        });
      });
      call.on("error", reject);
      call.end(text);
    });
  }
}

function isZipWhole(path) {
  const file = openSync(path, "r");
  const end = Buffer.alloc(22);
  readSync(file, end, 0, 22, Math.max(0, fstatSync(file).size - 22));
  closeSync(file);
  return end.readUInt32LE(0) === 0x06054b50;
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
