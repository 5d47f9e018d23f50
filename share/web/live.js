// Keeps a part of a page up to date while somebody looks at it: from the events of a run at work, else
// by asking for the page again.

const EVERY_MS = 10000;
const part = () => document.getElementById("live");
// Whoever has come to a link in it by keyboard keeps it.
const held = () => part().contains(document.activeElement);

async function refresh() {
  if (document.visibilityState !== "visible" || held()) return;
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok || answer.redirected) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("live");
  if (!fresh) return;
  const fold = fresh.querySelector("details");
  if (fold) fold.open = part().querySelector("details").open;
  part().replaceWith(fresh);
}

function poll() {
  setInterval(() => refresh().catch(() => {}), EVERY_MS);
}

// A browser has few connections to one server: those who do not look do not listen.
function listen() {
  let source = null;
  const follow = () => {
    source?.close();
    source = null;
    if (document.visibilityState !== "visible") return;
    source = new EventSource(part().dataset.events);
    source.onmessage = (event) => { if (!held()) part().innerHTML = event.data; };
    source.addEventListener("over", () => { source.close(); location.reload(); });
    source.addEventListener("full", () => { source.close(); poll(); });
    source.onerror = () => { if (source.readyState === EventSource.CLOSED) poll(); };
  };
  document.addEventListener("visibilitychange", follow);
  follow();
}

if (part().dataset.events) listen();
else poll();
