// An administrator from set-up to unmasking; what other roles and raters may not see.
import { base, equal, fail, has, person, sound, start } from "./lib.mjs";

const [code, stage] = process.argv.slice(2);
const browser = await start();
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
  await flag.locator("button").click();
  await sound(admin, "an overruled flag");
  has(await admin.textContent("main"), "Overruled: ada, a joke of the character", "overruling");
  await visit("/campaigns", "campaigns");

  // A faulty file comes back with its faults; a good one becomes a draft.
  await admin.fill("[name=run]", "latest");
  await admin.fill("[name=file]", "campaign: comic\npassages_per_rater: many\n");
  await admin.click("main form:last-of-type button");
  await sound(admin, "a faulty campaign");
  has(await admin.textContent("pre"), "campaign:2:21: error: expected a whole number", "fault");
  await admin.fill("[name=file]", "campaign: comic\npassages_per_rater: 2\noverlap: 2\npractice: no\nreference: takes-part\n");
  await admin.click("main form:last-of-type button");
  await sound(admin, "a draft");

  // The text that gives its author away is decided on without saying whose it is.
  has(await admin.textContent("main"), "As an AI language model", "withheld text");
  if ((await admin.textContent("main")).includes("quick-model")) fail("a withheld text names its model");
  await admin.click("button[value=hide]");
  await admin.click("button[value=open]");
  await sound(admin, "an open campaign");

  // Links are shown once.
  await admin.fill("[name=count]", "3");
  await admin.click("form[action$='/invites'] button");
  await sound(admin, "links");
  for (const line of (await admin.textContent("pre")).trim().split("\n")) console.log(line);
} else {
  await signIn(admin, "ada");
  await admin.goto(`${base}/campaigns/comic`);
  has(await admin.textContent("main"), "finished", "a rater who finished");
  has(await admin.textContent("main"), "rude", "a report");
  has(await admin.textContent("main"), "The text", "what was reported");
  await admin.click("td button:text('Leave it out')");
  await sound(admin, "a reported text is left out");
  has(await admin.textContent("td form[action*='/withheld/']"), "Show it", "a text that was left out");
  await admin.click("form[action$='/compute'] button");
  await visit("/campaigns/comic/results", "masked results");
  if ((await admin.textContent("main")).includes("wily-model")) fail("results name a system before unmasking");
  await admin.goto(`${base}/campaigns/comic`);

  // Who is no administrator.
  const coordinator = await person(browser);
  await signIn(coordinator, "coordinator");
  equal((await coordinator.goto(`${base}/campaigns/comic`)).status(), 200, "a coordinator's page");
  equal(await coordinator.$("button[value=closed]"), null, "a coordinator cannot close");
  equal((await coordinator.goto(`${base}/campaigns/comic/results`)).status(), 403, "results for a coordinator");
  equal((await coordinator.goto(`${base}/accounts`)).status(), 403, "accounts for a coordinator");
  const analyst = await person(browser);
  await signIn(analyst, "analyst");
  equal((await analyst.goto(`${base}/campaigns/comic/results`)).status(), 200, "results for an analyst");
  equal(await analyst.$("form[action$='/invites']"), null, "an analyst cannot invite");

  await admin.click("button[value=closed]");
  await sound(admin, "a closed campaign");
  await admin.click("button[value=unmasked]");
  await visit("/campaigns/comic/results", "results");
  has(await admin.textContent("main"), "wily-model", "results after unmasking");
  has(await admin.textContent(".chart"), "wily-model", "the chart after unmasking");
  has(await admin.textContent("main"), "reference", "the human text as one more system");
  const file = await admin.request.get(`${base}/campaigns/comic/ratings.csv`);
  has(await file.text(), "audition-ratings/1,comic,", "export");
  await visit("/audit", "audit log");
  has(await admin.textContent("main"), "unmasked", "audit log");
  await visit("/me", "my account");
}
await browser.close();
