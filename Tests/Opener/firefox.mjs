// Drives Firefox by Marionette, the protocol that it has built in.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Driven } from "./browser.mjs";

const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** A running Firefox without a window, and its one tab. */
export class FirefoxTab extends Driven {
  log = [];
  #process;
  #profile = mkdtempSync(join(tmpdir(), "opener-"));
  #socket;
  #waiting = new Map();
  #last = 0;
  #rest = Buffer.alloc(0);
  #inFrame = false;
  #downloads;

  static async open(address, downloads) {
    const tab = new FirefoxTab();
    tab.#downloads = downloads;
    const preferences = {
      "browser.download.folderList": 2, "browser.download.dir": downloads, "browser.download.alwaysOpenPanel": false,
      "browser.helperApps.neverAsk.saveToDisk": "application/zip", "marionette.port": 0, "browser.shell.checkDefaultBrowser": false,
    };
    writeFileSync(join(tab.#profile, "user.js"), Object.entries(preferences).map(([name, value]) =>
      `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join(""));
    tab.#process = spawn("firefox-esr", ["--headless", "--marionette", "--no-remote", "--profile", tab.#profile], {
      stdio: "ignore", env: { ...process.env, HOME: tab.#profile },
    });
    await tab.#reach();
    await tab.#send("WebDriver:NewSession", { capabilities: { alwaysMatch: { acceptInsecureCerts: false } } });
    await tab.#send("WebDriver:Navigate", { url: address });
    return tab;
  }

  async run(expression, { inFrame = true } = {}) {
    if (inFrame !== this.#inFrame) {
      await this.#send("WebDriver:SwitchToFrame", { id: null });
      if (inFrame) await this.#send("WebDriver:SwitchToFrame", { id: 0 });
      this.#inFrame = inFrame;
    }
    const { value } = await this.#send("WebDriver:ExecuteScript", { script: `return (async () => (${expression}))()`, args: [] });
    return value;
  }

  async choose(selector, files) {
    await this.empty(selector);
    const { value } = await this.#send("WebDriver:FindElement", { using: "css selector", value: selector });
    await this.#send("WebDriver:ElementSendKeys", { id: value[ELEMENT], text: files.join("\n") });
  }

  async reload() {
    await this.#send("WebDriver:SwitchToFrame", { id: null });
    this.#inFrame = false;
    await this.#send("WebDriver:Refresh", {});
  }

  async downloaded(name) {
    const end = Date.now() + 2 * this.patience;
    while (!existsSync(join(this.#downloads, name)) || existsSync(join(this.#downloads, `${name}.part`))) {
      if (Date.now() > end) throw new Error(`no download of ${name}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    // Firefox makes an empty file first.
    while (statSync(join(this.#downloads, name)).size === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  }

  async close() {
    await this.#send("Marionette:Quit", { flags: ["eForceQuit"] }).catch(() => {});
    await new Promise((resolve) => (this.#process.exitCode === null ? this.#process.once("exit", resolve) : resolve()));
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Firefox writes the port that it got into its profile. */
  async #reach() {
    const place = join(this.#profile, "MarionetteActivePort");
    for (let turn = 0; !existsSync(place); turn += 1) {
      if (turn > 1200) throw new Error("Firefox did not start");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    this.#socket = connect(Number(readFileSync(place, "utf8")), "127.0.0.1");
    this.#socket.on("data", (bytes) => this.#take(bytes));
    this.#socket.on("close", () => { for (const { reject } of this.#waiting.values()) reject(new Error("Firefox ended")); });
    await new Promise((resolve) => this.#waiting.set("hello", { resolve, reject: resolve }));
  }

  #send(name, parameters) {
    this.#last += 1;
    const message = Buffer.from(JSON.stringify([0, this.#last, name, parameters]));
    this.#socket.write(`${message.length}:`);
    this.#socket.write(message);
    return new Promise((resolve, reject) => this.#waiting.set(this.#last, { resolve, reject }));
  }

  #take(bytes) {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    for (let colon; (colon = this.#rest.indexOf(":")) > 0;) {
      const length = Number(this.#rest.subarray(0, colon));
      if (this.#rest.length < colon + 1 + length) return;
      const message = JSON.parse(this.#rest.subarray(colon + 1, colon + 1 + length));
      this.#rest = this.#rest.subarray(colon + 1 + length);
      const [id, error, result] = Array.isArray(message) ? message.slice(1) : ["hello", null, message];
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error) waiting?.reject(new Error(`${error.error}: ${error.message}`));
      else waiting?.resolve(result);
    }
  }
}
