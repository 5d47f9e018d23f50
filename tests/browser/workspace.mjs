// The workspace of raters: one text at a time at three widths, pairs, and what must not be lost.
import { arrive, choose, enter, equal, fail, has, heard, person, sound, start, submit } from "./lib.mjs";

const browser = start(import.meta);
const { args: links, base } = browser;

// The invitation says what one lets oneself in for.
const first = await person(browser, { viewport: { width: 1440, height: 900 } });
await first.goto(links[0]);
for (const part of ["Step", "Passages", "Minutes in all", "Ann, ann@example.org"].slice(1))
  has(await first.textContent("main"), part, "invitation");
equal(await first.$$eval(".steps li", (v) => v.length), 4, "steps");
const words = await arrive(first, links[0]);

// Short pages, at every width: passage beside the text or folded above it, a bar that stays.
const SCREENS = 1.5;
for (const [width, height] of [[1440, 900], [768, 1024], [360, 740]]) {
  await first.setViewportSize({ width, height });
  await first.goto(`${base}/rate?text=1`); // the passage is unfolded here, the instructions are not
  const one = await first.evaluate(() => document.querySelector(".dims").getBoundingClientRect().bottom + scrollY);
  if (one > SCREENS * height) fail(`at ${width}: the first text takes ${(one / height).toFixed(2)} screens`);
  await first.goto(`${base}/rate?text=2`);
  await sound(first, `text 2 at ${width}`);
  const seen = await first.evaluate(() => {
    const box = (what) => document.querySelector(what).getBoundingClientRect();
    return {
      end: box(".dims").bottom + scrollY, dock: box(".rate-dock").bottom, beside: box(".pane").right <= box(".work").left,
      folded: getComputedStyle(document.querySelector(".pane > summary")).display !== "none",
      small: [...document.querySelectorAll(".seg label, .moves button")].filter((b) => b.getBoundingClientRect().height < 44 || b.getBoundingClientRect().width < 44).length,
    };
  });
  if (seen.end > SCREENS * height) fail(`at ${width}: a text takes ${(seen.end / height).toFixed(2)} screens`);
  equal(Math.round(seen.dock), height, `the bar stays at the foot at ${width}`);
  equal(seen.beside, width >= 1024, `the passage beside the text at ${width}`);
  equal(seen.folded, width < 1024, `the passage as a fold at ${width}`);
  equal(seen.small, 0, `buttons smaller than 44 px at ${width}`);
}

// The words of the level that has the focus, and of the one that is chosen.
await first.setViewportSize({ width: 1440, height: 900 });
const meant = () => first.$eval(".dim", (d) => [...d.querySelectorAll(".meant > *")].filter((s) => getComputedStyle(s).display !== "none").map((s) => s.textContent).join("|"));
equal(await meant(), "How good is it?", "the question before anything is chosen");
await first.keyboard.press("Tab");
await first.focus(".dim input[type=radio][value='0']");
await first.keyboard.press("ArrowRight");
equal(await meant(), "Hardly one.", "the level that was chosen by key");
await heard(first);
equal(await first.textContent("#count"), "marks 1 / 40", "marks of the passage");
has(await first.getAttribute(".dots [aria-current]", "class"), "some", "the dot of a text that was begun");

// After the session has ended a mark waits in the browser, and is sent after the return.
await first.context().clearCookies();
await first.click(".dim input[type=radio][value='4']");
await first.waitForSelector("#status a[href='/return']");
await first.click(".moves [name=go].filled"); // nothing goes while something waits
equal(await first.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith("audition/rate/"))), true, "the mark waits");
first.errors = [];
await first.goto(`${base}/return`);
await first.fill("[name=words]", words);
await first.click("main button");
await first.waitForSelector("#rate");
await heard(first);
await first.goto(`${base}/rate?text=2`);
equal(await first.isChecked(".dim input[type=radio][value='4']"), true, "the mark after the return");
first.errors = [];

// In the dark, in Chinese and Japanese.
for (const [i, locale] of [[1, "zh-CN"], [2, "ja-JP"]]) {
  const other = await person(browser, { locale, colorScheme: "dark", viewport: { width: 360, height: 740 } });
  await enter(other, links[i], true);
  await sound(other, `a text in the dark, ${locale}`);
}

// Everything without scripts, on a phone: on and back by the buttons of the bar, and handed in.
const bare = await person(browser, { javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
await arrive(bare, links[3]);
for (let text = 1; text <= 10; text++) {
  has(await bare.textContent("h2 >> nth=1"), `${text} / 10`, "which text it is");
  await choose(bare, 1, text === 1);
  if (text === 3) { // back, and what was marked is still there
    await Promise.all([bare.waitForNavigation(), bare.click(".moves [name=go]:not(.filled)")]);
    equal(await bare.isChecked(".scale input[type=radio][value='1']"), true, "a mark on the way back");
    await Promise.all([bare.waitForNavigation(), bare.click(".moves .filled")]);
  }
  await Promise.all([bare.waitForNavigation(), bare.click(".moves .filled")]);
}
has(await bare.textContent("main"), "completion code", "the end without scripts");

// Pairs: two cards, each with its button, and the tie below.
const judge = await person(browser, { viewport: { width: 1440, height: 900 } });
await arrive(judge, links[4]);
await sound(judge, "a pair");
equal(await judge.$$eval(".duel .side .pick", (v) => v.length), 2, "cards with a button");
has(await judge.textContent(".picks"), "Neither is better", "the tie");
for (const name of ["wily-a", "wily-b"]) if ((await judge.content()).includes(name)) fail(`the page names ${name}`);
await judge.setViewportSize({ width: 360, height: 740 });
await sound(judge, "a pair on a phone");
await choose(judge, 1, true);
await heard(judge);
await submit(judge);
has(await judge.textContent("main"), "completion code", "the end of pairs");

