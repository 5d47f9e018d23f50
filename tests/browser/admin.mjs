// An administrator from set-up to unmasking; what other roles and raters may not see.
import { equal, fail, has, person, sound, start } from "./lib.mjs";

const browser = start(import.meta);
const { args: [code, stage], base } = browser;
const admin = await person(browser, { viewport: { width: 360, height: 740 } });
const visit = async (path, where) => { await admin.goto(base + path); await sound(admin, where); };

async function signIn(page, name) {
  await page.goto(`${base}/login`);
  await page.fill("[name=name]", name);
  await page.fill("[name=password]", "a long enough password");
  await page.click("main button");
}

if (stage === "before") {
  await visit("/setup", "set-up");
  await admin.fill("[name=code]", code);
  await admin.fill("[name=name]", "ada");
  await admin.fill("[name=password]", "a long enough password");
  await admin.click("main button");
  await visit("/accounts", "accounts");
  for (const role of ["coordinator", "analyst"]) {
    await admin.fill("[name=name]", role);
    await admin.fill("[name=password]", "a long enough password");
    await admin.check(`[name=role][value=${role}]`);
    await admin.click("main form:last-of-type button");
  }

  // A link in mail that is read in the browser ends where it points to, signed in as before.
  await admin.route("http://mail.example/", (route) =>
    route.fulfill({ contentType: "text/html", body: `<a href="${base}/accounts?lang=en">accounts</a>` }));
  await admin.goto("http://mail.example/");
  await admin.click("a");
  await admin.waitForURL(`${base}/accounts?lang=en`);
  await admin.waitForSelector("[name=role]");
  await sound(admin, "from mail");

  await visit("/runs", "runs");
  await admin.click("main th a");
  await sound(admin, "a run");

  // A flag is shown with its evidence, overruled with a reason, and says so.
  await admin.click("main a[href$='/flags']");
  await sound(admin, "flags");
  const flag = admin.locator("section", { hasText: "gives itself away" });
  has(await flag.locator("mark").textContent(), "As an AI language model", "evidence of a flag");
  await flag.locator("[name=why]").fill("a joke of the character");
  await Promise.all([admin.waitForNavigation(), flag.locator("button").click()]);
  await sound(admin, "an overruled flag");
  has(await admin.textContent("main"), "Overruled: ada, a joke of the character", "overruling");
  await visit("/campaigns", "campaigns");

  // By form: faults come back at their field, those of the part under "Advanced" with their line.
  await admin.click("main a[href='/new-campaign']");
  await sound(admin, "a new campaign");
  const send = () => Promise.all([admin.waitForNavigation(), admin.click("main form button.filled")]);
  await admin.fill("#campaign", "comic");
  await admin.evaluate(() => { document.getElementById("passages_per_rater").type = "text"; });
  await admin.fill("#passages_per_rater", "many");
  await admin.evaluate(() => { document.querySelector("main form details").open = true; });
  await admin.fill("#file", "practice: no\nreferences: takes-part\n");
  await send();
  await sound(admin, "a faulty campaign");
  has(await admin.textContent("#passages_per_rater-error"), "expected a whole number", "fault at its field");
  has(await admin.textContent("pre"), "2:1: ", "fault in the file, at its own line");
  equal(await admin.inputValue("#campaign"), "comic", "what was typed is still there");
  await admin.fill("#passages_per_rater", "2");
  await admin.fill("#overlap", "2");
  await admin.fill("#contact", "Ada, ada@example.org");
  await admin.fill("#file", "practice: no\nreference: takes-part\n");
  await send();
  await sound(admin, "a draft");

  // What comes next is the one filled button: first the text that gives its author away.
  equal(await admin.$$eval("main .filled", (v) => v.length), 1, "filled buttons");
  has(await admin.textContent(".todo"), "Texts to decide on: 1", "next action of a draft");
  await admin.click(".todo a");
  await sound(admin, "held back");
  has(await admin.textContent("main"), "As an AI language model", "withheld text");
  if ((await admin.textContent("main")).includes("quick-model")) fail("a withheld text names its model");
  await admin.click("button[value=hide]");
  await admin.click(".tabs a >> nth=0");
  await admin.click(".todo button[value=open]");
  await sound(admin, "an open campaign");
  has(await admin.textContent(".todo"), "Raters to invite", "next action of an open campaign");
  await admin.click(".todo a");
  await sound(admin, "invitations");

  // Links are shown once, a note each, with a code for a camera; one is taken back.
  await admin.fill("#notes", "Ann\n=Bob()\nCleo\nDan\n");
  await admin.click("form[action$='/invites'] button[value=page]");
  await sound(admin, "links");
  equal(await admin.$$eval(".qr", (v) => v.length), 4, "codes for a camera");
  const links = await admin.$$eval("code.link", (v) => v.map((one) => one.textContent));
  await admin.goto(`${base}/campaigns/comic/invitations`);
  await admin.click("tr:has-text('Dan') button");
  await sound(admin, "an invitation that was taken back");
  has(await admin.textContent("tr:has-text('Dan')"), "Revoked", "an invitation that was taken back");
  for (const link of links.slice(0, 3)) browser.print(link);
} else {
  await signIn(admin, "ada");
  await admin.goto(`${base}/campaigns/comic/raters`);
  has(await admin.textContent("main"), "finished", "a rater who finished");
  await admin.goto(`${base}/campaigns/comic`);
  await sound(admin, "progress");
  has(await admin.textContent(".legend"), "finished: 2", "the bar of raters");
  has(await admin.textContent("#look"), "Reported or skipped by raters", "what needs attention");
  await admin.goto(`${base}/campaigns/comic/held`);
  has(await admin.textContent("main"), "rude", "a report");
  has(await admin.textContent("main"), "The text", "what was reported");
  await admin.click("td button:text('Leave it out')");
  await sound(admin, "a reported text is left out");
  has(await admin.textContent("td form[action*='/withheld/']"), "Show it", "a text that was left out");
  await admin.goto(`${base}/campaigns/comic/raters`);
  await admin.click("form[action$='/compute'] button");
  has(admin.url(), "/raters", "back where the button was");
  await visit("/campaigns/comic/results", "masked results");
  if ((await admin.textContent("main")).includes("wily-model")) fail("results name a system before unmasking");
  await admin.goto(`${base}/campaigns/comic`);

  // Who is no administrator.
  const coordinator = await person(browser);
  await signIn(coordinator, "coordinator");
  equal((await coordinator.goto(`${base}/campaigns/comic`)).status(), 200, "a coordinator's page");
  equal(await coordinator.locator("main a[href*='state?to=']").count(), 0, "a coordinator cannot close");
  await coordinator.goto(`${base}/`);
  has(coordinator.url(), "/campaigns", "where a coordinator begins");
  equal((await coordinator.goto(`${base}/campaigns/comic/state?to=closed`)).status(), 403, "closing by a coordinator");
  equal((await coordinator.goto(`${base}/campaigns/comic/log`)).status(), 200, "the log for a coordinator");
  equal((await coordinator.goto(`${base}/campaigns/comic/results`)).status(), 403, "results for a coordinator");
  equal((await coordinator.goto(`${base}/accounts`)).status(), 403, "accounts for a coordinator");
  const analyst = await person(browser);
  await signIn(analyst, "analyst");
  equal((await analyst.goto(`${base}/campaigns/comic/results`)).status(), 200, "results for an analyst");
  equal((await analyst.goto(`${base}/campaigns/comic/invitations`)).status(), 403, "an analyst cannot invite");

  // What cannot be undone is asked about once more: a look at the question changes nothing.
  await admin.goto(`${base}/campaigns/comic`);
  await admin.click("main a[href$='state?to=closed'] >> nth=0");
  await sound(admin, "are you sure?");
  await admin.goto(`${base}/campaigns/comic`);
  has(await admin.textContent(".head"), "Open", "state after a question that was not answered");
  await admin.click("main a[href$='state?to=closed'] >> nth=0");
  await admin.click("button[value=closed]");
  await sound(admin, "a closed campaign");
  await admin.click(".todo a");
  await admin.click("button[value=unmasked]");
  if (/more|wanted/.test(await admin.textContent(".tiles"))) fail("an unmasked campaign asks for ratings");
  await visit("/campaigns/comic/results", "results");
  has(await admin.textContent("main"), "wily-model", "results after unmasking");
  has(await admin.textContent(".chart"), "wily-model", "the chart after unmasking");
  has(await admin.textContent("main"), "reference", "the human text as one more system");
  const file = await admin.request.get(`${base}/campaigns/comic/ratings.csv`);
  has(await file.text(), "audition-ratings/1,comic,", "export");
  await visit("/audit", "audit log");
  has(await admin.textContent("main"), "changed the state of campaign comic", "audit log in words");
  has(await admin.textContent("main tr:has-text('changed the state')"), "Unmasked", "the state, in words");
  equal(await admin.$eval(".top [aria-current]", (here) => {
    const { left, right } = here.getBoundingClientRect();
    return left >= 0 && right <= innerWidth;
  }), true, "the way that leads here is in sight on a phone");
  await visit("/audit?what=campaign.&subject=comic", "filtered audit log");
  if ((await admin.textContent("main table")).includes("signed in")) fail("a filter that filters nothing");
  await visit("/campaigns/comic/log", "log of the campaign");
  has(await admin.textContent("main"), "created invitations", "log of the campaign");
  await visit("/me", "my account");
  equal((await admin.goto(`${base}/campaigns/nowhere`)).status(), 404, "a campaign that is not there");
  if ((await admin.textContent("main")).includes("audition campaign")) fail("a page speaks of commands");
  await admin.click("main a");
  equal(new URL(admin.url()).pathname === "/campaigns/nowhere", false, "the way out of a page that is not there");
}
