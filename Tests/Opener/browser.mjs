// Drives Chromium over its debugging pipe: no driver, no package, no port.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A running Chromium without a window. */
export class Browser {
  #process;
  #profile = mkdtempSync(join(tmpdir(), "opener-"));
  #waiting = new Map();
  #listeners = [];
  #last = 0;
  #rest = "";

  constructor(options = []) {
    const root = process.getuid() === 0 ? ["--no-sandbox"] : [];
    this.#process = spawn("chromium", [
      "--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--no-first-run", "--disable-background-networking",
      `--user-data-dir=${this.#profile}`, ...root, ...options, "about:blank",
    ], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.#process.on("exit", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error("the browser ended"));
    });
    this.#process.stdio[3].on("error", () => {});
    this.#process.stdio[4].setEncoding("utf8");
    this.#process.stdio[4].on("data", (text) => this.#take(text));
  }

  /** Sends a command, and returns its result. */
  send(method, params = {}, sessionId = undefined) {
    this.#last += 1;
    const id = this.#last;
    this.#process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, method }));
  }

  /** Calls back for each event. */
  on(listener) { this.#listeners.push(listener); }

  async close() {
    await this.send("Browser.close").catch(() => {});
    await new Promise((resolve) => (this.#process.exitCode === null ? this.#process.once("exit", resolve) : resolve()));
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  #take(text) {
    this.#rest += text;
    const messages = this.#rest.split("\0");
    this.#rest = messages.pop();
    for (const message of messages.map((part) => JSON.parse(part))) {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (waiting && message.error) waiting.reject(new Error(`${waiting.method}: ${message.error.message}`));
      else if (waiting) waiting.resolve(message.result);
      else for (const listener of this.#listeners) listener(message);
    }
  }
}

/** What a person does with a page, by the expressions that an engine runs in its frame. */
export class Driven {
  /** How long it waits, in milliseconds. */
  patience = 60_000;

  /** Waits until an expression is true. */
  async until(expression, options = {}) {
    const end = Date.now() + (options.within ?? this.patience);
    for (;;) {
      const value = await this.run(expression, options).catch((error) => {
        if (Date.now() > end) throw error;
      });
      if (value) return value;
      if (Date.now() > end) throw new Error(`never: ${expression}\n${await this.text().catch(() => "")}\n${this.log.join("\n")}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** All the words that the frame shows. */
  text() { return this.run("document.body.innerText"); }

  /** Presses the button with a text. */
  press(text) {
    return this.run(`(() => {
      const found = [...document.querySelectorAll("button")].find((button) => button.textContent === ${JSON.stringify(text)} && !button.hidden);
      if (!found) throw new Error("no button " + ${JSON.stringify(text)});
      found.click();
    })()`);
  }

  /** Takes the files out of a field: a WebDriver adds to those that are there. */
  empty(selector) { return this.run(`(document.querySelector(${JSON.stringify(selector)}).value = "", null)`); }

  /** Types a text into the field with a label. */
  type(label, text) {
    return this.run(`(() => {
      const name = [...document.querySelectorAll("label")].find((label) => label.textContent.startsWith(${JSON.stringify(label)}));
      const field = document.getElementById(name.htmlFor);
      field.focus();
      field.value = ${JSON.stringify(text)};
      field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText" }));
    })()`);
  }
}

/** A tab with the page, whose sandboxed frame is reached as `frame`. */
export class Tab extends Driven {
  /** What the page wrote to the console, errors and violations of its policy. */
  log = [];
  /** How often a page was loaded. */
  loads = 0;
  #browser;
  #contexts = new Map();
  #downloads = new Map();

  static async open(browser, address, downloads) {
    const tab = new Tab();
    tab.#browser = browser;
    browser.on((event) => tab.#see(event));
    await browser.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: downloads, eventsEnabled: true });
    const { targetId } = await browser.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await browser.send("Target.attachToTarget", { targetId, flatten: true });
    tab.session = sessionId;
    await tab.#watch(sessionId);
    await tab.send("Page.enable");
    await tab.send("Page.navigate", { url: address });
    return tab;
  }

  send(method, params = {}, session = this.session) { return this.#browser.send(method, params, session); }

  /** Loads the page anew. */
  async reload() {
    const before = this.loads;
    await this.send("Page.reload");
    while (this.loads === before) await new Promise((resolve) => setTimeout(resolve, 25));
  }

  /** Runs an expression in the page, or in its frame. */
  async run(expression, { inFrame = true } = {}) {
    const context = await this.#context(inFrame);
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", {
      expression, contextId: context.id, awaitPromise: true, returnByValue: true, userGesture: true,
    }, context.session);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Chooses files in a field of the frame. */
  async choose(selector, files) {
    const context = await this.#context(true);
    const { result } = await this.send("Runtime.evaluate", { expression: `document.querySelector(${JSON.stringify(selector)})`,
      contextId: context.id }, context.session);
    await this.send("DOM.setFileInputFiles", { files, objectId: result.objectId }, context.session);
  }

  /** Waits for the next download to be whole, and returns the name that the page gave it. */
  async downloaded(name) {
    const end = Date.now() + 2 * this.patience;
    for (;;) {
      for (const [guid, download] of this.#downloads) {
        if (download.name === name && download.isWhole) {
          this.#downloads.delete(guid);
          return download.name;
        }
      }
      if (Date.now() > end) throw new Error(`no download of ${name}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async #watch(session) {
    await this.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: true }, session);
    await this.send("Runtime.enable", {}, session);
    await this.send("Log.enable", {}, session).catch(() => {});
  }

  async #context(inFrame) {
    for (let turn = 0; turn < 200; turn += 1) {
      const found = [...this.#contexts.values()].find((context) => context.isFrame === inFrame);
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error(`the ${inFrame ? "frame" : "page"} is not there\n${this.log.join("\n")}`);
  }

  #forget(session) {
    for (const [key, context] of this.#contexts) if (context.session === session) this.#contexts.delete(key);
  }

  #see({ method, params, sessionId }) {
    if (method === "Target.detachedFromTarget") this.#forget(params.sessionId);
    if (method === "Target.attachedToTarget") this.#watch(params.sessionId).catch(() => {});
    if (method === "Runtime.executionContextCreated") {
      const { id, origin, auxData } = params.context;
      if (!auxData?.isDefault || auxData.type !== "default") return;
      const isFrame = sessionId !== this.session || origin === "://" || origin === "null" ||
        [...this.#contexts.values()].some((context) => context.session === sessionId && context.frame !== auxData.frameId);
      this.#contexts.set(`${sessionId} ${id}`, { id, session: sessionId, isFrame, frame: auxData.frameId });
    }
    if (method === "Runtime.executionContextDestroyed") this.#contexts.delete(`${sessionId} ${params.executionContextId}`);
    if (method === "Runtime.executionContextsCleared") this.#forget(sessionId);
    if (method === "Page.loadEventFired" && sessionId === this.session) this.loads += 1;
    if (method === "Runtime.exceptionThrown") this.log.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === "Log.entryAdded") this.log.push(params.entry.text);
    if (method === "Runtime.consoleAPICalled") this.log.push(params.args.map((value) => value.value ?? value.description).join(" "));
    if (method === "Browser.downloadWillBegin") this.#downloads.set(params.guid, { name: params.suggestedFilename, isWhole: false });
    if (method === "Browser.downloadProgress" && params.state === "completed") {
      const download = this.#downloads.get(params.guid);
      if (download) download.isWhole = true;
    }
  }
}
