// A rater on a phone, from the invitation to the completion code; the same on a second device; a
// rater without scripts.
import { arrive, choose, enter, equal, fail, goOn, has, heard, mark, person, sound, start, submit } from "./lib.mjs";

const browser = start(import.meta);
const { args: [invite, second, plain], base } = browser;
const phone = await person(browser, { locale: "zh-CN" });

const words = await enter(phone, invite, true);
await sound(phone, "rating");
equal(await phone.getAttribute("html", "lang"), "zh-CN".slice(0, 2), "language of the page");

// Texts of models are text: no script of theirs has run, no name of a model is on the page.
equal(await phone.evaluate(() => window.pwned), undefined, "script in a model's text");
const shown = await phone.content();
for (const name of ["wily-model", "plain-model", "quick-model"])
  if (shown.includes(name)) fail(`the page names ${name}`);

// A mark is saved when it is made, and there after a reload.
await phone.click(".scale input[type=radio][value='0']");
await phone.waitForFunction(() => /\d\d:\d\d/.test(document.getElementById("status").textContent));
await phone.reload();
equal(await phone.isChecked(".scale input[type=radio][value='0']"), true, "mark after a reload: zero is a value");

// One text at a time, with dots for all of them; handing in goes back to what is missing.
equal(await phone.$$eval(".dots button", (v) => v.map((b) => b.className).join(" ").trim()), "some", "texts that were begun");
await Promise.all([phone.waitForNavigation(), phone.click(".dots li:last-child button")]);
has(phone.url(), "text=", "the address names the text");
await submit(phone);
await sound(phone, "something is missing");
equal(await phone.$$eval(".missing", (v) => v.length), 1, "scales marked as missing");
equal(await phone.$eval(".missing", (v) => !!document.getElementById(v.getAttribute("aria-describedby")).textContent), true,
  "what is missing is said where it is");
equal(await phone.getAttribute(".scale legend span", "lang"), "en", "language of a scale's name on a Chinese page");

// On a second device with the words; the first one's page is old then, and does not win.
const desk = await person(browser, { viewport: { width: 1200, height: 800 } });
await desk.goto(`${base}/return`);
await sound(desk, "coming back");
await desk.fill("[name=words]", words.toUpperCase());
await desk.click("main button");
equal(await desk.isChecked(".scale input[type=radio][value='0']"), true, "mark on the second device");
await desk.click(".scale input[type=radio][value='1']");
await heard(desk);
await phone.click(".scale input[type=radio][value='x']");
await phone.waitForFunction(() => document.querySelector(".scale input[type=radio][value='1']").checked);
phone.errors = phone.errors.filter((e) => !e.includes("409"));

// Keys act on the scale that has the focus, and can be switched off.
await desk.focus(".scale:nth-of-type(1) input:checked");
await desk.keyboard.press("0");
equal(await desk.isChecked(".scale input[type=radio][value='0']"), true, "digit on a scale");
await desk.evaluate(() => { document.getElementById("keys").open = true; });
await desk.uncheck("#keys-on");
await desk.focus(".scale:nth-of-type(1) input:checked");
await desk.keyboard.press("1");
equal(await desk.isChecked(".scale input[type=radio][value='0']"), true, "digit with keys switched off");

// Each key can be changed; one that would do two things is pointed out and not kept; the choice stays.
const value = (n) => desk.isChecked(`.scale input[type=radio][value='${n}']`);
await desk.check("#keys-on");
await desk.fill("#key-next", "k");
await desk.press("#key-next", "Tab");
has(await desk.textContent("#keys-fault"), "k would do two things", "a key for two things");
equal(await desk.getAttribute("#key-next", "aria-invalid"), "true", "field with the fault");
await sound(desk, "keys in conflict");
await desk.fill("#key-next", "N");
await desk.fill("#key-marks", "zxcvb");
await desk.press("#key-marks", "Tab");
equal(await desk.textContent("#keys-fault"), "", "fault that was mended");
await desk.reload();
await desk.evaluate(() => { document.getElementById("keys").open = true; });
equal(await desk.inputValue("#key-next"), "n", "chosen key after a reload");
await desk.focus(".scale:nth-of-type(1) input:checked");
await desk.keyboard.press("x");
equal(await value(1), true, "chosen key for a mark");
await desk.keyboard.press("0");
equal(await value(1), true, "the usual key, when another was chosen");
await desk.keyboard.press("j");
equal(await desk.evaluate(() => document.activeElement.closest(".scale") === document.querySelector(".scale")), true, "the usual key for the next scale");
await desk.keyboard.press("n");
equal(await desk.evaluate(() => document.activeElement.closest(".scale") === document.querySelectorAll(".scale")[1]), true, "chosen key for the next scale");
await desk.click("#keys-usual");
await desk.focus(".scale:nth-of-type(1) input:checked");
await desk.keyboard.press("0");
equal(await value(0), true, "the usual keys again");
await heard(desk);

// A server that cannot save just now is asked again; nothing is forgotten meanwhile.
let refused = 0;
await desk.route("**/mark", (route) => (refused++ ? route.continue() : route.fulfill({ status: 503, body: "busy" })));
await desk.click(".scale input[type=radio][value='1']");
await desk.waitForFunction(() => document.getElementById("status").textContent.includes("No connection"));
await desk.waitForFunction(() => !Object.keys(localStorage).some((key) => key.startsWith("audition/rate/")), null, { timeout: 20000 });
await desk.unroute("**/mark");
if (refused < 2) fail("a mark that the server could not save was not sent again");
await desk.reload();
equal(await value(1), true, "mark after the server was busy");
await desk.evaluate(() => { document.getElementById("keys").open = true; });
desk.errors = [];

// Whoever shares the machine pauses and signs out; the word that a session ends is in sight.
await desk.click("[name=then][value=pause]");
await sound(desk, "a pause");
has(desk.url(), "/rate/", "the address of a pause");
await desk.goto(desk.url());
equal(await desk.locator(".scale").count() > 0, true, "a pause that is opened again goes on");
await desk.click("[name=then][value=pause]");
await desk.click("main form button");
has(desk.url(), "/return", "signed out");
equal((await desk.goto(`${base}/rate`)).status(), 401, "signed out");
desk.errors = [];
await desk.goto(`${base}/return`);
await desk.fill("[name=words]", words);
await desk.click("main button");
await desk.focus(".scale input");
await desk.evaluate(() => { document.getElementById("session").hidden = false; });
equal(await desk.evaluate(() => {
  const box = document.getElementById("session").getBoundingClientRect();
  return box.bottom <= innerHeight && box.height < innerHeight / 2;
}), true, "warning in sight");
await sound(desk, "the session ends");
await desk.click("#session button");
await desk.waitForFunction(() => document.getElementById("session").hidden);

// Without a connection marks wait, and are sent when it is back.
await desk.context().setOffline(true);
await desk.click(".scale input[type=radio][value='0']");
await desk.waitForFunction(() => document.getElementById("status").textContent.includes("No connection"));
await desk.context().setOffline(false);
await desk.waitForFunction(() => /\d\d:\d\d/.test(document.getElementById("status").textContent), null, { timeout: 20000 });
desk.errors = [];

// What is not taken just now waits, and where things stand is one step away: no page is loaded again and again.
const waits = () => desk.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("audition/rate/")).length);
await desk.route("**/mark", (route) => route.fulfill({ status: 400, json: { error: "closed to further ratings" } }));
await desk.click(".scale input[type=radio][value='1']");
await desk.waitForSelector("#status a[href='/rate']");
has(await desk.textContent("#status"), "closed to further ratings", "why a mark waits");
await Promise.all([desk.waitForNavigation(), desk.click("#status a")]);
await desk.waitForSelector("#status a[href='/rate']");
equal(await value(1), true, "a mark that waits is shown");
equal(await waits(), 1, "marks that wait");
await desk.unroute("**/mark");
await desk.evaluate(() => dispatchEvent(new Event("online")));
await heard(desk);
await desk.reload();
equal(await value(1), true, "mark after the campaign was closed for a moment");

// A page whose token is refused is exchanged once, and not for ever.
let old = 0;
await desk.route("**/mark", (route) => route.fulfill({ status: 403, body: String(old++) }));
const exchanged = desk.waitForNavigation();
await desk.click(".scale input[type=radio][value='0']", { noWaitAfter: true });
await exchanged;
await desk.waitForFunction(() => document.getElementById("status").textContent.includes("No connection"));
equal(old, 2, "times that the token was refused");
await desk.unroute("**/mark");
await desk.evaluate(() => dispatchEvent(new Event("online")));
await heard(desk);

// What can never be saved is said beside it, and stays until it is changed; others are saved.
await desk.goto(`${base}/rate?text=1`);
const faulty = await desk.getAttribute(".scale", "id");
await desk.route("**/mark", (route) => `f.${route.request().postDataJSON().slot}.${route.request().postDataJSON().dimension}` === faulty
  ? route.fulfill({ status: 422, json: { error: "a comment may have at most 16384 characters" } }) : route.continue());
await desk.click(".scale >> nth=0 >> input[type=radio] >> nth=1");
await desk.waitForSelector(".scale > .error");
await desk.click(".scale >> nth=1 >> input[type=radio] >> nth=1");
await desk.waitForFunction(() => Object.keys(JSON.parse(localStorage[Object.keys(localStorage).find((key) => key.startsWith("audition/rate/"))])).length === 1);
await desk.click(".moves .filled");
await desk.reload();
await desk.waitForSelector(".scale > .error");
has(await desk.textContent(".scale >> nth=0 >> .error"), "16384", "why it cannot be saved");
equal(await desk.isChecked(".scale >> nth=0 >> input[type=radio] >> nth=1"), true, "a mark that cannot be saved");
desk.errors = [];
await sound(desk, "a mark that cannot be saved");
await desk.unroute("**/mark");
await desk.click(".scale >> nth=0 >> input[type=radio] >> nth=0");
await heard(desk);
equal(await desk.locator(".scale > .error").count(), 0, "faults that were mended");
desk.errors = [];

// To the end on the second device.
for (let passage = 1; await desk.locator(".scale").count(); passage++) {
  has(await desk.textContent("h1"), `${passage} / 2`, "progress");
  await mark(desk, passage);
  await submit(desk);
  if (passage > 2) fail("more passages than were promised");
}
await sound(desk, "the end");
has(await desk.textContent("main"), "completion code", "the end");
const code = await desk.textContent(".words code");

// The first device, whose page was handed in on the second, says so, and finds the same end.
await phone.click(".scale input[type=radio][value='x']");
await phone.click("#status a[href='/rate']");
await phone.waitForSelector(".words code");
equal(await phone.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith("audition/rate/"))), false, "what came too late waits for nothing");
phone.errors = [];
equal(await phone.textContent(".words code"), code, "completion code on the first device");

// An invitation holds once.
const other = await person(browser);
equal((await other.goto(invite)).status(), 410, "a used invitation");

// A text can be reported; one can leave for good. What is deleted with the ratings is told by unit tests: the report goes too.
const learner = await person(browser);
await arrive(learner, second);
for (let more = true; more;) { // one of them is no reference, whose text nobody has to be shown
  await learner.evaluate(() => { document.querySelector(".report-text").open = true; scrollTo(0, document.body.scrollHeight); });
  await learner.fill(".report-text textarea", "rude");
  await Promise.all([learner.waitForNavigation(), learner.click(".report-text button")]);
  has(await learner.textContent("[role=alert]"), "passed on", "report");
  more = await goOn(learner);
}
await learner.evaluate(() => {
  document.querySelector(".leave").open = true;
  scrollTo(0, document.body.scrollHeight);
  for (const key of ["rate/1", "room//rate/1/ask/2"]) localStorage.setItem(`audition/${key}`, "{}"); // what waits, what is being written
});
const window2 = await learner.context().newPage();
await window2.goto(`${base}/rate`);
await learner.click("[name=ratings][value=keep]");
equal(await learner.textContent("h1"), "You have withdrawn", "leaving");
await window2.waitForURL(`${base}/return`); // there was a form in it, whose marks would have waited for ever
equal(await learner.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("audition/r")).join()), "", "what is left in the browser");

// Everything works without scripts.
const bare = await person(browser, { javaScriptEnabled: false });
await enter(bare, plain, false);
for (let passage = 0; passage < 2; passage++) {
  for (let on = true, mouse = !passage; on; mouse = false) {
    await choose(bare, 1, mouse);
    on = await goOn(bare);
  }
  await submit(bare);
}
has(await bare.textContent("main"), "completion code", "the end without scripts");

