// A person examines a model that goes by no name, on a phone, with a reload in the middle; scores what
// was said with quotations picked by selecting text; then rates a recorded sitting of another model.
import { arrive, equal, fail, has, heard, mark, person, sound, start } from "./lib.mjs";

const browser = start(import.meta);
const { args: [llm, live, recorded, plain], base } = browser;

async function nameless(page, where) {
  const shown = await page.content();
  for (const name of ["secretive-ann", "secretive-bob", "think-ann", "chat-bob", llm])
    if (shown.includes(name)) fail(`${where}: the page names ${name}`);
}

const turns = (page) => page.$$eval(".turns li", (v) => v.length);

// Asked by a click; the page comes back with so many turns.
async function ask(page, button, want) {
  await page.click(button);
  await page.waitForFunction((n) => document.querySelectorAll(".turns li").length === n &&
    document.readyState === "complete" && document.getElementById("live")?.hidden !== false, want);
}

// ---- the room, in Chinese on a phone

const phone = await person(browser, { locale: "zh-CN" });
const words = await arrive(phone, live);
await sound(phone, "an empty room");
equal(await phone.getAttribute("html", "lang"), "zh", "language of the page");
has(await phone.textContent("main"), "第 1 / 3 部分", "part");
has(await phone.textContent("main"), "身份", "kinds of questions");
await nameless(phone, "an empty room");

// The answer appears while it is spoken: something of it stands before all of it does.
await phone.evaluate(() => {
  window.grown = new Set();
  new MutationObserver(() => window.grown.add(document.getElementById("live-answer").textContent.length))
    .observe(document.getElementById("live-answer"), { childList: true, characterData: true, subtree: true });
  addEventListener("pagehide", () => sessionStorage.setItem("grown", String(window.grown.size)));
});
await ask(phone, ".question >> nth=1", 3);
if (Number(await phone.evaluate(() => sessionStorage.getItem("grown"))) < 2) fail("the answer came in one piece");
await sound(phone, "after a question");
await nameless(phone, "after a question");
has(await phone.textContent(".clock"), "面试总时长", "clock");
if ((await phone.textContent(".turns li:nth-of-type(3)")).includes("<think>")) fail("thoughts are shown");

// A second window that saw the old page is told so; nothing is asked twice.
const desk = await person(browser, { viewport: { width: 1000, height: 800 } });
await desk.goto(`${base}/return`);
await desk.fill("[name=words]", words);
await desk.click("main button");
equal(await turns(desk), 3, "turns on the second device");
await ask(phone, ".question >> nth=0", 5);
await ask(desk, ".question >> nth=0", 5);
desk.errors = desk.errors.filter((e) => !e.includes("409"));
await sound(desk, "the second window");
equal(await turns(desk), 5, "turns after a question that came late");

// A reload while the answer is awaited: it is there all the same.
const sent = phone.waitForResponse((r) => r.url().endsWith("/ask")); // its head: the question is stored
await phone.click(".question >> nth=0", { noWaitAfter: true });
if (!await phone.evaluate(() => {
  const { left, top, height } = document.getElementById("status").getBoundingClientRect();
  return document.elementFromPoint(left + 4, top + height / 2)?.closest("#status");
})) fail("nobody sees that an answer is waited for");
await sent;
await phone.reload();
await phone.waitForFunction(() => document.querySelectorAll(".turns li").length === 7 &&
  document.querySelector("#next button"), null, { timeout: 30000 });
await sound(phone, "after a reload");

let said = 7;
while ((await phone.textContent("#next-title")).includes("1 / 3")) {
  said += 2;
  // the opening of the next part is not said yet
  await ask(phone, ".question >> nth=0", said);
}

// Part 2: the card, a follow-up of one's own that survives a reload, a prepared one.
await sound(phone, "task card");
has(await phone.textContent("#next"), "任务卡", "task card");
await ask(phone, "#next form button", said += 3);
await phone.fill("#own", "那天晚上谁在场？");
await phone.reload();
equal(await phone.inputValue("#own"), "那天晚上谁在场？", "a draft after a reload");
await sound(phone, "a follow-up");
await phone.route("**/ask", (route) => route.fulfill({ status: 429, body: "later" }));
await Promise.all([phone.waitForNavigation(), phone.click("#next form button >> nth=0")]);
await phone.unroute("**/ask");
equal(await phone.inputValue("#own"), "那天晚上谁在场？", "a follow-up that was not taken");
phone.errors = [];
await ask(phone, "#next form button >> nth=0", said += 2);
has(await phone.textContent(`.turns li[data-turn="${said - 1}"]`), "那天晚上谁在场？", "own words");
await phone.click("#next details summary");
await ask(phone, ".question >> nth=0", said += 2);

// Part 3, on the second device without scripts; the last answer brings the scales.
const bare = await person(browser, { javaScriptEnabled: false });
await bare.goto(`${base}/return`);
await bare.fill("[name=words]", words);
await bare.click("main button");
has(await bare.textContent("#next-title"), "3 / 3", "part on the third device");
await bare.click(".question >> nth=0");
await bare.waitForSelector(`.turns li[data-turn="${said += 3}"]`);
await bare.waitForSelector("#next");
equal(await turns(bare), said, "turns after a form");
await phone.goto(`${base}/rate`);
while (await phone.locator(".question").count()) {
  await phone.click(".question >> nth=0");
  said += 2;
  await phone.waitForFunction((n) => document.querySelectorAll(".turns li").length === n &&
    document.getElementById("live")?.hidden !== false, said);
}

// ---- scoring: levels in sight, quotations by selecting, a comment for each dimension

await phone.waitForSelector(".scale");
await sound(phone, "scoring");
await nameless(phone, "scoring");
equal(await turns(phone), said, "turns to score");

// Select the first line of a turn of the model's: the scales are offered beside it; press one.
async function quote(page, turn, scale) {
  const text = await page.evaluate((n) => {
    const line = document.querySelector(`.turns .said[data-turn="${n}"] p`);
    line.scrollIntoView({ block: "center" });
    getSelection().selectAllChildren(line);
    return line.textContent;
  }, turn);
  await page.waitForSelector("#quote-for:not([hidden])");
  await page.click(`#quote-for button >> nth=${scale}`);
  equal(await page.isHidden("#quote-for"), true, "the offer after a choice");
  return text;
}

// Words first: a quotation and a comment are kept before there is a mark.
async function score(page) {
  equal(await page.locator(".scale").count(), 4, "dimensions");
  for (let i = 0; i < 4; i++) {
    const text = await quote(page, 3 + 2 * (i % 2), i);
    has(await page.inputValue(`.scale >> nth=${i} >> textarea >> nth=0`), `[${3 + 2 * (i % 2)}] ${text.trim().slice(0, 10)}`, "a quotation");
    await page.fill(`.scale >> nth=${i} >> textarea >> nth=1`, `because ${i}`);
    await page.locator(".scale").nth(i).locator("textarea").nth(1).blur();
  }
  await heard(page);
  await page.fill(".scale >> nth=3 >> textarea >> nth=1", "because 3!"); // the field is not left, and no time to save it
  await page.reload();
  equal(await page.inputValue(".scale >> nth=3 >> textarea >> nth=1"), "because 3!", "a comment without a mark, after a reload");
  equal(await page.locator(".scale input:checked").count(), 0, "marks that nobody gave");
  // What nobody said is no quotation: it is refused where it was typed, and the rest is kept.
  const typed = await page.inputValue(".scale >> nth=0 >> textarea >> nth=0");
  await page.fill(".scale >> nth=0 >> textarea >> nth=0", `${typed}nobody said this`);
  await page.locator(".scale").nth(0).locator("textarea").nth(0).blur();
  await page.waitForFunction(() => document.querySelector(".scale [data-false]").textContent.includes("nobody said this"));
  await sound(page, "a false quotation");
  await page.fill(".scale >> nth=0 >> textarea >> nth=0", typed);
  await page.locator(".scale").nth(0).locator("textarea").nth(0).blur();
  await page.waitForFunction(() => !document.querySelector(".scale [data-false]").textContent);
  await mark(page, 3);
}
await score(phone);
await phone.reload();
has(await phone.inputValue(".scale >> nth=0 >> textarea >> nth=0"), "[3] ", "a quotation after a reload");
await sound(phone, "scored");
await phone.click("[name=then][value=submit]");
has(await phone.textContent("main"), await phone.textContent(".words code"), "the end");
await sound(phone, "the end");

// ---- a recorded sitting of another model, in English

const reader = await person(browser);
await arrive(reader, recorded);
await sound(reader, "a recorded sitting");
await nameless(reader, "a recorded sitting");
has(await reader.textContent("main"), "Interviewee", "turns");
equal(await reader.locator(".question").count(), 0, "questions of a sitting that is over");
await score(reader);
await reader.click("[name=then][value=submit]");
has(await reader.textContent("main"), "completion code", "the end of rating");

// The same without scripts: quotations are typed.
const typist = await person(browser, { javaScriptEnabled: false });
await arrive(typist, plain);
const words4 = async (text) => {
  await typist.$$eval(".scale details.ev", (v) => v.forEach((one) => { one.open = true; }));
  for (let i = 0; i < 4; i++) {
    await typist.check(`.scale >> nth=${i} >> input[value='2']`);
    await typist.fill(`.scale >> nth=${i} >> textarea >> nth=0`, text);
  }
  await Promise.all([typist.waitForNavigation(), typist.click("[name=then][value=submit]")]);
};
await words4("[1] nobody said this");
has(await typist.textContent("[role=alert]"), "nobody said this", "a false quotation without scripts");
equal(await typist.inputValue(".scale textarea"), "[1] nobody said this", "what was typed is still there");
await words4((await typist.textContent(".turns .said p")).trim());
has(await typist.textContent("main"), "completion code", "the end without scripts");

