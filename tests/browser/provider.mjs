// provider.mjs PORT-FILE: a real OpenID Connect provider (oidc-provider) on a free port of this machine.
//
// Whoever is sent there is signed in without a word, as the person that /as/NAME chose last. /rotate makes
// it sign with a key that it did not have before.
import fs from "node:fs";
import http from "node:http";
import crypto from "node:crypto";
import Provider from "oidc-provider";

const people = {
  alice: { groups: ["audition-admins"], amr: ["pwd", "mfa"] },
  bob: { groups: ["linguists", "readers"] },
  eve: { groups: ["guests"] },
  ada: { groups: ["audition-admins"] },
};
let who = "alice";

const jwk = (kind, options, kid) => ({
  ...crypto.generateKeyPairSync(kind, options).privateKey.export({ format: "jwk" }), kid, use: "sig",
});
const keys = [jwk("rsa", { modulusLength: 2048 }, "r1"), jwk("ec", { namedCurve: "P-256" }, "e1")];

const server = http.createServer();
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const [back] = process.argv.slice(3);
  const make = (jwks) => {
    const provider = new Provider(issuer, {
      jwks: { keys: jwks },
      clients: [
        { client_id: "open", token_endpoint_auth_method: "none", redirect_uris: [back], id_token_signed_response_alg: "RS256" },
        { client_id: "closed", client_secret: "a secret: 100% & more", redirect_uris: [back], id_token_signed_response_alg: "ES256" },
      ],
      claims: { profile: ["preferred_username"], groups: ["groups"], openid: ["sub", "amr", "auth_time"] },
      scopes: ["openid", "profile", "groups"],
      pkce: { methods: ["S256"], required: () => true },
      conformIdTokenClaims: false,
      cookies: { keys: ["test"] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, i) => `/interaction/${i.uid}` },
      findAccount: (_, id) => ({
        accountId: id,
        claims: () => ({ sub: id, preferred_username: id, ...people[id] }),
      }),
    });
    for (const kind of ["server_error", "grant.error", "authorization.error"]) provider.on(kind, (_, e) => console.error(kind, e));
    return provider;
  };
  let provider = make(keys), answer = provider.callback();
  server.on("request", async (request, response) => {
    const [, first, second] = request.url.split("/");
    if (first === "as") {
      who = second;
      response.end();
    } else if (first === "rotate") {
      provider = make([jwk("rsa", { modulusLength: 2048 }, "r2"), jwk("ec", { namedCurve: "P-256" }, "e2")]);
      answer = provider.callback();
      response.end();
    } else if (first === "interaction") {
      const { params, prompt, grantId } = await provider.interactionDetails(request, response);
      const grant = grantId ? await provider.Grant.find(grantId) : new provider.Grant({ accountId: who, clientId: params.client_id });
      grant.addOIDCScope(params.scope);
      const login = { accountId: who, amr: people[who].amr };
      await provider.interactionFinished(request, response,
        prompt.name === "login" ? { login } : { consent: { grantId: await grant.save() } }, { mergeWithLastSubmission: true });
    } else {
      answer(request, response);
    }
  });
  fs.writeFileSync(process.argv[2], issuer);
});
