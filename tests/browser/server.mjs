// server.mjs SOCKET: runs scripts of this directory for all tests, with one browser; to come to life would cost each of them as
// much as its work. Says that it is there, and lives until it is told to end. Asked with the name of a script, the address
// of a server and arguments, each followed by a zero byte, it answers with what the script prints, or with 500 and why it failed.
// server.mjs NAME ARGUMENT...: one script, for the server at BASE.
import http from "node:http";
import { buffer } from "node:stream/consumers";
import { chromium } from "playwright-core";
import { run } from "./lib.mjs";

// No script of ours runs for so long that optimizing it pays; and every page would get a frame of its own, and a process in store.
const left = ["RenderDocument", "SpareRendererForSitePerProcess", "PaintHolding", "HttpsUpgrades", "Translate", "MediaRouter"];
const args = ["--no-sandbox", "--js-flags=--no-opt,--no-maglev", `--disable-features=${left}`];
const options = { executablePath: process.env.CHROMIUM, args };
const browser = await chromium.launch(options);
// What nobody waits for any more is of a script that has failed already.
process.on("unhandledRejection", (e) => console.error(e));

const [at, ...given] = process.argv.slice(2);
if (!at.includes("/")) {
  const failed = await run(browser, at, process.env.BASE, given, console.log).catch((e) => e);
  if (failed) console.error(failed.stack);
  await browser.close();
  process.exit(failed ? 1 : 0);
}

process.on("SIGTERM", () => browser.close().then(() => process.exit()));
http.createServer(async (request, response) => {
  const [name, base, ...args] = (await buffer(request)).toString().split("\0").slice(0, -1);
  let printed = "";
  const failed = await run(browser, name, base, args, (line) => { printed += `${line}\n`; }).catch((e) => e);
  if (failed) response.writeHead(500);
  response.end(failed ? `${printed}${failed.stack}\n` : printed);
}).listen(at, () => console.log("here"));
