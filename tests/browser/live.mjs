// A run at work: its card moves without the page being loaded again, pause turns the page, and without scripts the
// same can be done. live.mjs RUN PASSWORD
import { equal, fail, has, person, sound, start } from "./lib.mjs";

const browser = start(import.meta);
const { args: [run, password], base } = browser;
const answers = (page) => page.textContent("#live .t14");

for (const javaScriptEnabled of [true, false]) {
  const page = await person(browser, { javaScriptEnabled, viewport: { width: 360, height: 740 }, colorScheme: "dark" });
  await page.goto(`${base}/login`);
  await page.fill("[name=name]", "ada");
  await page.fill("[name=password]", password);
  await page.click("main button");
  await page.goto(`${base}/runs/${run}`);
  has(await page.textContent("#live"), "running", "the run");
  if (javaScriptEnabled) {
    await page.evaluate(() => { window.stays = true; });
    const before = await answers(page);
    const moves = (was) => page.waitForFunction((was) => document.querySelector("#live .t14").textContent !== was, was, { timeout: 60000 });
    await moves(before);
    // A link that has the focus is not taken away from under it; then the card moves on.
    const link = () => page.evaluate(() => document.getElementById("mine") === document.activeElement);
    await page.evaluate(() => {
      document.getElementById("live").insertAdjacentHTML("beforeend", '<a id="mine" href="/runs">Runs</a>');
      document.getElementById("mine").focus();
    });
    const held = await answers(page), beside = await page.context().newPage();
    do await beside.goto(`${base}/runs/${run}`);
    while (await answers(beside) === held);
    await beside.close();
    equal(await link(), true, "the link with the focus");
    await page.evaluate(() => document.activeElement.blur());
    await moves(held);
    equal(await page.evaluate(() => window.stays), true, "the page was loaded once");
    await sound(page, "a run at work");
    // Somebody else pauses it: the page turns by itself.
    const other = await page.context().newPage();
    await other.goto(`${base}/runs/${run}`);
    await Promise.all([other.waitForNavigation(), other.click("button[value=pause]")]);
    await page.waitForSelector("button[value=resume]", { timeout: 60000 });
    equal(await page.evaluate(() => window.stays), undefined, "it was loaded anew");
  } else {
    await Promise.all([page.waitForNavigation(), page.click("button[value=pause]")]);
  }
  await page.waitForSelector("button[value=resume]");
  has(await page.textContent("#live"), "paused", "the run");
  await Promise.all([page.waitForNavigation(), page.click("button[value=resume]")]);
  for (let left = 100; !(await page.textContent("#live")).includes("running"); left--) {
    if (!left) fail("it does not go on");
    await page.waitForTimeout(200);
    await page.goto(`${base}/runs/${run}`).catch(() => {}); // aborted: it was being loaded anew by its own script
  }
  await page.context().close();
}
