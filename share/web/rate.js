// Saves each mark, and words, as they are made. Without this script the form saves them when it is sent.

const form = document.getElementById("rate");
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
// Read to its end: the scales below the last text have been in sight.
if (form.querySelector(".rate-dock").hasAttribute("data-last"))
  new IntersectionObserver((seen) => { readToEnd ||= seen.some((one) => one.isIntersecting); })
    .observe(form.querySelector(".scale:last-of-type"));

// ---- one mark

const part = (scale, kind) =>
  form.elements[`${kind}.${scale.dataset.slot}.${scale.dataset.dimension}`];
const scaleOf = (id) => document.getElementById(`f.${id}`);
const scales = [...form.querySelectorAll(".scale")];

function say(text) { status.textContent = text; }
const saidAt = (ms) => say(status.dataset.saved.replace("%s", new Date(ms).toTimeString().slice(0, 5)));
if (Number(status.dataset.at)) saidAt(Number(status.dataset.at));

function fresh() {
  // crypto.randomUUID() exists only where there is TLS.
  return [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");
}

// Words may come before the mark: then there is no value.
function read(scale) {
  return {
    slot: scale.dataset.slot, dimension: scale.dataset.dimension,
    value: scale.querySelector("input[type=radio]:checked")?.value ?? "",
    comment: part(scale, "c")?.value ?? "", quotes: part(scale, "q")?.value ?? "",
    version: Number(part(scale, "n").value), client: fresh(),
  };
}

// How many marks there are, and which texts are done: as the server counts them.
const count = document.getElementById("count"), here = form.querySelector(".dots [aria-current]");
function recount() {
  const n = scales.filter((scale) => scale.querySelector("input[type=radio]:checked")).length;
  count.textContent = count.dataset.says.replace("%s", `${Number(count.dataset.elsewhere) + n} / ${count.dataset.all}`);
  here?.classList.toggle("done", n === scales.length);
  here?.classList.toggle("some", n > 0 && n < scales.length);
}

// ---- what has not reached the server survives a closed page, and the end of a session

const prefix = "audition/rate/";
const stored = (key) => JSON.parse(localStorage.getItem(key) ?? "{}");
const keep = (key, marks) => {
  if (Object.keys(marks).length) localStorage.setItem(key, JSON.stringify(marks));
  else localStorage.removeItem(key);
};
// A newer mark of a scale replaces an older one that still waits. That one may have been saved without
// our hearing of it, so the newer one says which it replaces.
function put(mark) {
  const marks = stored(queueKey), id = `${mark.slot}.${mark.dimension}`, old = marks[id];
  mark.replaces = old ? [...(old.replaces ?? []), old.client].slice(-8) : [];
  marks[id] = mark;
  keep(queueKey, marks);
}
const waits = () => Object.keys(localStorage).filter((key) => key.startsWith(prefix)).sort();

function adopt(scale, answer, stale) {
  part(scale, "n").value = answer.version;
  const refused = scale.querySelector("[data-false]");
  if (refused) {
    const lines = answer.refused ?? [];
    refused.textContent = lines.length ? ` ${refused.dataset.false.replace("%s", lines.join(" · "))}` : "";
    part(scale, "q").toggleAttribute("aria-invalid", lines.length > 0);
  }
  if (!stale) return;
  for (const radio of scale.querySelectorAll("input[type=radio]"))
    radio.checked = answer.value !== null && radio.value === String(answer.value);
  recount();
}

function sayWay(text, path) {
  say(`${text} `);
  const way = document.createElement("a");
  way.href = path;
  way.textContent = `${location.host}${path}`;
  status.append(way);
}

// Told once; what is marked from now on waits too.
let ended = false;
function sessionOver() {
  if (!ended) sayWay(status.dataset.ended, "/return");
  ended = true;
}

// Saves that the server will never take as they are: each waits until it is changed, and beside its scale it says why.
const refused = new Set();
function refuse(mark, scale, why) {
  refused.add(mark.client);
  if (!scale) return say(why);
  say("");
  clear(scale);
  const fault = document.createElement("p");
  fault.className = "error";
  fault.setAttribute("role", "alert");
  fault.textContent = why;
  scale.querySelector("legend").after(fault);
  scale.querySelector(".ev")?.toggleAttribute("open", true);
}

// Answers whether the mark is done with: saved, or too late for good. Null: it waits, and others are sent.
async function send(key, id, mark) {
  const action = key.slice("audition".length);
  const scale = key === queueKey ? scaleOf(id) : null;
  const spent = key === queueKey ? active : 0;
  const answer = await fetch(`${action}/mark`, {
    method: "PUT",
    headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf },
    body: JSON.stringify({
      ...mark, active_ms: Math.round(spent), read_to_end: readToEnd && key === queueKey,
    }),
  });
  if (answer.status === 401) { // it is kept, and sent after the return
    sessionOver();
    return false;
  }
  // Another session by now: its pages have another token.
  if (answer.status === 403 && sessionStorage.getItem("audition/old") !== csrf) {
    sessionStorage.setItem("audition/old", csrf);
    location.replace(`/rate${location.search}`);
    return false;
  }
  if (answer.status === 404 && key !== queueKey) return null; // of whoever shares this browser
  if (answer.status === 413 || answer.status === 422) {
    refuse(mark, scale, answer.status === 413 ? status.dataset.large : (await answer.json()).error);
    return null;
  }
  if (answer.status === 400 || answer.status === 410) { // closed, perhaps for now; over for good
    const { error } = await answer.json();
    if (key === queueKey) sayWay(error, "/rate");
    return answer.status === 410 || null;
  }
  if (!answer.ok && answer.status !== 409) { // it is kept, and sent again
    pause = 1000 * (Number(answer.headers.get("Retry-After")) || 5);
    throw new Error("wait");
  }
  const now = await answer.json();
  active -= spent;
  if (answer.status === 409 && mark.replaces?.includes(now.client))
    return send(key, id, { ...mark, version: now.version, replaces: [] });
  if (scale) {
    clear(scale); // of what was refused before it
    adopt(scale, now, answer.status === 409);
  }
  if (answer.status === 409) say(status.dataset.newer);
  else saidAt(Date.now());
  return true;
}

// One queue after another; a mark that was changed meanwhile stays for the next round, with the version
// that the server has by now.
async function sendAll(key) {
  const next = ([, mark]) => !refused.has(mark.client);
  for (let one; (one = Object.entries(stored(key)).find(next));) {
    const [id, mark] = one;
    if (!ended) say(status.dataset.saving);
    const done = await send(key, id, mark);
    if (refused.has(mark.client)) continue;
    if (!done) return done === null;
    const now = stored(key);
    if (now[id]?.client === mark.client) delete now[id];
    else if (now[id] && scaleOf(id)) now[id].version = Number(part(scaleOf(id), "n").value);
    keep(key, now);
  }
  return true;
}

let sending = null, pause = 5000;
async function flushOnce() {
  try {
    for (const key of waits()) if (!(await sendAll(key))) return false;
    return true;
  } catch {
    say(status.dataset.offline);
    setTimeout(flush, pause);
    pause = 5000;
    return false;
  }
}
function flush() {
  sending ??= flushOnce().finally(() => { sending = null; });
  return sending;
}
addEventListener("online", flush);

function clear(scale) {
  scale.classList.remove("missing");
  scale.removeAttribute("aria-describedby");
  scale.querySelector(":scope > .error")?.remove();
}
function changed(scale) {
  typed = null;
  clear(scale);
  recount();
  put(read(scale));
  flush();
}
form.addEventListener("change", (event) => {
  const scale = event.target.closest(".scale");
  if (scale) changed(scale);
});
// Words are saved while they are written, not only when the field is left; whoever closes the page sooner finds them waiting.
let typing = 0, typed = null;
addEventListener("pagehide", () => { if (typed) put(read(typed)); });
form.addEventListener("input", (event) => {
  const scale = event.target.closest(".scale");
  if (!scale || !event.target.matches("textarea")) return;
  clearTimeout(typing);
  typed = scale;
  typing = setTimeout(() => changed(scale), 1500);
});

// The form goes when everything has been saved, so that a session that is over costs nothing.
const settled = () => !Object.entries(stored(queueKey)).some(([id, mark]) => scaleOf(id) || !refused.has(mark.client));
form.addEventListener("submit", async (event) => {
  if (settled()) return;
  event.preventDefault();
  const button = event.submitter;
  await flush();
  if (!settled()) await flush(); // what came while the first were under way
  delete form.dataset.sent;
  if (settled()) form.requestSubmit(button);
  else form.querySelector(".scale > .error")?.scrollIntoView({ block: "center" });
});

// What waited is shown before it is sent.
for (const [id, mark] of Object.entries(stored(queueKey))) {
  const scale = scaleOf(id);
  if (!scale) continue;
  for (const radio of scale.querySelectorAll("input[type=radio]")) radio.checked = radio.value === mark.value;
  for (const [kind, text] of [["c", mark.comment], ["q", mark.quotes]]) if (part(scale, kind)) part(scale, kind).value = text;
}
// So is what was chosen before this script was there.
for (const scale of scales)
  if ([...scale.querySelectorAll("input[type=radio]")].some((radio) => radio.checked && !radio.defaultChecked) &&
      !stored(queueKey)[`${scale.dataset.slot}.${scale.dataset.dimension}`]) put(read(scale));
recount();
flush();

// ---- quotations: select words of the text, and choose the scale that they speak for

const pop = document.getElementById("quote-for");
let selected = "", turn = "";
const within = (node, what) => (node?.nodeType === Node.TEXT_NODE ? node.parentElement : node)?.closest(what);

function offer() {
  const s = getSelection(), text = s.toString().trim();
  const inside = text && within(s.anchorNode, ".words-of") && within(s.focusNode, ".words-of");
  pop.hidden = !inside;
  if (!inside) return;
  const from = within(s.anchorNode, "[data-turn]"), to = within(s.focusNode, "[data-turn]");
  selected = text;
  turn = from && from === to ? `[${from.dataset.turn}] ` : "";
  const box = s.getRangeAt(0).getBoundingClientRect(), room = pop.getBoundingClientRect();
  const below = box.bottom + room.height + 8 < innerHeight ? box.bottom + 6 : Math.max(4, box.top - room.height - 6);
  pop.style.top = `${below}px`;
  pop.style.left = `${Math.max(8, Math.min(box.left, innerWidth - room.width - 8))}px`;
}
if (pop) {
  document.addEventListener("selectionchange", offer);
  addEventListener("scroll", offer, { passive: true, capture: true });
  pop.addEventListener("pointerdown", (event) => event.preventDefault()); // the selection stays
  pop.addEventListener("click", (event) => {
    const scale = scaleOf(event.target.closest("[data-quote]")?.dataset.quote);
    if (!scale || !selected) return;
    const area = part(scale, "q");
    for (const line of selected.split("\n").map((l) => l.trim()).filter(Boolean))
      area.value += (area.value && !area.value.endsWith("\n") ? "\n" : "") + turn + line + "\n";
    area.closest("details").open = true;
    selected = "";
    getSelection().removeAllRanges();
    pop.hidden = true;
    changed(scale);
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
// No key submits, whatever was chosen.
form.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.matches("input[type=radio]")) event.preventDefault();
});
