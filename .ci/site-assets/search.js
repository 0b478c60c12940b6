"use strict";
// Finds the sections that have all words of a query; headings count most. The index is in search-index.js.
(() => {
  const form = document.querySelector("form.search");
  const query = document.getElementById("query");
  const results = document.getElementById("results");
  form.hidden = false;

  function score(entry, words) {
    const [page, heading, , text] = entry.map((part) => part.toLowerCase());
    let sum = 0;
    for (const word of words) {
      const inText = text.split(word).length - 1;
      const found = (page.includes(word) ? 20 : 0) + (heading.includes(word) ? 30 : 0) + Math.min(inText, 9);
      if (found === 0) return 0;
      sum += found;
    }
    return sum;
  }

  function excerpt(text, word) {
    const place = Math.max(0, text.toLowerCase().indexOf(word) - 60);
    return (place > 0 ? "…" : "") + text.slice(place, place + 180) + (place + 180 < text.length ? "…" : "");
  }

  function mark(node, text, words) {
    const lower = text.toLowerCase();
    let place = 0;
    while (place < text.length) {
      const next = words.map((word) => [lower.indexOf(word, place), word.length]).filter(([at]) => at >= 0)
        .sort((a, b) => a[0] - b[0])[0];
      if (!next) break;
      node.append(text.slice(place, next[0]));
      const hit = document.createElement("mark");
      hit.textContent = text.slice(next[0], next[0] + next[1]);
      node.append(hit);
      place = next[0] + next[1];
    }
    node.append(text.slice(place));
  }

  function show() {
    const words = query.value.toLowerCase().split(/\s+/).filter((word) => word.length > 1);
    results.replaceChildren();
    results.hidden = words.length === 0;
    if (results.hidden) return;
    const found = INDEX.map((entry) => [score(entry, words), entry]).filter(([points]) => points > 0)
      .sort((a, b) => b[0] - a[0]);
    const head = document.createElement("p");
    head.textContent = found.length === 0 ? "Nothing found." : `${found.length} sections found`;
    const list = document.createElement("ol");
    for (const [, [page, heading, link, text]] of found.slice(0, 20)) {
      const item = document.createElement("li");
      const anchor = document.createElement("a");
      anchor.href = link;
      anchor.textContent = heading ? `${page}: ${heading}` : page;
      const line = document.createElement("p");
      mark(line, excerpt(text, words[0]), words);
      item.append(anchor, line);
      list.append(item);
    }
    results.append(head, list);
  }

  query.value = new URLSearchParams(location.search).get("q") ?? "";
  show();
  query.addEventListener("input", show);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    results.querySelector("a")?.click();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== query) {
      event.preventDefault();
      query.focus();
    } else if (event.key === "Escape" && document.activeElement === query) {
      query.value = "";
      show();
    }
  });
})();
