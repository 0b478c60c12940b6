// The built page in a browser, and what a person does with it.

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { Browser, Tab } from "./browser.mjs";
import { FirefoxTab } from "./firefox.mjs";
import { file, ROOT } from "./vector-files.mjs";
import { hasWebKit, WebKitTab } from "./webkit.mjs";

export const MODULE = process.env.FUEKI_OPENER_MODULE ?? join(ROOT, ".build/opener/reader.wasm");

const OTHERS = { firefox: [FirefoxTab, existsSync("/usr/bin/firefox-esr")], webkit: [WebKitTab, hasWebKit] };

/** The browsers that tests run in: others than Chromium only if everything is tried or asked for, and if they are installed. */
export const ENGINES = process.env.FUEKI_ENGINES?.split(" ") ??
  ["chromium", ...Object.keys(OTHERS).filter((name) => process.env.FUEKI_FULL && OTHERS[name][1])];

/** A page that was built for a test, and a browser that shows it. */
export class OpenedPage {
  folder = mkdtempSync(join(tmpdir(), "opener-"));

  /**
   * Builds and shows it.
   *
   * @param change changes the text of the page.
   * @param changes change texts in `page/` before it is built, by their file's name.
   */
  static async start(change = null, engine = "chromium", changes = {}) {
    const page = new OpenedPage();
    page.path = join(page.folder, "open.html");
    page.downloads = join(page.folder, "downloads");
    execFileSync("node", [join(page.#sources(changes), "page/build.mjs"), MODULE, page.path]);
    if (change) writeFileSync(page.path, change(readFileSync(page.path, "utf8")));
    mkdirSync(page.downloads);
    const address = pathToFileURL(page.path).href;
    if (OTHERS[engine]) {
      page.tab = page.browser = await OTHERS[engine][0].open(address, page.downloads);
    } else {
      page.browser = new Browser();
      page.tab = await Tab.open(page.browser, address, page.downloads);
    }
    await page.tab.until("document.querySelector('input[type=file]') !== null");
    return page;
  }

  /** The folder of the sources, a copy of them if something is changed. */
  #sources(changes) {
    const original = join(ROOT, "Sources/Opener");
    if (Object.keys(changes).length === 0) return original;
    const copy = join(this.folder, "Opener");
    cpSync(original, copy, { recursive: true });
    for (const [name, changed] of Object.entries(changes)) {
      const path = join(copy, "page", name);
      writeFileSync(path, changed(readFileSync(path, "utf8")));
    }
    return copy;
  }

  async end() {
    await this.browser.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Loads the page anew. */
  async reload() {
    await this.tab.reload();
    await this.tab.until("document.querySelector('article') === null && document.querySelector('input[type=file]') !== null");
  }

  /** Chooses files, and waits until each has its verdict. */
  async choose(...paths) {
    await this.tab.choose("section.choose input[type=file]", paths);
    await this.tab.until(`document.querySelectorAll("article").length >= ${paths.length}`);
  }

  /** Chooses vectors. */
  chooseVectors(...names) { return this.choose(...names.map((name) => file(name, join(this.folder, "vectors")))); }

  /** The sentence of the first verdict. */
  verdict() { return this.tab.run("document.querySelector('.verdict').textContent"); }

  /** Presses Open, and waits for the contents or for what is said instead. */
  async open() {
    await this.tab.press("Open");
    await this.tab.until(`document.body.innerText.includes("3. What is in it") ||
      (document.querySelector("[role=alert] .bad") !== null && !document.querySelector("progress"))`);
    return this.tab.text();
  }

  /** Presses a button that saves, and returns the path of the file. */
  async save(text, name) {
    const path = join(this.downloads, name);
    rmSync(path, { force: true });
    await this.tab.press(text);
    await this.tab.downloaded(name);
    if (!existsSync(path)) throw new Error(`${name} is not there`);
    return path;
  }

  /** The members of a ZIP file, in a folder of their own. */
  unpack(path) {
    const folder = mkdtempSync(join(this.folder, "members-"));
    // Python keeps names as they are; times are those of the extended fields.
    execFileSync("python3", ["-c", "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\nz.extractall(sys.argv[2])", path, folder]);
    return folder;
  }
}
