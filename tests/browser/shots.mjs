// Screenshots of pages, to be looked at: shots.mjs OUT PATH... ; BASE, and NAME and PASSWORD of an account.
// WIDTHS=1440,768,360, SCHEMES=light,dark and LOCALES=en,zh,ja say how; CODE sets the first account up.
import fs from "node:fs";
import { start } from "./lib.mjs";

const browser = start(import.meta);
const { args: [out, ...paths], base } = browser;
const { NAME = "ada", PASSWORD = "a long enough password", CODE } = process.env;
const widths = (process.env.WIDTHS ?? "1440,768,360").split(",").map(Number);
const schemes = (process.env.SCHEMES ?? "light,dark").split(",");
const locales = (process.env.LOCALES ?? "en").split(",");

fs.mkdirSync(out, { recursive: true });
const first = await browser.newContext({ locale: "en-GB" });
const door = await first.newPage();
await door.goto(`${base}/${CODE ? "setup" : "login"}`);
if (CODE) await door.fill("[name=code]", CODE);
await door.fill("[name=name]", NAME);
await door.fill("[name=password]", PASSWORD);
await door.click("main button");
const storageState = await first.storageState();

for (const locale of locales)
  for (const colorScheme of schemes)
    for (const width of widths) {
      const context = await browser.newContext({
        storageState, colorScheme, locale, viewport: { width, height: 900 },
        javaScriptEnabled: process.env.SCRIPT !== "no",
      });
      const page = await context.newPage();
      for (const path of paths) {
        await page.goto(base + path);
        const name = path.replace(/[^\w]+/g, "-").replace(/^-|-$/g, "") || "home";
        await page.screenshot({ path: `${out}/${name}-${width}-${colorScheme}-${locale}.png`, fullPage: true });
      }
      await context.close();
    }
