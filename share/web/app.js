// What every page does beyond its markup. Pages work without it.

// A form is sent once: a second press while the first is under way does nothing.
for (const form of document.forms) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "1";
  });
}
// Coming back by the browser's own button finds forms that can be sent again.
addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.sent;
});

// Ways that do not fit a narrow window lie in a row that scrolls: the one that leads here is in sight.
for (const here of document.querySelectorAll(".top nav [aria-current], .tabs [aria-current]")) {
  const row = here.parentElement, { left, width } = here.getBoundingClientRect();
  row.scrollLeft += left - row.getBoundingClientRect().left - (row.clientWidth - width) / 2;
}

// Whoever withdraws leaves nothing in the browser either: neither marks that wait nor words that were being written. Other windows
// would keep what is marked in them from then on.
const leave = document.querySelector("form[action='/rate/withdraw']");
if (leave) {
  const windows = new BroadcastChannel("audition/left");
  windows.addEventListener("message", () => location.replace("/return"));
  leave.addEventListener("submit", () => {
    for (const key of Object.keys(localStorage)) if (/^audition\/(rate|room)\//.test(key)) localStorage.removeItem(key);
    windows.postMessage("");
  });
}

// Two minutes before the session ends the page says so; the button extends it.
const ends = Number(document.body.dataset.sessionEnds);
const notice = document.getElementById("session");
if (ends && notice) {
  let before;
  const warn = () => {
    before = document.activeElement;
    notice.hidden = false;
  };
  let timer = setTimeout(warn, Math.max(0, ends - 120000));
  notice.querySelector("form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.target;
    const answer = await fetch(form.action, {
      method: "POST", body: new URLSearchParams(new FormData(form)), redirect: "manual",
    });
    delete form.dataset.sent;
    if (answer.type !== "opaqueredirect") return location.reload();
    notice.hidden = true;
    before?.focus({ preventScroll: true }); // the button that had it is gone
    clearTimeout(timer);
    timer = setTimeout(warn, Math.max(0, ends - 120000));
  });
}
