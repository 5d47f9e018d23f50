// Saves each mark as it is made. Without this script the form saves all of them when it is sent.

const form = document.querySelector('form[action^="/rate/"]:has(.scale)');
const status = document.getElementById("status");
const csrf = form.elements.csrf.value;
const queueKey = "audition" + form.getAttribute("action");

// ---- time that was really spent: the page is in sight and something happened in the last minute

const IDLE_MS = 60000;
let active = 0, last = Date.now(), touched = Date.now();
setInterval(() => {
  const now = Date.now();
  if (document.visibilityState === "visible" && now - touched < IDLE_MS) active += now - last;
  last = now;
}, 1000);
for (const kind of ["pointerdown", "keydown", "scroll", "touchstart"])
  addEventListener(kind, () => { touched = Date.now(); }, { passive: true });

let readToEnd = false;
new IntersectionObserver((seen) => { readToEnd ||= seen.some((one) => one.isIntersecting); })
  .observe(document.querySelector(".buttons"));

// ---- one mark

const part = (scale, kind) =>
  form.elements[`${kind}.${scale.dataset.slot}.${scale.dataset.dimension}`];

function say(text) { status.textContent = text; }

function fresh() {
  // crypto.randomUUID() exists only where there is TLS.
  return [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");
}

function read(scale) {
  const chosen = scale.querySelector("input[type=radio]:checked");
  if (!chosen) return null;
  return {
    slot: scale.dataset.slot, dimension: scale.dataset.dimension, value: chosen.value,
    comment: part(scale, "c")?.value ?? "", quotes: part(scale, "q")?.value ?? "",
    client: fresh(),
  };
}

// What has not reached the server survives a closed page. A newer mark of a scale replaces an older.
let waiting = JSON.parse(localStorage.getItem(queueKey) ?? "{}");
const keep = () => {
  if (Object.keys(waiting).length) localStorage.setItem(queueKey, JSON.stringify(waiting));
  else localStorage.removeItem(queueKey);
};
const scaleOf = (id) => document.getElementById(`f.${id}`);

function adopt(scale, answer, stale) {
  part(scale, "n").value = answer.version;
  if (!stale) return;
  for (const radio of scale.querySelectorAll("input[type=radio]"))
    radio.checked = radio.value === String(answer.value);
}

async function send(id) {
  const scale = scaleOf(id), mark = waiting[id];
  if (!scale) { delete waiting[id]; return true; }
  const spent = active;
  const answer = await fetch(`${form.getAttribute("action")}/mark`, {
    method: "PUT",
    headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf },
    body: JSON.stringify({
      ...mark, version: Number(part(scale, "n").value), active_ms: Math.round(spent), read_to_end: readToEnd,
    }),
  });
  if (answer.status === 429 || answer.status >= 500) { // it is kept, and sent again
    pause = 1000 * (Number(answer.headers.get("Retry-After")) || 5);
    throw new Error("wait");
  }
  if (answer.ok || answer.status === 409) {
    active -= spent;
    const now = await answer.json();
    adopt(scale, now, answer.status === 409);
    if (answer.status === 409) say(status.dataset.newer);
  }
  if (waiting[id] === mark) delete waiting[id];
  if (answer.status === 401 || answer.status === 403) location.reload();
  return answer.ok;
}

let sending = false, pause = 5000;
async function flush() {
  if (sending) return;
  sending = true;
  try {
    for (let id; (id = Object.keys(waiting)[0]); keep()) {
      say(status.dataset.saving);
      if (await send(id))
        say(status.dataset.saved.replace("%s", new Date().toTimeString().slice(0, 5)));
    }
  } catch {
    say(status.dataset.offline);
    setTimeout(flush, pause);
    pause = 5000;
  }
  sending = false;
}
addEventListener("online", flush);

form.addEventListener("change", (event) => {
  const scale = event.target.closest(".scale"), mark = scale && read(scale);
  if (!mark) return;
  scale.classList.remove("missing");
  scale.removeAttribute("aria-describedby");
  scale.querySelector(":scope > .error")?.remove();
  waiting[`${mark.slot}.${mark.dimension}`] = mark;
  keep();
  flush();
});

// The form carries everything itself; what waited is in it.
form.addEventListener("submit", () => { waiting = {}; keep(); });
for (const id of Object.keys(waiting)) {
  const scale = scaleOf(id);
  if (!scale) continue;
  for (const radio of scale.querySelectorAll("input[type=radio]"))
    radio.checked = radio.value === waiting[id].value;
}
flush();

// ---- quotations: select words in a text, press the button of the scale they speak for

let selected = "", turn = "";
document.addEventListener("selectionchange", () => {
  const s = getSelection();
  const within = (node, what) => (node?.nodeType === Node.TEXT_NODE ? node.parentElement : node)?.closest(what);
  const text = s.toString().trim();
  if (!text || !within(s.anchorNode, ".words-of")) return;
  const from = within(s.anchorNode, "[data-turn]"), to = within(s.focusNode, "[data-turn]");
  selected = text;
  turn = from && from === to ? `[${from.dataset.turn}] ` : "";
});
for (const button of form.querySelectorAll("[data-quote]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const area = document.getElementById(button.dataset.quote);
    if (!selected) return;
    for (const line of selected.split("\n").map((l) => l.trim()).filter(Boolean))
      area.value += (area.value && !area.value.endsWith("\n") ? "\n" : "") + turn + line + "\n";
    selected = "";
    area.dispatchEvent(new Event("change", { bubbles: true }));
  });
}

// ---- keys: for marks only on a scale that has the focus; any of them can be changed, or all switched off

const keys = document.getElementById("keys"), wanted = document.getElementById("keys-on");
keys.hidden = false;
wanted.checked = localStorage.getItem("audition/keys") !== "off";
wanted.addEventListener("change", () => localStorage.setItem("audition/keys", wanted.checked ? "on" : "off"));

const keyFields = [...keys.querySelectorAll("input[id^='key-']")], fault = document.getElementById("keys-fault");
const usual = Object.fromEntries(keyFields.map((field) => [field.id, field.value]));
let does = { ...usual, ...JSON.parse(localStorage.getItem("audition/keymap") ?? "{}") };

function showKeys() {
  for (const field of keyFields) {
    field.value = does[field.id];
    field.removeAttribute("aria-invalid");
  }
  fault.textContent = "";
}

// A key that would do two things is pointed out, and nothing is kept until it does one.
function chooseKeys(changed) {
  const chosen = Object.fromEntries(keyFields.map((field) => [field.id, field.value.replace(/\s/g, "").toLowerCase()]));
  const all = [...Object.values(chosen).join("")];
  const twice = all.find((key, i) => all.indexOf(key) !== i);
  if (twice) {
    changed.setAttribute("aria-invalid", "true");
    fault.textContent = fault.dataset.twice.replace("%s", twice);
    return;
  }
  does = chosen;
  localStorage.setItem("audition/keymap", JSON.stringify(does));
  showKeys();
}
for (const field of keyFields) field.addEventListener("change", () => chooseKeys(field));
document.getElementById("keys-usual").addEventListener("click", () => {
  does = { ...usual };
  localStorage.removeItem("audition/keymap");
  showKeys();
});
showKeys();

const scales = [...form.querySelectorAll(".scale")];
function go(step) {
  const at = scales.indexOf(document.activeElement?.closest(".scale"));
  const scale = scales[at < 0 ? 0 : at + step];
  if (!scale) return;
  (scale.querySelector("input:checked") ?? scale.querySelector("input[type=radio]")).focus();
  scale.scrollIntoView({ block: "nearest" });
}
function help() {
  keys.open = !keys.open;
  if (keys.open) keys.querySelector("summary").focus();
}
addEventListener("keydown", (event) => {
  if (!wanted.checked || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  if (event.target.matches("textarea, input:not([type=radio])")) return;
  const key = event.key.toLowerCase(), scale = event.target.closest(".scale");
  const value = [...does["key-marks"]].indexOf(key);
  if (key === does["key-help"]) help();
  else if (key === does["key-next"]) go(1);
  else if (key === does["key-previous"]) go(-1);
  else if (scale && value >= 0) scale.querySelector(`input[type=radio][value="${value}"]`)?.click();
  else return;
  event.preventDefault();
});
