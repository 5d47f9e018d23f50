// Passkeys: a form is shown where the browser knows them, asks the authenticator, and carries what it said.
const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
const letters = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
const plain = (text) => new TextEncoder().encode(text);
const kinds = { "-7": "ES256", "-257": "RS256" };

async function ask(form) {
  const answer = await fetch("/passkey/challenge", { method: "POST", headers: { "X-CSRF-Token": form.elements.csrf.value } });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.json();
}

async function create(asked, values) {
  const made = await navigator.credentials.create({
    publicKey: {
      challenge: plain(asked.challenge),
      rp: { id: asked.host, name: "audition" },
      user: { id: plain(asked.account), name: asked.name, displayName: asked.name },
      pubKeyCredParams: Object.keys(kinds).map((alg) => ({ type: "public-key", alg: Number(alg) })),
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      excludeCredentials: asked.known.map((id) => ({ type: "public-key", id: bytes(id) })),
      attestation: "none",
    },
  });
  values.client.value = letters(made.response.clientDataJSON);
  values.authenticator.value = letters(made.response.getAuthenticatorData());
  values.spki.value = letters(made.response.getPublicKey());
  values.kind.value = kinds[made.response.getPublicKeyAlgorithm()];
}

async function get(asked, values) {
  const used = await navigator.credentials.get({
    publicKey: { challenge: plain(asked.challenge), rpId: asked.host, userVerification: "required" },
  });
  values.id.value = letters(used.rawId);
  values.client.value = letters(used.response.clientDataJSON);
  values.authenticator.value = letters(used.response.authenticatorData);
  values.signature.value = letters(used.response.signature);
}

for (const form of window.PublicKeyCredential ? document.querySelectorAll("form[data-passkey]") : []) {
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const failed = form.querySelector("[role=alert]");
    failed.hidden = true;
    try {
      const asked = await ask(form);
      await (form.dataset.passkey === "create" ? create : get)(asked, form.elements);
      form.elements.challenge.value = asked.challenge;
      form.submit();
    } catch (fault) {
      console.info(fault.message);
      failed.hidden = false;
    }
  });
}
