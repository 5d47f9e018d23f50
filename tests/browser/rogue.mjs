// rogue.mjs PORT-FILE: a provider that signs whatever it is told to: /mode/NAME says how the next tokens are wrong.
import fs from "node:fs";
import http from "node:http";
import crypto from "node:crypto";

const rsa = crypto.generateKeyPairSync("rsa", { modulusLength: 2048 });
const other = crypto.generateKeyPairSync("rsa", { modulusLength: 2048 });
const short = crypto.generateKeyPairSync("rsa", { modulusLength: 1024 });
const ec = crypto.generateKeyPairSync("ec", { namedCurve: "P-256" });
const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const jwk = (pair, kid) => ({ ...pair.publicKey.export({ format: "jwk" }), kid });
let mode = "good", nonce = "", asked = 0;

const now = () => Math.floor(Date.now() / 1000);
// What is wrong with claims, head or signature, by the name of the attack.
const claimed = {
  nonce: { nonce: "0".repeat(64) }, nononce: { nonce: undefined }, iss: { iss: "https://elsewhere.example" }, aud: { aud: "another" },
  auds: { aud: ["open", "another"] }, azp: { aud: ["open", "another"], azp: "another" }, expired: { exp: now() - 3600 }, noexp: { exp: undefined },
  future: { iat: now() + 3600 }, nosub: { sub: "" },
  named: { preferred_username: "linguists" },
};
const heads = { none: { alg: "none" }, hs256: { alg: "HS256" }, kid: { kid: "unknown" }, crit: { crit: ["exp"] }, swap: { alg: "ES256", kid: "r1" }, short: { kid: "s1" }, ec: { alg: "ES256", kid: "e1" } };

function token(issuer) {
  const head = { alg: "RS256", kid: "r1", typ: "JWT", ...heads[mode] };
  const claims = { iss: issuer, aud: "open", sub: "mallory", preferred_username: "mallory", groups: ["linguists"], iat: now(), exp: now() + 300, nonce, ...claimed[mode] };
  const text = `${encode(head)}.${encode(claims)}`;
  if (mode === "none") return `${text}.`;
  if (mode === "hs256") return `${text}.${crypto.createHmac("sha256", rsa.publicKey.export({ type: "spki", format: "pem" })).update(text).digest("base64url")}`;
  if (mode === "ec") return `${text}.${crypto.sign("sha256", Buffer.from(text), { key: ec.privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
  const key = mode === "key" ? other : mode === "short" ? short : rsa;
  const signature = crypto.sign("sha256", Buffer.from(text), key.privateKey).toString("base64url");
  if (mode === "changed") return `${encode(head)}.${encode({ ...claims, groups: ["audition-admins"] })}.${signature}`;
  return `${text}.${signature}`;
}

const server = http.createServer((request, response) => {
  const at = new URL(request.url, "http://x"), issuer = `http://127.0.0.1:${server.address().port}`;
  const say = (value) => { response.setHeader("Content-Type", "application/json"); response.end(JSON.stringify(value)); };
  if (at.pathname.startsWith("/mode/")) { mode = at.pathname.slice(6); response.end(); }
  else if (at.pathname === "/asked") response.end(String(asked));
  else if (at.pathname === "/authorize") {
    nonce = at.searchParams.get("nonce");
    response.writeHead(303, { Location: `${at.searchParams.get("redirect_uri")}?code=c&state=${at.searchParams.get("state")}` }).end();
  } else if (at.pathname === "/token") { asked++; say(mode === "broken" ? { id_token: 5 } : { id_token: token(issuer), access_token: "x", token_type: "Bearer" }); }
  else if (at.pathname === "/userinfo") say(mode === "somebody" ? { sub: "admin", groups: ["audition-admins"] } : { sub: "mallory" });
  else if (at.pathname === "/keys") say({ keys: [jwk(rsa, "r1"), jwk(short, "s1"), jwk(ec, "e1")] });
  else if (at.pathname === "/.well-known/openid-configuration" && mode === "closed") say({});
  else if (at.pathname === "/.well-known/openid-configuration") say({ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/keys`, userinfo_endpoint: `${issuer}/userinfo` });
  else response.writeHead(404).end();
});
server.listen(0, "127.0.0.1", () => fs.writeFileSync(process.argv[2], `http://127.0.0.1:${server.address().port}`));
