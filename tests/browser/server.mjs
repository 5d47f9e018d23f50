// A browser for several tests: prints its address, and lives until it is told to end. Each person of
// each test has a context of their own in it (see person() in lib.mjs).
import { options } from "./lib.mjs";
import { chromium } from "playwright-core";

const server = await chromium.launchServer(options);
console.log(server.wsEndpoint());
process.on("SIGTERM", () => server.close());
