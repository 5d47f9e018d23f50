// A person talks with two models at once on a phone, in three languages and without a script: both
// answers come together, turns are voted on, a reload loses nothing, the vote on the whole is taken.
import { arrive, enter, equal, fail, has, person, sound, start, submit } from "./lib.mjs";

const browser = start(import.meta);
const { args: [llm, ...links] } = browser;

async function nameless(page, where) {
  const shown = await page.content();
  for (const name of ["secretive-ann", "secretive-bob", "chat-ann", "identity-leak-bob", llm])
    if (shown.includes(name)) fail(`${where}: the page names ${name}`);
}

// The one thing to do next stands out, and nothing beside it.
async function oneFilled(page, where) {
  const filled = await page.$$eval("button, a", (all) => {
    const colour = (x) => getComputedStyle(x).backgroundColor;
    const accent = colour(document.querySelector("#next .filled"));
    return all.filter((x) => x.checkVisibility() && colour(x) === accent).length;
  });
  equal(filled, 1, `${where}: filled buttons`);
}

const rounds = (page) => page.$$eval(".round", (v) => v.length);

// Sent by the button; the page comes back with so many rounds, each with both answers.
async function say(page, text, want) {
  await page.fill("#own", text);
  await page.click("#next button:not([name])");
  await page.waitForFunction((n) => document.querySelectorAll(".round").length === n &&
    document.readyState === "complete" && document.getElementById("own"), want);
  equal(await page.$$eval(".reply.a, .reply.b", (v) => v.length), 2 * want, "answers");
}

const languages = [["zh-CN", "由两位同时扮演", "两个都不好"], ["ja-JP", "二人が同時に演じます", "どちらもよくない"],
  ["en-GB", "played by two at once", "Both are bad"]];
for (const [i, [locale, title, bad]] of languages.entries()) {
  const page = await person(browser, { locale, viewport: { width: 360, height: 740 } });
  const words = i ? await arrive(page, links[i]) : await enter(page, links[i], true);
  has(await page.textContent("h1"), title, "title");
  await sound(page, `${locale}: an empty meeting`);
  await say(page, "Is anybody there?", 1);
  await sound(page, `${locale}: after a turn`);
  await nameless(page, `${locale}: after a turn`);
  await oneFilled(page, `${locale}: after a turn`);
  has(await page.textContent(".vote"), bad, "choices");
  await page.setViewportSize({ width: 1440, height: 900 });
  const wide = await page.$eval(".round .duel", (x) => x.clientWidth);
  if (wide < 900) fail(`${locale}: two answers share ${wide} px of 1440`);
  await page.setViewportSize({ width: 360, height: 740 });

  // What is being written, and what was sent while the page went away, is there again.
  await page.fill("#own", "Half a thought");
  await page.reload();
  equal(await page.inputValue("#own"), "Half a thought", "a draft");
  await page.check(".vote [value='0.5']");
  const sent = page.waitForResponse((r) => r.url().endsWith("/ask"));
  await page.click("#next button:not([name])", { noWaitAfter: true });
  await sent;
  await page.reload();
  await page.waitForFunction(() => document.querySelectorAll(".round").length === 2 && document.getElementById("own"),
    null, { timeout: 30000 });
  equal(await page.isChecked(".round:first-of-type [value='0.5']"), true, "the vote on turn 1");
  equal(await rounds(page), 2, "rounds");

  // Another device of the same person: what was written there is not lost where the first was quicker.
  if (locale === "en-GB") {
    const desk = await person(browser, { viewport: { width: 1280, height: 800 } });
    await desk.goto(new URL("/return", links[i]).href);
    await desk.fill("main input:not([type=hidden])", words);
    await desk.click("main button");
    await desk.fill("#own", "From the desk");
    await say(page, "From the phone", 3);
    await desk.click("#next button:not([name])", { noWaitAfter: true });
    await desk.waitForFunction(() => document.querySelectorAll(".round").length === 3 && document.getElementById("own"));
    equal(await desk.inputValue("#own"), "From the desk", "words that came too late");
  }

  await page.click("[name=do][value=end]");
  await page.waitForSelector(".versus");
  await sound(page, `${locale}: the vote`);
  await nameless(page, `${locale}: the vote`);
  await page.check(".pick [value='-1']");
  await submit(page);
  has(await page.textContent("main"), await page.textContent("code"), "completion code");
}

// Without a script, at 320 px and on a desk.
for (const width of [320, 1200]) {
  const page = await person(browser, { javaScriptEnabled: false, viewport: { width, height: 700 } });
  await arrive(page, links[width === 320 ? 3 : 4]);
  await page.fill("#own", "Good evening.");
  await page.click("#next button:not([name])");
  await page.locator(".reply.b").waitFor();
  equal(await page.locator(".reply.a, .reply.b").count(), 2, "answers without a script");
  await nameless(page, "without a script");
  await page.check(".vote [value='1']");
  await page.click("[name=do][value=end]");
  await page.check(".pick [value='1']");
  await page.click("[name=then][value=submit]");
  await page.locator("code").waitFor();
}
