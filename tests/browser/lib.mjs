// A browser, and what is demanded of every page: no violation that axe finds, markup that a validator takes (where it is
// installed), no cell without a title, nothing wider than the window, on a phone nothing too low for a finger, no error in the console.
import fs from "node:fs";
import { createRequire } from "node:module";

const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// Scripts that run, by what stands behind their name: each time one is another module.
const running = new Map();

// run BROWSER NAME BASE ARGUMENTS PRINT: a script, with contexts of its own. It is refused where the script fails.
export async function run(browser, name, base, args, print) {
  const key = `?${running.size}`, contexts = [];
  running.set(key, {
    base, args, print, walkers: new Map(),
    newContext: async (options) => {
      contexts.push(await browser.newContext(options));
      return contexts.at(-1);
    },
  });
  try {
    await import(`./${name}.mjs${key}`);
  } finally {
    for (const context of contexts) await context.close().catch(() => {});
  }
}

// What a script was given: its part of the browser, base, args and print.
export const start = (meta) => running.get(new URL(meta.url).search);

export function fail(message) {
  throw new Error(message);
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

// It would put its rules together anew for every text.
const rules = validator && await validator.getConfigFor("page");
if (validator) validator.getConfigFor = () => rules;

// What a validator sees of a page, without its words: they change nothing, and are other ones in every language. Pages come again.
const wordless = (text) => text.replace(/>[^<]+/g, (words) => words.replace(/&(amp|lt|gt|quot|#39);/g, "x").replace(/[^&>]*[^&>\s][^&>]*/g, "x"))
  .replace(/ (title|alt|placeholder|aria-label|value|lang|data-[a-z]+)="[^"]*[^" ][^"]*"/g, ' $1="x"');
const valids = new Set();

export async function valid(text, where) {
  const seen = wordless(text);
  if (!validator || valids.has(seen)) return;
  valids.add(seen);
  const report = await validator.validateString(text);
  for (const result of report.results)
    for (const m of result.messages) fail(`${where}:${m.line}:${m.column}: ${m.ruleId}: ${m.message}`);
}

// A browser of its own: nothing is shared with another. A phone unless told otherwise.
export async function person(browser, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 320, height: 640 }, locale: "en-GB", ...options,
  });
  const page = await context.newPage();
  // By itself a click waits until the next page begins, not for its end and its style sheets.
  const click = page.click.bind(page);
  page.click = async (what, how) => {
    await click(what, how);
    if (!how?.noWaitAfter) await page.waitForLoadState();
  };
  // It would look at every frame, and draw it for that.
  const waitForFunction = page.waitForFunction.bind(page);
  page.waitForFunction = (what, given, how) => waitForFunction(what, given, { polling: 50, ...how });
  // It would bring what it finds elements with into the world of every page, beside its own.
  page.$$eval = (css, what) => page.evaluate(`(${what})([...document.querySelectorAll(${JSON.stringify(css)})])`);
  page.$eval = (css, what) => page.evaluate(`(${what})(document.querySelector(${JSON.stringify(css)}))`);
  page.errors = [];
  page.on("pageerror", (e) => page.errors.push(e.message));
  page.on("response", (r) => {
    if (r.request().isNavigationRequest() && r.frame() === page.mainFrame() && (r.status() < 300 || r.status() === 422))
      page.source = () => r.text().catch(() => ""); // asked for where it is looked at
  });
  page.on("console", (m) => {
    // A form that comes back with what is missing has status 422, which browsers log.
    if (m.type() === "error" && !m.text().includes("422")) page.errors.push(m.text());
  });
  return page;
}

// In the page: what is hard to read, how many texts only axe can tell about, for their colours are not plain, and the tree. That has
// no words, only which names and ids are the same, so that a page has the same in every language, but whether
// it is dark, where a link differs from the words around it in nothing but colour. Apart from it, which of its elements scroll.
function questions() {
  const names = new Map(), dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const named = (text) => names.get(text) ?? names.set(text, names.size).size;
  const said = /^(title|alt|placeholder|value|content|data-.*|lang|datetime|href|action|formaction|src|srcset|d)$/, fickle = /^(aria-current|selected)$/;
  const id = /^(id|name|for|form|list|headers|aria-(labelledby|describedby|controls|owns|details|errormessage|activedescendant))$/;
  const trait = ({ name, value, ownerElement }) => name === "aria-label" ? value.trim() && named(value)
    : id.test(name) && ownerElement.tagName !== "META" ? name + value.split(/\s+/).map((v) => v && named(`#${v}`)) : name + (said.test(name) ? !!value.trim() : value);
  const shape = (x) => [x.tagName, x.checkVisibility(), ...[...x.attributes].filter((a) => !fickle.test(a.name)).map(trait),
    ...[...x.childNodes].map((n) => n.nodeType === 1 ? shape(n) : !!n.data?.trim())].join();
  const scrolls = [...document.querySelectorAll("*")].map((x) => Number(x.scrollWidth > x.clientWidth || x.scrollHeight > x.clientHeight)).join("");
  const inline = (x) => getComputedStyle(x).display === "inline", block = (x) => inline(x) ? block(x.parentElement) : x;
  const words = (x) => [...x.childNodes].some((n) => n.nodeType === 3 ? n.data.trim() : n.nodeType === 1 && !n.matches("a") && words(n));
  const blends = (x) => inline(x) && getComputedStyle(x).textDecorationLine === "none" && words(block(x));
  const coloured = [...document.querySelectorAll("a, [role=link]")].some((x) => x.checkVisibility() && blends(x));

  // Colours as WCAG 2 weighs them: red, green, blue and how opaque, each from 0 to 1.
  const brush = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true }), colours = new Map();
  const colour = (css) => {
    if (!colours.has(css)) {
      brush.clearRect(0, 0, 1, 1);
      brush.fillStyle = css;
      brush.fillRect(0, 0, 1, 1);
      colours.set(css, [...brush.getImageData(0, 0, 1, 1).data].map((c) => c / 255));
    }
    return colours.get(css);
  };
  const over = (above, below) => [...[0, 1, 2].map((i) => above[i] * above[3] + below[i] * (1 - above[3])), 1];
  const light = (c) => [0.2126, 0.7152, 0.0722].reduce((sum, part, i) =>
    sum + part * (c[i] <= 0.04045 ? c[i] / 12.92 : ((c[i] + 0.055) / 1.055) ** 2.4), 0);
  const grounds = new Map(); // an element to the colour behind its text; null where it is not plain
  const ground = (x) => {
    if (!x) return colour(dark ? "Canvas" : "white");
    if (!grounds.has(x)) {
      const s = getComputedStyle(x), own = colour(s.backgroundColor);
      const behind = ground(x.parentElement), below = own[3] === 1 ? behind && own : behind;
      const plain = s.backgroundImage === "none" && s.opacity === "1" && s.filter === "none" && s.mixBlendMode === "normal";
      grounds.set(x, plain && below ? over(own, below) : null);
    }
    return grounds.get(x);
  };
  const contrast = (x, s) => {
    const below = ground(x), [dim, bright] = [light(below), light(over(colour(s.color), below))].sort((a, b) => a - b);
    return (bright + 0.05) / (dim + 0.05);
  };

  // Where something else lies over a text or under it, its own colours tell nothing.
  const all = [...document.querySelectorAll("body, body *")].filter((x) => x.checkVisibility());
  const placed = all.filter((x) => getComputedStyle(x).position !== "static").map((x) => [x, x.getBoundingClientRect()])
    .filter(([, c]) => c.width > 1); // others are for screen readers
  const alone = (x, b) => placed.every(([y, c]) =>
    y.contains(x) || b.right <= c.left || c.right <= b.left || b.bottom <= c.top || c.bottom <= b.top);
  const unclear = [], pale = [];
  for (const x of all) {
    // Boxes without text, pictures, and what cannot be used.
    if (x.matches("svg *, input:is([type=checkbox], [type=radio], [type=hidden]), :disabled, :disabled *")) continue;
    if (!x.matches("input, select, textarea") && ![...x.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
    const b = x.getBoundingClientRect(), s = getComputedStyle(x), size = parseFloat(s.fontSize);
    if (b.right <= 0 || b.bottom + scrollY <= 0) continue;
    const wanted = size >= 24 || size >= 18.66 && s.fontWeight >= 700 ? 3 : 4.5;
    if (!alone(x, b) || !ground(x)) unclear.push(x);
    else if (contrast(x, s) < wanted) pale.push(`${contrast(x, s).toFixed(2)}, not ${wanted}: ${x.outerHTML.slice(0, 200)}`);
  }
  window.unclear = unclear;
  return { pale, unclear: unclear.length, scrolls, tree: (coloured && dark) + shape(document.documentElement) };
}

// In the page, where axe is: what is wrong with it.
async function examine(tree) {
  const options = { resultTypes: ["violations"], selectors: false, elementRef: true }, include = window.unclear, found = [];
  if (tree) found.push(await window.axe.run({ ...options, rules: { "color-contrast": { enabled: false } } }));
  if (include.length) found.push(await window.axe.run({ include }, { ...options, runOnly: ["color-contrast"] }));
  return found.flatMap((f) => f.violations).map((v) => `${v.id}: ${v.help}: ${v.nodes.map((n) => n.html.slice(0, 200)).join("\n")}`);
}

// To ask axe is by far the dearest thing here, and the same trees come page after page: a tree to what scrolled in it. That less
// scrolls is no fault.
const trees = new Map();

async function accessible(page, where) {
  const source = await page.source?.();
  if (source === "") fail(`${where}: its text could not be read`);
  if (source) await valid(source, where);
  const { pale, unclear, scrolls, tree } = await page.evaluate(questions), before = trees.get(tree) ?? [];
  const known = before.some((more) => [...scrolls].every((one, i) => one <= more[i]));
  if (pale.length) fail(`${where}: contrast: ${pale.join("\n")}`);
  if (known && !unclear) return;
  await page.evaluate(axe);
  for (const wrong of await page.evaluate(examine, !known)) fail(`${where}: axe: ${wrong}`);
  trees.set(tree, [...before, scrolls]);
}

// In the page: what is wrong with it that needs no axe, once its style sheets are there. It waits in the page that it measures: one
// that has only begun, or whose style sheets did not come, is wider than a window.
async function survey(fingers) {
  if (document.readyState !== "complete") await new Promise((done) => { addEventListener("load", done); });
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.background = "var(--accent)";
  const accent = getComputedStyle(probe).backgroundColor;
  probe.remove();
  return {
    language: document.documentElement.lang,
    plain: [...document.querySelectorAll("link[rel=stylesheet]")].filter((link) => !link.sheet).map((link) => link.href),
    // On a phone the head of a table is not shown: each cell says what it is.
    bare: [...document.querySelectorAll(".scroll td:not([data-title])")].map((td) => td.outerHTML.slice(0, 200)),
    filled: [...document.querySelectorAll("main button, main .btn, main .button")]
      .filter((b) => b.checkVisibility() && getComputedStyle(b).backgroundColor === accent).map((b) => b.textContent),
    wide: document.documentElement.scrollWidth - innerWidth,
    // What a finger has to hit on a phone; of a box to tick its label. Links within words are none, nor what nobody sees there.
    low: innerWidth > 640 ? [] : [...document.querySelectorAll(fingers)].map((x) => x.matches("[type=radio], [type=checkbox]") && x.labels[0] || x)
      .filter((x) => x.checkVisibility({ visibilityProperty: true }) && !x.closest("svg, .scroll thead, .vh, .skip") && x.offsetWidth > 1)
      .filter((x) => x.getBoundingClientRect().height < 43.9).map((x) => `${x.getBoundingClientRect().height}: ${x.outerHTML.slice(0, 200)}`),
    nameless: [...document.querySelectorAll("th")].filter((th) => !th.textContent.trim()).map((th) => th.parentElement.outerHTML.slice(0, 200)),
  };
}

const fingers = "button, .btn, .button, select, summary, textarea, input:not([type=hidden]), nav a, .crumbs a, td > a, th > a, .cell:any-link, .badge:any-link";

export async function sound(page, where) {
  await page.waitForLoadState(); // a locator's click, too, waits for the next page but not for its style sheets
  const seen = await page.evaluate(survey, fingers);
  if (seen.plain.length) fail(`${where}: style sheets did not come: ${seen.plain.join(", ")}`);
  if (seen.bare.length) fail(`${where}: cells without a title: ${seen.bare.join(" ")}`);
  if (seen.filled.length > 1 && !page.url().endsWith("/style")) fail(`${where}: several filled buttons: ${seen.filled.join(", ")}`);
  if (seen.nameless.length) fail(`${where}: heads of columns without words: ${seen.nameless.join(" ")}`);
  if (seen.low.length) fail(`${where}: too low for a finger: ${seen.low.join("\n")}`);
  if (seen.wide > 0) fail(`${where}: the page is ${seen.wide} px wider than the window`);
  if (plain) await accessible(page, where);
  if (page.errors.length) fail(`${where}: ${page.errors.join("; ")}`);
  return seen;
}

// Pages at three widths, light and dark, in three languages: each is there, is in its language, is not above 300 kB and
// fits the window; on a phone it is sound. Of all this a server hears of the language alone: a page is loaded once for it.
const languages = [["en-GB", [360, "light"], [768, "dark"], [1440, "light"]], ["zh-CN", [360, "dark"]], ["ja-JP", [360, "light"]]];

// Who walks stays for the next walk: a context is a process, and axe is new to it.
async function stroll(browser, storageState, paths, [locale, ...ways]) {
  const { base, walkers } = browser;
  if (!walkers.has(locale)) walkers.set(locale, await person(browser, { locale }));
  const page = walkers.get(locale);
  await page.context().clearCookies();
  if (storageState) await page.context().addCookies(storageState.cookies);
  const see = async ([width, colorScheme]) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
  };
  const wide = async (path, way) => {
    const [over, cut] = await page.evaluate(() => {
      const nav = document.querySelector(".top nav");
      return [document.documentElement.scrollWidth - innerWidth, nav ? nav.scrollWidth - nav.clientWidth : 0];
    });
    if (over > 0) fail(`${path} in ${locale} at ${way}: ${over} px wider than the window`);
    if (cut > 0) fail(`${path} in ${locale} at ${way}: ${cut} px of its ways are cut off`);
  };
  // To and fro: what a page ends with, the next begins with.
  let now;
  for (const path of paths) {
    const order = now === ways.at(-1) ? [...ways].reverse() : ways;
    if (!now) await see(order[0]);
    equal((await page.goto(base + path)).status(), 200, path);
    const { length } = await page.source();
    if (!length || length > 300_000) fail(`${path}: ${length} bytes`);
    for (const way of order) {
      if (way !== order[0]) await see(way);
      now = way;
      if (way === ways[0]) equal((await sound(page, `${path} in ${locale}`)).language, locale.slice(0, 2), `language of ${path}`);
      else await wide(path, way);
    }
  }
}

export async function walk(browser, storageState, paths) {
  for (const language of plain ? languages : [["en-GB", [360, "light"]]]) await stroll(browser, storageState, paths, language);
  if (plain) return;
  const { request } = await browser.newContext({ storageState });
  for (const [locale] of languages.slice(1))
    for (const path of paths) equal((await request.get(browser.base + path, { headers: { "Accept-Language": locale } })).status(), 200, path);
}

// The first account is set up; its session.
export async function setUp(browser, code) {
  const page = await person(browser, { viewport: { width: 1440, height: 900 } });
  await page.goto(`${browser.base}/setup`);
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

// The same way by requests of the same browser, for who looks at the end of it alone: a page costs twenty times as much.
export async function arrive(page, link) {
  const { request } = page.context(), { origin } = new URL(link);
  const hidden = (text) => Object.fromEntries([...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map((m) => m.slice(1)));
  const look = async (answer) => {
    equal((await answer).status(), 200, `${link}, on the way in`);
    return (await answer).text();
  };
  let text = await look(request.get(link));
  text = await look(request.post(link, { form: hidden(text) }));
  const [, words] = /class="words[^>]*>.*?<code[^>]*>([^<]+)/s.exec(text);
  text = await look(request.get(`${origin}/rate`));
  for (const [step, fields] of [["consent", { agree: "yes" }], ["about", {}], ["next", {}]])
    text = await look(request.post(`${origin}/rate/${step}`, { form: { ...hidden(text), ...fields } }));
  await page.goto(`${origin}/rate`);
  return words;
}

// Nothing waits in the browser any more: the server has heard of every mark.
export async function heard(page) {
  await page.waitForFunction(() => /\d\d:\d\d/.test(document.getElementById("status").textContent) &&
    !Object.keys(localStorage).some((key) => key.startsWith("audition/rate/")), null, { timeout: 20000 });
}

// In the page: every scale gets its n-th choice, or its last; an answer says which of them cannot be hit.
function choices(n) {
  const hidden = [];
  for (const scale of document.querySelectorAll(".scale")) {
    const radios = scale.querySelectorAll("input[type=radio]"), radio = radios[Math.min(n, radios.length - 1)];
    radio.scrollIntoView({ block: "center", behavior: "instant" });
    const { left, top, width, height } = radio.getBoundingClientRect(), hit = document.elementFromPoint(left + width / 2, top + height / 2);
    if (hit !== radio && hit?.closest("label")?.control !== radio) hidden.push(radio.outerHTML);
    radio.click();
  }
  return hidden;
}

// Every scale of the text on the page gets its n-th choice: by a mouse, or as one would press it, which costs a tenth.
export async function choose(page, n, mouse) {
  if (!mouse) {
    equal((await page.evaluate(choices, n)).join("\n"), "", "choices that cannot be hit");
    return;
  }
  const radios = await page.$$eval(".scale", (v) => v.map((scale) => scale.querySelectorAll("input[type=radio]").length));
  for (const [i, all] of radios.entries()) await page.click(`.scale >> nth=${i} >> input[type=radio] >> nth=${Math.min(n, all - 1)}`);
}

// Every text of the passage gets its n-th choices, from the one on the page to the last: the first by a mouse.
export async function mark(page, n) {
  for (let mouse = true; ; mouse = false) {
    await choose(page, n, mouse);
    await heard(page);
    if (!await goOn(page)) return;
  }
}

// To the next text of the passage, where there is one.
export async function goOn(page) {
  const on = ".moves [name=go].filled", more = await page.locator(on).count();
  if (more) await Promise.all([page.waitForNavigation(), page.click(on)]);
  return more > 0;
}

// From the last text: submitted, and the next page is there.
export async function submit(page) {
  await Promise.all([page.waitForNavigation(), page.click("[name=then][value=submit]")]);
}
