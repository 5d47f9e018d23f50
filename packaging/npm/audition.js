#!/usr/bin/env node
// Starts the program of the package for this platform, which npm has chosen among the optional ones.
const { spawn } = require("node:child_process");
const path = require("node:path");

const name = `@audition/${process.platform}-${process.arch}`;
let folder;
try {
  folder = path.dirname(require.resolve(`${name}/package.json`));
} catch {
  console.error(`audition: there is no package ${name}. Programs exist for linux-x64 and linux-arm64.`);
  process.exit(1);
}
const child = spawn(path.join(folder, "bin/audition"), process.argv.slice(2), { stdio: "inherit" });
// Ctrl-C reaches both; the program decides what to do with it.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => signal === "SIGINT" || child.kill(signal));
child.on("error", (error) => { console.error(`audition: ${error.message}`); process.exit(1); });
child.on("exit", (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code)));
