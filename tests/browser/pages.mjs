// Pages that no other walk comes by: those before anybody is signed in, those that ask once more, those of raters.
// pages.mjs CODE LINK JSON: CODE sets the first account up, LINK invites a rater, JSON holds the paths of
// {anyone, staff, rater}.
import { enter, equal, fail, person, setUp, start, walk } from "./lib.mjs";

const browser = start(import.meta);
const { args: [code, link, json], base } = browser;
const { anyone, staff, rater } = JSON.parse(json);

await walk(browser, undefined, ["/setup"]);
const storageState = await setUp(browser, code);
await walk(browser, undefined, anyone);
await walk(browser, storageState, staff);

// Whom an open campaign lets join, and whom a link invites.
const joins = await person(browser);
await joins.goto(`${base}/join/door`);
await Promise.all([joins.waitForNavigation(), joins.click("main button")]);
equal(await joins.locator(".words code").count(), 1, "words to come back with");
const guest = await person(browser);
await enter(guest, link, true);
await walk(browser, await guest.context().storageState(), rater);

// Printed, a page has no navigation and no buttons, and keeps its colours.
const sheet = await person(browser, { storageState, viewport: { width: 794, height: 1123 } });
await sheet.emulateMedia({ media: "print" });
for (const path of ["/leaderboard", "/runs"]) {
  await sheet.goto(base + path);
  for (const shown of await sheet.$$eval("nav, button", (v) => v.filter((x) => x.offsetParent).map((x) => x.outerHTML.slice(0, 120))))
    fail(`${path} prints ${shown}`);
}

// Without scripts as well: a page that asks once more does what it says.
const plain = await person(browser, { storageState, javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
const sure = staff.find((path) => path.endsWith("/state"));
await plain.goto(base + sure);
equal(await plain.locator("main .danger").count(), 1, "one button that cannot be undone");
await Promise.all([plain.waitForNavigation(), plain.click("main .danger")]);
