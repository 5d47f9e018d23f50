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
