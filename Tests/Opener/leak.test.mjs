// What a page with a stranger's script in it can reach: nothing. A server of this machine listens for every attempt.

import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { createServer } from "node:net";
import test from "node:test";

import { OpenedPage } from "./page.mjs";

/** A server on this machine that counts whoever comes, by TCP or UDP. */
async function listening() {
  const contacts = [];
  const tcp = createServer((socket) => {
    contacts.push("TCP");
    socket.on("data", (bytes) => contacts.push(bytes.toString("latin1").split("\r\n")[0]));
    socket.on("error", () => {});
    socket.end("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
  });
  await new Promise((resolve) => tcp.listen(0, "127.0.0.1", resolve));
  const { port } = tcp.address();
  const udp = createSocket("udp4", () => contacts.push("UDP"));
  await new Promise((resolve) => udp.bind(port, "127.0.0.1", resolve));
  return { contacts, port, end: () => (tcp.close(), udp.close()) };
}

const ATTEMPTS = {
  fetch: "fetch(at).catch(() => {})",
  "fetch in a worker": "new Worker(URL.createObjectURL(new Blob([`fetch(${JSON.stringify(at)}).catch(() => {}); try { importScripts(${JSON.stringify(at)}) } catch {}`])))",
  XMLHttpRequest: "(() => { const call = new XMLHttpRequest(); call.open('GET', at); call.send(); })()",
  WebSocket: "new WebSocket(at.replace('http', 'ws'))",
  EventSource: "new EventSource(at)",
  sendBeacon: "navigator.sendBeacon(at, 'x')",
  image: "document.body.append(Object.assign(new Image(), { src: at }))",
  script: "document.body.append(Object.assign(document.createElement('script'), { src: at }))",
  "inline script": "document.body.append(Object.assign(document.createElement('script'), { textContent: `fetch(${JSON.stringify(at)})` }))",
  style: "document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: at }))",
  prefetch: "document.head.append(Object.assign(document.createElement('link'), { rel: 'prefetch', href: at }))",
  preload: "document.head.append(Object.assign(document.createElement('link'), { rel: 'preload', as: 'image', href: at }))",
  icon: "document.head.append(Object.assign(document.createElement('link'), { rel: 'icon', href: at }))",
  "background of an element": "(document.body.style.backgroundImage = `url(${at})`)",
  font: "new FontFace('x', `url(${at})`).load().catch(() => {})",
  media: "document.body.append(Object.assign(document.createElement('video'), { src: at, autoplay: true }))",
  object: "document.body.append(Object.assign(document.createElement('object'), { data: at }))",
  embed: "document.body.append(Object.assign(document.createElement('embed'), { src: at }))",
  frame: "document.body.append(Object.assign(document.createElement('iframe'), { src: at }))",
  "frame of text": "document.body.append(Object.assign(document.createElement('iframe'), { srcdoc: `<img src=${at}>` }))",
  "frame of bytes": "document.body.append(Object.assign(document.createElement('iframe'), { src: URL.createObjectURL(new Blob([`<img src=${at}><script>fetch('${at}')</script>`], { type: 'text/html' })) }))",
  form: "(() => { const form = Object.assign(document.createElement('form'), { action: at, method: 'post' }); document.body.append(form); form.submit(); })()",
  "pop-up": "window.open(at)",
  "a link": "(() => { const link = Object.assign(document.createElement('a'), { href: at, target: '_blank' }); document.body.append(link); link.click(); })()",
  ping: "(() => { const link = Object.assign(document.createElement('a'), { href: '#x', ping: at }); document.body.append(link); link.click(); })()",
  markup: "(() => { const part = document.createElement('div'); document.body.append(part); part.innerHTML = `<img src=${at} onerror=fetch('${at}')>`; })()",
  "the whole window": "(() => { try { top.location = at; } catch {} })()",
  "its own frame": "(location.href = at)",
};

const heard = (server) => server.contacts.filter((contact) => contact !== "TCP" && contact !== "GET /visit HTTP/1.1");

/**
 * Tries everything in the frame, and returns who came before a visit that the browser itself makes.
 *
 * The first navigation ends requests that have not left yet, so `settled` is awaited before it.
 */
async function attempt(page, server, settled = async () => {}) {
  for (const [name, attempt] of Object.entries(ATTEMPTS)) {
    if (name === "form") await settled();
    const code = `(() => { const at = "http://127.0.0.1:${server.port}/${encodeURIComponent(name)}"; try { ${attempt}; } catch {} })()`;
    await page.tab.run(code).catch(() => {});
  }
  await page.tab.send("Page.navigate", { url: `http://127.0.0.1:${server.port}/visit` });
  while (!server.contacts.includes("GET /visit HTTP/1.1")) await new Promise((resolve) => setImmediate(resolve));
  return heard(server);
}

test("a script that got into the frame reaches no server", async () => {
  const server = await listening();
  const page = await OpenedPage.start();
  try {
    assert.deepEqual(await attempt(page, server), []);
  } finally {
    await page.end();
    server.end();
  }
});

test("without the policy and the frame's limits the same script is heard", async () => {
  const server = await listening();
  const page = await OpenedPage.start((text) =>
    text.replaceAll(/<meta http-equiv="Content-Security-Policy"[^>]*>/g, "").replace(/ sandbox="[^"]*"/, ""));
  try {
    const deadline = Date.now() + 60_000;
    const found = await attempt(page, server, async () => {
      while (heard(server).length < 10 && Date.now() < deadline) await new Promise((resolve) => setImmediate(resolve));
    });
    assert.ok(found.length >= 10, found.join("\n"));
  } finally {
    await page.end();
    server.end();
  }
});
