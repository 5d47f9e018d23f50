// Keeps the coverage of a campaign up to date while somebody looks at it.

const EVERY_MS = 10000;

async function refresh() {
  const part = document.getElementById("live");
  if (document.visibilityState !== "visible" || part.contains(document.activeElement)) return;
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok || answer.redirected) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("live");
  if (!fresh) return;
  fresh.querySelector("details").open = part.querySelector("details").open;
  part.replaceWith(fresh);
}
setInterval(() => refresh().catch(() => {}), EVERY_MS);
