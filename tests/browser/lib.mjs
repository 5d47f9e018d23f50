// A browser, and what is demanded of every page: no violation that axe finds, markup that a validator takes (where it is
// installed), no cell without a title, nothing wider than the window, no error in the console.
import fs from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const base = process.env.BASE;

export function fail(message) {
  console.error(message);
  process.exit(1);
}

export function equal(got, want, what) {
  if (got !== want) fail(`${what}: expected ${JSON.stringify(want)}, found ${JSON.stringify(got)}`);
}

export function has(text, part, what) {
  if (!text.includes(part)) fail(`${what}: no ${JSON.stringify(part)} in ${JSON.stringify(text.slice(0, 2000))}`);
}

// Another build, with sanitizers, serves the same bytes: there the server is looked at, not its pages again.
const plain = process.env.AUDITION === `${process.env.REPO}/build/audition`;

const markup = plain && await import("html-validate").catch(() => null);
const validator = markup && new markup.HtmlValidate({
  root: true,
  extends: ["html-validate:standard"],
  rules: {
    "void-style": ["error", { style: "selfclose" }], "doctype-style": "off", "long-title": "off", "attribute-boolean-style": "off",
    "no-trailing-whitespace": "off", "require-sri": "off", "attribute-empty-style": "off", "tel-non-breaking": "off",
    "wcag/h30": "off", "wcag/h32": "off", "prefer-native-element": "off", "no-redundant-role": "off", "no-inline-style": "error",
    "no-implicit-button-type": "error", "valid-id": ["error", { relaxed: true }], "unique-landmark": "off", "input-missing-label": "off",
  },
});

export async function valid(text, where) {
  const report = validator ? await validator.validateString(text) : { results: [] };
  for (const result of report.results)
    for (const m of result.messages) fail(`${where}:${m.line}:${m.column}: ${m.ruleId}: ${m.message}`);
}

// No script of ours runs for so long that optimizing it pays.
export const options = { executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--js-flags=--no-opt,--no-maglev"] };

// The browser that tests share if there is one (see server.mjs), or one of our own.
export async function start() {
  if (process.env.BROWSER) return chromium.connect(process.env.BROWSER);
  return chromium.launch(options);
}

// A browser of its own: nothing is shared with another. A phone unless told otherwise.
export async function person(browser, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 320, height: 640 }, locale: "en-GB", ...options,
  });
  const page = await context.newPage();
  page.errors = [];
  page.on("pageerror", (e) => page.errors.push(e.message));
  page.on("response", (r) => {
    if (r.request().isNavigationRequest() && r.frame() === page.mainFrame() && r.status() < 300)
      page.source = r.text().catch(() => "");
  });
  page.on("console", (m) => {
    // A form that comes back with what is missing has status 422, which browsers log.
    if (m.type() === "error" && !m.text().includes("422")) page.errors.push(m.text());
  });
  return page;
}

async function accessible(page, where) {
  const source = await page.source;
  if (source) await valid(source, where);
  await page.evaluate(axe);
  // Only what it finds wrong: all that it finds right is a hundred kilobytes a page.
  const found = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }).then((r) => r.violations));
  for (const v of found)
    fail(`${where}: axe: ${v.id}: ${v.help}: ${v.nodes.map((n) => n.html.slice(0, 200)).join("\n")}`);
}

export async function sound(page, where) {
  if (plain) await accessible(page, where);
  // On a phone the head of a table is not shown: each cell says what it is.
  const bare = await page.$$eval(".scroll td:not([data-title])", (v) => v.map((td) => td.outerHTML.slice(0, 200)));
  if (bare.length) fail(`${where}: cells without a title: ${bare.join(" ")}`);
  const filled = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.background = "var(--accent)";
    const accent = getComputedStyle(probe).backgroundColor;
    probe.remove();
    return [...document.querySelectorAll("main button, main .btn, main .button")]
      .filter((b) => b.checkVisibility() && getComputedStyle(b).backgroundColor === accent).map((b) => b.textContent);
  });
  if (filled.length > 1 && !page.url().endsWith("/style")) fail(`${where}: several filled buttons: ${filled.join(", ")}`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wide > 0) fail(`${where}: the page is ${wide} px wider than the window`);
  if (page.errors.length) fail(`${where}: ${page.errors.join("; ")}`);
}

// Pages at three widths, light and dark, in three languages: each is there, is in its language, is not above 300 kB and
// fits the window; on a phone it is sound.
const ways = [[1440, "light", "en-GB"], [768, "dark", "en-GB"], [360, "light", "en-GB"], [360, "dark", "zh-CN"], [360, "light", "ja-JP"]];
export async function walk(browser, storageState, paths) {
  for (const [width, colorScheme, locale] of ways) {
    const page = await person(browser, { storageState, colorScheme, locale, viewport: { width, height: 900 } });
    for (const path of paths) {
      equal((await page.goto(base + path)).status(), 200, path);
      const { length } = await page.source;
      if (length > 300_000) fail(`${path}: ${length} bytes`);
      equal(await page.getAttribute("html", "lang"), locale.slice(0, 2), `language of ${path}`);
      if (width === 360) await sound(page, `${path} in ${locale}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) fail(`${path} in ${locale} at ${width}: ${wide} px wider than the window`);
    }
    await page.context().close();
  }
}

// The first account is set up; its session.
export async function setUp(browser, code) {
  const page = await person(browser, { viewport: { width: 1440, height: 900 } });
  await page.goto(`${base}/setup`);
  await page.fill("[name=code]", code);
  await page.fill("[name=name]", "ada");
  await page.fill("[name=password]", "a long enough password");
  await page.click("main button");
  return page.context().storageState();
}

// The way from an invitation to the first page to rate.
export async function enter(page, link, check) {
  await page.goto(link);
  if (check) await sound(page, "invitation");
  await page.click("main button");
  if (check) await sound(page, "words");
  const words = await page.textContent(".words code");
  await page.click("a.button");
  if (check) await sound(page, "consent");
  await page.check("[name=agree]");
  await page.click("main button");
  if (check) await sound(page, "about you");
  await page.click("main button");
  if (check) await sound(page, "instructions");
  await page.click("main button");
  return words;
}

// Nothing waits in the browser any more: the server has heard of every mark.
export async function heard(page) {
  await page.waitForFunction(() => /\d\d:\d\d/.test(document.getElementById("status").textContent) &&
    !Object.keys(localStorage).some((key) => key.startsWith("audition/rate/")), null, { timeout: 20000 });
}

// Every scale of the text on the page gets its n-th choice.
export async function markText(page, n) {
  for (const scale of await page.$$(".scale")) {
    const radios = await scale.$$("input[type=radio]");
    await radios[Math.min(n, radios.length - 1)].click();
  }
  await heard(page);
}

// The same for every text of the passage, from the one on the page to the last.
export async function mark(page, n) {
  for (;;) {
    await markText(page, n);
    const next = await page.$(".moves [name=go].filled");
    if (!next) return;
    await Promise.all([page.waitForNavigation(), next.click()]);
  }
}

// From the last text: submitted, and the next page is there.
export async function submit(page) {
  await Promise.all([page.waitForNavigation(), page.click("[name=then][value=submit]")]);
}
