// passkey.mjs PASSWORD: a person with an authenticator (Chromium's own, played), and one who copied what they sent.
import { equal, fail, has, person, sound, start } from "./lib.mjs";

const browser = start(import.meta);
const { args: [password], base } = browser;
const page = await person(browser);
const cdp = await page.context().newCDPSession(page);
await cdp.send("WebAuthn.enable");
const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
  options: { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
});

async function signIn(name) {
  await page.goto(`${base}/login`);
  await page.fill("[name=name]", name);
  await page.fill("[name=password]", password);
  await page.click("form[action='/login'] button");
}
const leave = () => page.context().clearCookies();
const passkeyButton = "form[action='/login/passkey'] button";

// ---- an administrator, whose role needs a second factor, makes one
await signIn("ada");
await page.goto(`${base}/accounts`);
equal(new URL(page.url()).pathname, "/me/second", "without a second factor");
await sound(page, "setting one up");
await page.fill("form[action='/me/passkeys'] [name=name]", "my phone");
await page.click("form[action='/me/passkeys'] button");
await page.waitForSelector(".words li");
equal(await page.locator(".words li").count(), 10, "codes to recover with");
const code = await page.textContent(".words li code");
await page.goto(`${base}/me`);
has(await page.textContent("main"), "my phone", "my account");
await sound(page, "my account with a passkey");

// ---- the password alone is not enough any more; a code to recover with is, once
await leave();
await signIn("ada");
equal(new URL(page.url()).pathname, "/login", "the password alone");
await page.fill("[name=name]", "ada");
await page.fill("[name=password]", password);
await page.fill("[name=code]", code);
await page.click("form[action='/login'] button");
await page.goto(`${base}/accounts`);
equal(new URL(page.url()).pathname, "/accounts", "with a code");

// ---- the passkey alone is
await leave();
await page.goto(`${base}/login`);
page.errors.length = 0; // the refusal was one
await sound(page, "signing in");
const [used] = await Promise.all([
  page.waitForRequest((r) => r.url() === `${base}/login/passkey` && r.method() === "POST"),
  page.click(passkeyButton),
]);
await page.waitForURL((url) => url.pathname !== "/login" && url.pathname !== "/login/passkey");
await page.goto(`${base}/accounts`);
equal(new URL(page.url()).pathname, "/accounts", "with a passkey");

// ---- what was sent is good once, in this browser, and not when it is changed
async function send(change, cookies) {
  const other = await browser.newContext();
  if (cookies) await other.addCookies(await page.context().cookies());
  const form = new URLSearchParams(used.postData());
  const fresh = await (await other.request.get(`${base}/login`)).text();
  const csrf = /name="csrf" value="([0-9a-f]+)/.exec(fresh)[1];
  form.set("csrf", csrf);
  const asked = await (await other.request.post(`${base}/passkey/challenge`, { headers: { "X-CSRF-Token": csrf, Origin: base } })).json();
  change(form, asked.challenge);
  const answer = await other.request.post(`${base}/login/passkey`, {
    data: form.toString(), headers: { "Content-Type": "application/x-www-form-urlencoded", Origin: base }, maxRedirects: 0,
  });
  await other.close();
  return answer.status();
}
equal(await send(() => {}), 400, "sent again");
equal(await send((form, challenge) => form.set("challenge", challenge)), 400, "with another challenge");
equal(await send((form, challenge) => {
  const client = JSON.parse(Buffer.from(form.get("client"), "base64url"));
  client.challenge = Buffer.from(challenge).toString("base64url");
  form.set("client", Buffer.from(JSON.stringify(client)).toString("base64url"));
  form.set("challenge", challenge);
}), 400, "with another challenge inside");
equal(await send((form, challenge) => { form.set("challenge", challenge); form.set("id", "AAAA"); }), 400, "with a name that nobody has");
equal(await send((form) => { for (const name of ["client", "authenticator", "signature"]) form.set(name, ""); }), 400, "with nothing");

// ---- somebody who does not show who they are
await leave();
await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
await page.goto(`${base}/login`);
await page.click(passkeyButton);
await page.waitForSelector("form[action='/login/passkey'] [role=alert]:not([hidden])");
await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });

// ---- a copy, whose counter is behind
const { credentials } = await cdp.send("WebAuthn.getCredentials", { authenticatorId });
await cdp.send("WebAuthn.clearCredentials", { authenticatorId });
await cdp.send("WebAuthn.addCredential", { authenticatorId, credential: { ...credentials[0], signCount: 0 } });
await page.goto(`${base}/login`);
await Promise.all([page.waitForResponse((r) => r.url() === `${base}/login/passkey` && r.status() === 400), page.click(passkeyButton)]);
has(await page.textContent("main"), "copy", "a copy");
await cdp.send("WebAuthn.clearCredentials", { authenticatorId });
await cdp.send("WebAuthn.addCredential", { authenticatorId, credential: { ...credentials[0], signCount: credentials[0].signCount + 9 } });

// ---- confirming with it, and taking it away
await page.goto(`${base}/login`);
await page.click(passkeyButton);
await page.waitForURL((url) => !url.pathname.startsWith("/login"));
await page.goto(`${base}/confirm?next=/me`);
await page.click(passkeyButton);
await page.waitForURL(`${base}/me`);
// ---- a second one goes: other browsers are signed out, this one has still shown the first
const taking = (name) => page.click(`tr:has-text("${name}") form[action='/me/passkeys'] button`);
const elsewhere = await browser.newContext();
async function copied() { // this session, in another browser
  await elsewhere.clearCookies();
  await elsewhere.addCookies(await page.context().cookies());
  return open();
}
const open = async () => (await elsewhere.request.get(`${base}/accounts`, { maxRedirects: 0 })).status();
const { authenticatorId: key } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
  options: { protocol: "ctap2", transport: "usb", hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
});
await cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled: false }); // the phone is in a pocket
await page.fill("form[action='/me/passkeys'] [name=name]", "my key");
await page.click("form[action='/me/passkeys']:has([name=name]) button");
await page.waitForURL(/done/);
has(await page.textContent("main"), "my key", "my account with two passkeys");
equal(await copied(), 200, "a copy of the session");
await taking("my key");
await page.waitForSelector("tr:has-text('my key')", { state: "detached" });
equal(await open(), 303, "the copy, once a passkey was taken away");
await page.goto(`${base}/accounts`);
equal(new URL(page.url()).pathname, "/accounts", "with the passkey that is left");
await cdp.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId: key });

// ---- the last one goes: nothing has been shown any more
equal(await copied(), 200, "a copy of the session");
await page.goto(`${base}/me`);
await taking("my phone");
await page.waitForURL(`${base}/me/second`);
equal(await open(), 303, "the copy, once the last passkey was taken away");
await page.goto(`${base}/accounts`);
equal(new URL(page.url()).pathname, "/me/second", "without a passkey");
if ((await page.textContent("main")).includes("my phone")) fail("the passkey is still there");
await page.goto(`${base}/confirm?next=/me`);
equal(await page.locator(passkeyButton).count(), 0, "a passkey is asked of nobody who has none");
