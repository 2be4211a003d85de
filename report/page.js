"use strict";
const all = (what, from = document) => [...from.querySelectorAll(what)];

// A click on a command copies it. Pages opened as files may have no clipboard.
async function copy(button) {
  const text = button.dataset.copy;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    button.focus();
  }
  button.classList.add("done");
  setTimeout(() => button.classList.remove("done"), 1500);
}
for (const b of all(".copy")) b.addEventListener("click", (e) => { e.preventDefault(); copy(b); });

const find = document.getElementById("find"), found = document.getElementById("found"), unfold = document.getElementById("unfold");
const threads = all(".thread");

// Threads without a frame that has the text are hidden, and those with one are opened.
function search() {
  const text = find.value.trim().toLowerCase();
  let frames = 0, shown = 0;
  for (const t of threads) {
    let hits = 0;
    for (const f of all("li", t)) {
      const hit = text !== "" && f.textContent.toLowerCase().includes(text);
      f.classList.toggle("hit", hit);
      hits += hit;
    }
    t.hidden = text !== "" && hits === 0;
    if (hits > 0) { t.open = true; shown++; }
    frames += hits;
  }
  found.textContent = text === "" ? "" : `${frames} frames in ${shown} stacks`;
}
function openAll() {
  const open = threads.some((t) => !t.open);
  for (const t of threads) t.open = open;
  unfold.textContent = open ? "Close all" : "Open all";
}
if (find) {
  find.addEventListener("input", search);
  unfold.addEventListener("click", openAll);
}

const sections = all("section");
function go(step) {
  const at = sections.findLastIndex((s) => s.getBoundingClientRect().top < 80);
  sections[Math.min(Math.max(at + step, 0), sections.length - 1)].scrollIntoView();
}
addEventListener("keydown", (e) => {
  if (e.target.matches("input, textarea") || e.ctrlKey || e.metaKey || e.altKey) {
    if (e.key === "Escape") e.target.blur();
    return;
  }
  switch (e.key) {
  case "/": if (find) { e.preventDefault(); find.focus(); } break;
  case "o": if (find) openAll(); break;
  case "j": go(1); break;
  case "k": go(-1); break;
  }
});
