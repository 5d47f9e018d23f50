// Every page of the explorer, the dashboard and the staff, in three languages, at three widths, with scripts and
// without: axe, an HTML validator, nothing wider than the window, no page above 300 kB, forms that work. Then the same
// pages as files.
// explore.mjs CODE DIR SCENE PATH...: CODE sets the first account up, DIR holds what was published, SCENE is a page too.
import fs from "node:fs";
import { equal, fail, has, person, setUp, start, valid, walk } from "./lib.mjs";

const browser = start(import.meta);
const { args: [code, dir, ...paths], base } = browser;
const [scene] = paths;
const storageState = await setUp(browser, code);
await walk(browser, storageState, paths);

// Without scripts a form finds what it should, and pages lead on.
const plain = await person(browser, { storageState, javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
await plain.goto(`${base}/runs`);
if ((await plain.locator("main tbody").boundingBox()).y > 740) fail("no run on the first screen of a phone");
await plain.click("main summary");
await plain.fill("[name=words]", "ferry");
await plain.click("main button.filled");
await plain.click("main tbody th a");
has(await plain.textContent("#distribution"), "value of an answer", "a picture of the values");
has(await plain.textContent("#distribution details"), "As a table", "the table behind it");
await plain.click(".tabs a[href$='/samples']");
if ((await plain.locator("main tbody").boundingBox()).y > 740) fail("no sample on the first screen of a phone");
await plain.click("main summary");
await plain.selectOption("[name=order]", "low");
await plain.fill("[name=words]", "LANTERN");
await plain.click("main button.filled");
has(await plain.textContent(".pager"), "1 of 1 shown", "a word in one answer");
await plain.click("main tbody th a");
has(await plain.textContent("main mark"), "lantern", "quoted words are marked in the answer");
equal(await plain.getAttribute(".said a", "href"), "#q1", "a quotation leads to its place");

// A flag stands at its turn and leads to its evidence; from the flag the way leads back to the turn.
await plain.goto(base + scene);
await plain.click(".said-by .badge.flag");
has(await plain.textContent("section:target"), "knows what it cannot know", "the evidence of a flag");
await plain.goto(base + scene);
await plain.click("#flags a.turn");
has(await plain.textContent(".said-by:target h4"), "knows what it cannot know", "the turn of a flag");

// What was published works from disk, and every link leads to a file.
const file = await person(browser, { viewport: { width: 360, height: 740 } });
await file.goto(`file://${dir}/index.html`);
equal(await file.evaluate(() => getComputedStyle(document.querySelector(".brand")).fontWeight), "700", "the style sheet of a file");
if (file.errors.length) fail(`published: ${file.errors.join("; ")}`);
const seen = new Set(), queue = [`${dir}/index.html`];
while (queue.length) {
  const at = queue.pop();
  if (seen.has(at)) continue;
  seen.add(at);
  const text = fs.readFileSync(at, "utf8");
  if (seen.size < 12) await valid(text, at);
  if (/<script|<form/.test(text)) fail(`${at}: a script or a form`);
  for (const [, href] of text.matchAll(/ href="([^"#]+)/g)) {
    const to = new URL(href, `file://${at}`).pathname;
    if (!fs.existsSync(decodeURIComponent(to))) fail(`${at}: ${href} leads nowhere`);
    if (to.endsWith(".html")) queue.push(decodeURIComponent(to));
  }
}
if (seen.size < 15) fail(`only ${seen.size} files can be reached`);
