// api.mjs URL TOKEN READ-ONLY-TOKEN: holds what the server answers against its own description.
const [base, token, readOnly] = process.argv.slice(2);
const fail = (text) => { console.error(`FAILED: ${text}`); process.exit(1); };

async function ask(method, path, body, bearer = token) {
  const answer = await fetch(base + path, {
    method, redirect: "manual",
    headers: { ...(bearer && { Authorization: `Bearer ${bearer}` }), ...(body && { "Content-Type": "application/json" }) },
    body: body && JSON.stringify(body),
  });
  return { status: answer.status, type: answer.headers.get("content-type"), text: await answer.text() };
}

const doc = JSON.parse((await ask("GET", "/api/v1/openapi.json", undefined, "")).text);
const resolve = (s) => (s?.$ref ? s.$ref.slice(2).split("/").reduce((at, part) => at[part], doc) : s);

function check(schema, value, where) {
  const s = resolve(schema);
  const kind = Array.isArray(value) ? "array" : Number.isInteger(value) ? "integer" : value === null ? "null" : typeof value;
  if (value === null && s.nullable) return;
  if (s.type && s.type !== kind && !(s.type === "number" && kind === "integer")) fail(`${where}: ${kind}, not ${s.type}`);
  if (s.enum && !s.enum.includes(value)) fail(`${where}: ${value} is none of ${s.enum}`);
  for (const name of s.required ?? []) if (!(name in value)) fail(`${where} has no ${name}`);
  for (const [name, part] of Object.entries(s.properties ?? {})) if (name in value) check(part, value[name], `${where}.${name}`);
  if (kind === "array") value.forEach((one, i) => s.items && check(s.items, one, `${where}[${i}]`));
}

// One answer must be one that its operation describes, in status, type and form.
async function call(method, path, values = {}, body, bearer = token) {
  const operation = doc.paths[path]?.[method.toLowerCase()] ?? fail(`${method} ${path} is not described`);
  const got = await ask(method, path.replace(/{(\w+)}/g, (_, name) => values[name]), body, bearer);
  const described = resolve(operation.responses[got.status]) ?? fail(`${method} ${path} answered ${got.status}: ${got.text}`);
  const [type, content] = Object.entries(described.content)[0];
  if (!got.type.startsWith(type)) fail(`${method} ${path}: ${got.type}, not ${type}`);
  if (type === "application/json") check(content.schema, JSON.parse(got.text), `${method} ${path}`);
  else got.text.trim().split("\n").filter(Boolean).forEach((line) => JSON.parse(line));
  return { status: got.status, value: type === "application/json" ? JSON.parse(got.text) : got.text };
}
const is = (got, want, what) => { if (got !== want) fail(`${what}: ${got}, not ${want}`); };

const runs = (await call("GET", "/api/v1/runs")).value.runs;
const made = await call("POST", "/api/v1/campaigns", {}, { run: runs[0].run, file: "campaign: api\npassages_per_rater: 1\npractice: no\nabout: []\n" });
is(made.status, 201, "a new campaign");
is((await call("POST", "/api/v1/campaigns", {}, { file: "campaign: [" })).status, 422, "a bad file");
const at = { run: runs[0].run, name: "api" };
is((await call("POST", "/api/v1/campaigns/{name}/state", at, { state: "open" })).value.state, "open", "the state");
is((await call("POST", "/api/v1/campaigns/{name}/state", at, { state: "unmasked" })).status, 403, "unmasking by a program");
is((await call("POST", "/api/v1/campaigns/{name}/invitations", at, { count: 3 })).value.links.length, 3, "links");
is((await call("POST", "/api/v1/campaigns/{name}/invitations", at, { count: 0 })).status, 400, "no invitations");

// People: what a program may do, and what needs a person.
const link = (await call("GET", "/api/v1/campaigns/{name}/invitations", at)).value.invitations;
is(link.length, 3, "invitations");
is((await call("POST", "/api/v1/campaigns/{name}/invitations/{id}", { ...at, id: link[0].id }, {})).value.done, true, "revoking");
if (!(await call("GET", "/api/v1/campaigns/{name}/invitations", at)).value.invitations[0].revoked) fail("it was not revoked");
is((await call("POST", "/api/v1/accounts", {}, { name: "eve", role: "admin", password: "a quite new one 9" })).status, 403, "an account by a program");
is((await call("POST", "/api/v1/accounts/{id}", { id: 1 }, { act: "disable" })).status, 403, "an account disabled by a program");
is((await call("POST", "/api/v1/teams", {}, { act: "add", team: "x" })).status, 403, "a team by a program");
is((await call("POST", "/api/v1/campaigns/{name}/people", at, { act: "add", name: "ada", role: "analyst" })).status, 403, "a role by a program");
is((await call("GET", "/api/v1/accounts")).value.accounts.length, 1, "accounts");
await call("GET", "/api/v1/runs/{run}", at);
const flags = (await call("GET", "/api/v1/runs/{run}/flags", at)).value.flags;
if (!flags.length) fail("there are no flags");
is((await call("POST", "/api/v1/runs/{run}/flags/{id}", { ...at, id: flags[0].id }, {})).status, 400, "without a reason");
is((await call("POST", "/api/v1/runs/{run}/flags/{id}", { ...at, id: flags[0].id }, { why: "it is fine" })).value.done, true, "overruling");
is((await call("GET", "/api/v1/runs/{run}/flags", at)).value.flags[0].overruled_why, "it is fine", "overruled");
is((await call("POST", "/api/v1/runs/{run}/describe", at, { label: "gate", tags: "a,\tb  c\n" })).value.done, true, "describing");
const named = (await call("GET", "/api/v1/runs")).value.runs[0];
is(`${named.label} ${named.tags.join("+")}`, "gate a+b+c", "label and tags");
for (const label of ["latest", runs[0].run, "two words", "\u001b[31m"]) // names that would stand for another run, or colour a terminal
  is((await call("POST", "/api/v1/runs/{run}/describe", at, { label })).status, 400, `the name ${label}`);
is((await call("POST", "/api/v1/runs/{run}/order", at, { act: "burn" })).status, 400, "no such order");
is((await call("POST", "/api/v1/runs/{run}/order", at, { act: "pause" })).status, 400, "an order to a run that is over");
is((await ask("POST", "/api/v1/teams", [1])).status, 400, "a body that is a list");
const held = (await call("GET", "/api/v1/campaigns/{name}/withheld", at)).value.withheld;
is(held.length, 1, "withheld texts");
if (JSON.stringify(held).includes("plain")) fail("a withheld text tells its author");
is((await call("POST", "/api/v1/campaigns/{name}/withheld/{text}", { ...at, text: held[0].text }, { decision: "show" })).value.done, true, "showing it");
is((await call("GET", "/api/v1/campaigns/{name}/withheld", at)).value.withheld[0].decision, "show", "decided");
const own = (await call("GET", "/api/v1/me/sessions")).value.sessions;
is((await call("POST", "/api/v1/me/sessions", {}, { session: own[0].session })).value.done, true, "ending a session");

// Every operation: with a token, without one, with one that may only read, about nothing.
for (const [path, methods] of Object.entries(doc.paths))
  for (const [method, operation] of Object.entries(methods)) {
    const up = method.toUpperCase(), body = up === "POST" ? {} : undefined;
    if (up === "GET") is((await call(up, path, at)).status, 200, `${up} ${path}`);
    if (operation.security?.length === 0) continue;
    is((await call(up, path, at, body, "")).status, 401, `${up} ${path} of nobody`);
    is((await call(up, path, at, body, `aud_${"0".repeat(64)}`)).status, 401, `${up} ${path} with a made-up token`);
    is((await call(up, path, at, body, readOnly)).status, up === "GET" ? 200 : 403, `${up} ${path} of a reader`);
    if (path.includes("{")) is((await call(up, path, { run: "none", name: "none" }, body)).status, 404, `${up} ${path} about nothing`);
  }
is((await ask("GET", "/runs")).status, 303, "pages with a token");
console.log(Object.entries(doc.paths).flatMap(([path, m]) => Object.keys(m).map((k) => `${k.toUpperCase()} ${path}`)).sort().join("\n"));
