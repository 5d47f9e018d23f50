// A rater practises, rates, and is led to practice again, which is missed; then those who run the
// campaign look at it.
import { arrive, equal, has, mark, person, sound, start, submit as send } from "./lib.mjs";

const browser = start(import.meta);
const { args: [invite], base } = browser;
const rater = await person(browser);
const seen = async (where, ...parts) => {
  await sound(rater, where);
  for (const part of parts) has(await rater.textContent("main"), part, where);
};
const submit = () => send(rater);
const go = () => rater.click("main form[action='/rate/next'] button");

await arrive(rater, invite);
await seen("practice", "Practice");
await mark(rater, 1);
await submit();
await seen("feedback", "The experts' mark", "Because of A.", "You have learnt the scales");
await go();
equal(await rater.textContent("h1"), "Passage 1 / 2", "the first passage");
await mark(rater, 2);
await submit();
await seen("practice is due again", "a short practice", "is saved");

// The same on a device of another language.
const cookies = await rater.context().cookies();
for (const [locale, words] of [["zh-CN", "简短的练习"], ["ja-JP", "短い練習"]]) {
  const other = await person(browser, { locale });
  await other.context().addCookies(cookies);
  await other.goto(`${base}/rate`);
  await sound(other, `practice is due, ${locale}`);
  has(await other.textContent("main"), words, locale);
}

for (const text of ["first", "second"]) {
  await go();
  await seen(`practice again, ${text} attempt`, "Practice");
  await mark(rater, 5);
  await submit();
  await seen(`feedback, ${text} attempt`, "Your mark");
}
await go();
await seen("missed", "What you have rated is kept");

const admin = await person(browser);
await admin.goto(`${base}/login`);
await admin.fill("[name=name]", "ada");
await admin.fill("[name=password]", "a long enough password");
await admin.click("main button");
await admin.goto(`${base}/campaigns/learn/raters`);
await admin.click("form[action$='/compute'] button");
await admin.goto(`${base}/campaigns/learn/raters`);
await admin.click("summary:has-text('How raters practised')");
await sound(admin, "how raters practised");
has(await admin.textContent("main"), "not passed", "rounds");

