// networks.mjs PASSWORD INVITATION: two browsers of different networks, behind a proxy that says so. What a
// stranger does from one locks nobody out in the other; a rater goes on elsewhere, and is gone everywhere.
import { arrive, equal, fail, has, heard, person, start } from "./lib.mjs";

const browser = start(import.meta);
const { args: [password, invitation], base } = browser;
const from = (address) => person(browser, { extraHTTPHeaders: { "X-Forwarded-For": address } });
const home = await from("203.0.113.7"), away = await from("198.51.100.9");

async function signIn(page, word) {
  await page.goto(`${base}/login`);
  await page.fill("[name=name]", "ada");
  await page.fill("[name=password]", word);
  const [answer] = await Promise.all([
    page.waitForResponse((r) => r.url() === `${base}/login` && r.request().method() === "POST"),
    page.click("form[action='/login'] button"),
  ]);
  return answer.status();
}

// ---- a stranger guesses until they may not any more; the owner gets in from elsewhere
equal(await signIn(away, "a wrong guess"), 401, "the stranger");
const form = { csrf: await away.inputValue("form[action='/login'] [name=csrf]"), name: "ada" };
const guess = (password) => away.context().request.post(`${base}/login`, { form: { ...form, password }, maxRedirects: 0 });
let status = 401;
for (let i = 0; i < 30 && status === 401; i++) status = (await guess(`a wrong guess ${i}`)).status();
equal(status, 429, "the stranger, with a program");
equal(await signIn(away, password), 429, "the stranger, with the right one by now");
equal(await signIn(home, password), 303, "the owner");
await home.goto(`${base}/me`);
const sessions = await home.textContent("main");
has(sessions, "203.0.113.7", "where the owner is signed in");
if (sessions.includes("198.51.100.9")) fail("the stranger is signed in");
await home.goto(`${base}/audit`);
has(await home.textContent("main"), "198.51.100.9", "the log");

// ---- cookies of one network are good in another: people move; but only the browser that has them
await home.setExtraHTTPHeaders({ "X-Forwarded-For": "203.0.113.99" });
await home.goto(`${base}/me`);
equal(new URL(home.url()).pathname, "/me", "the owner, on the train");
await away.goto(`${base}/me`);
equal(new URL(away.url()).pathname, "/login", "the stranger");

// ---- a rater begins in one network, goes on in the other, and withdraws there
const one = await from("203.0.113.7"), two = await from("192.0.2.50");
const words = await arrive(one, invitation);
await one.click(".scale input[type=radio][value='0']");
await one.waitForFunction(() => /\d\d:\d\d/.test(document.getElementById("status").textContent));
await two.goto(`${base}/return`);
await two.fill("[name=words]", words);
await two.click("main button");
equal(await two.isChecked(".scale input[type=radio][value='0']"), true, "the mark, in the other network");
await two.click(".scale input[type=radio][value='1']");
await heard(two);
const used = await from("192.0.2.51");
await used.goto(invitation);
has(await used.textContent("main"), "used", "the invitation, once more and from elsewhere");

// What the other browser still sends after the withdrawal is not written.
const csrf = await one.inputValue("#rate [name=csrf]");
const action = await one.getAttribute("#rate", "action");
const gone = await two.evaluate(async ([token]) => {
  const form = new URLSearchParams({ csrf: token, ratings: "forget" });
  return (await fetch("/rate/withdraw", { method: "POST", body: form, redirect: "manual" })).status;
}, [await two.inputValue("[name=csrf]")]);
if (gone >= 400) fail(`withdrawing answered ${gone}`);
const late = await one.evaluate(async ([path, token]) =>
  (await fetch(path, { method: "POST", body: new URLSearchParams({ csrf: token }), redirect: "manual" })).status, [action, csrf]);
equal(late, 401, "a request of the browser that was left behind");
await one.goto(`${base}/rate`);
if (await one.locator("#rate").count()) fail("the rater is still there");
