// The built page in a browser, and what a person does with it.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { Browser, Tab } from "./browser.mjs";
import { FirefoxTab } from "./firefox.mjs";
import { file, ROOT } from "./vector-files.mjs";

export const MODULE = process.env.FUEKI_OPENER_MODULE ?? join(ROOT, ".build/opener/reader.wasm");

/** The browsers that tests run in: another than Chromium only if everything is tried, and if it is installed. */
export const ENGINES = ["chromium", ...(process.env.FUEKI_FULL && existsSync("/usr/bin/firefox-esr") ? ["firefox"] : [])];

/** A page that was built for a test, and a browser that shows it. */
export class OpenedPage {
  folder = mkdtempSync(join(tmpdir(), "opener-"));

  /** Builds and shows it; `change` may change its text first. */
  static async start(change = null, engine = "chromium") {
    const page = new OpenedPage();
    page.path = join(page.folder, "open.html");
    page.downloads = join(page.folder, "downloads");
    execFileSync("node", [join(ROOT, "Sources/Opener/page/build.mjs"), MODULE, page.path]);
    if (change) writeFileSync(page.path, change(readFileSync(page.path, "utf8")));
    mkdirSync(page.downloads);
    const address = pathToFileURL(page.path).href;
    if (engine === "firefox") {
      page.tab = page.browser = await FirefoxTab.open(address, page.downloads);
    } else {
      page.browser = new Browser();
      page.tab = await Tab.open(page.browser, address, page.downloads);
    }
    await page.tab.until("document.querySelector('input[type=file]') !== null");
    return page;
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
