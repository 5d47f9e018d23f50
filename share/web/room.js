// Lets the answer appear while it is spoken, and the clock run. Without this script the page comes
// when the answer is there.

const live = document.getElementById("live");
const question = document.getElementById("live-question"), answer = document.getElementById("live-answer");
const status = document.getElementById("status");

// ---- the clock

const begun = Date.now();
const times = [...document.querySelectorAll("[data-since]")];
function tick() {
  for (const time of times) {
    const s = Math.floor((Number(time.dataset.since) + Date.now() - begun) / 1000);
    time.textContent = time.dataset.label.replace("%s", `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`);
  }
}
if (times.length) setInterval(tick, 1000);

// ---- what is being written survives a closed page, and another device that was quicker

const own = document.getElementById("own");
const late = `audition/room/${own?.form.getAttribute("action")}`;
const draft = `${late}/${own?.form.elements.position.value}`;
if (own) {
  own.value = localStorage.getItem(draft) ?? localStorage.getItem(late) ?? "";
  own.addEventListener("input", () => localStorage.setItem(draft, own.value));
}

// ---- the page again, as soon as the server can be reached

async function again() {
  try {
    await fetch(location.href, { method: "HEAD" });
    location.assign("/rate");
  } catch {
    setTimeout(again, 3000);
  }
}
if (document.querySelector("[data-wait='']")) setTimeout(again, 2000);

// ---- asking

const lock = (on) => {
  for (const button of document.querySelectorAll("#next button")) button.disabled = on;
};

function show(part) {
  if (part.text === undefined) return;
  answer.textContent = part.again ? part.text : answer.textContent + part.text;
  live.scrollIntoView({ block: "end" });
}

async function listen(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let got; !(got = await reader.read()).done;) {
    const lines = (rest + got.value).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line) show(JSON.parse(line));
  }
}

async function ask(event) {
  const form = event.currentTarget, button = event.submitter;
  const data = new URLSearchParams(new FormData(form));
  event.preventDefault();
  if (button?.name) data.set(button.name, button.value);
  lock(true);
  question.textContent = button?.name === "choice" ? button.textContent : form.elements.own?.value ?? "";
  question.parentElement.hidden = !question.textContent;
  live.hidden = live === question.parentElement ? !question.textContent : false;
  status.textContent = status.dataset.wait;
  status.scrollIntoView({ block: "end" });
  try {
    const reply = await fetch(form.action, {
      method: "POST", headers: { Accept: "application/x-ndjson" }, body: data,
    });
    const taken = reply.ok && reply.headers.get("Content-Type") === "application/x-ndjson";
    if (taken || reply.status === 409) { // another window has asked: these words are for the next turn
      localStorage.removeItem(draft);
      localStorage.removeItem(late);
    }
    if (reply.status === 409 && form.elements.own?.value) localStorage.setItem(late, form.elements.own.value);
    if (taken) await listen(reply.body);
  } finally {
    again();
  }
}
for (const form of document.querySelectorAll("#next form")) form.addEventListener("submit", ask);

// The last answer is what the reader is here for; what can be asked next stands beside it, or below.
[...document.querySelectorAll(".chat .turns li")].pop()?.scrollIntoView({ block: "start" });
