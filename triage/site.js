"use strict";
const rows = JSON.parse(document.getElementById("rows").textContent);
const table = document.getElementById("table"), body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
const find = document.getElementById("find"), found = document.getElementById("found"), more = document.getElementById("more");
const page = 200;
const day = (t, ofFile) => (t === "" ? "unknown" : t.slice(0, 16).replace("T", " ") + (ofFile ? " *" : ""));

function text(name, s) {
  const td = document.createElement("td");
  if (name) td.className = name;
  td.textContent = s;
  return td;
}

// The deaths of a bug in little bars.
function spark(days) {
  if (!days.some((n) => n > 0)) return text("day none", "unknown");
  const td = document.createElement("td"), ns = "http://www.w3.org/2000/svg", most = Math.max(1, ...days);
  const svg = document.createElementNS(ns, "svg");
  svg.setAttribute("class", "spark");
  svg.setAttribute("viewBox", `0 0 ${Math.max(days.length, 1) * 4} 20`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `at most ${most}`);
  days.forEach((n, i) => {
    if (n === 0) return;
    const rect = document.createElementNS(ns, "rect"), high = Math.max(2, n * 20 / most);
    rect.setAttribute("x", i * 4); rect.setAttribute("y", 20 - high); rect.setAttribute("width", 3); rect.setAttribute("height", high);
    svg.append(rect);
  });
  td.append(svg);
  return td;
}
function link(to, s) {
  const a = document.createElement("a");
  a.href = to;
  a.textContent = s;
  return a;
}

// Of each kind of table: what a row is sorted by in each column, its cells, and the text that is searched.
const kinds = {
  bugs: {
    keys: [(r) => -r.count, (r) => r.name, (r) => r.programs.join(), (r) => r.versions.join(), (r) => r.first, (r) => r.last, (r) => -Math.max(0, ...r.days.slice(-7)), (r) => r.sure],
    text: (r) => [r.name, r.title, r.cause, r.change, ...r.programs, ...r.versions].join(" "),
    cells(r) {
      const name = text("name", "");
      if (r.change) { const c = document.createElement("span"); c.className = "change"; c.textContent = r.change + ": "; name.append(c); }
      name.append(link(r.page, r.name), document.createElement("br"), r.title);
      return [text("r", r.count), name, text("", r.programs.join(", ")), text("", r.versions.slice(0, 4).join(" ") + (r.versions.length > 4 ? ` and ${r.versions.length - 4} more` : "")),
        text("day", day(r.first, r.of_file[0])), text(r.last === "" ? "day none" : "day", day(r.last, r.of_file[1])), spark(r.days), text("day", r.sure)];
    },
  },
  cores: {
    keys: [(r) => r.died, (r) => r.program, (r) => r.version, (r) => r.host, (r) => r.pid || 0, (r) => r.signal, (r) => r.core],
    text: (r) => [r.core, r.program, r.version, r.host, r.signal, r.title, r.died].join(" "),
    cells(r) {
      const core = text("", "");
      if (r.report) core.append(link(r.report, r.core)); else { core.textContent = r.core; core.title = `coredbg report ${r.core}`; }
      return [text("day", day(r.died, r.of_file)), text("", r.program), text("", r.version), text("", r.host), text("r", r.pid || ""), text("", r.signal), core];
    },
  },
};
const kind = kinds[table.dataset.kind];
for (const r of rows) r.text = kind.text(r).toLowerCase();

let shown = rows, limit = page, column = -1, down = false;
function draw() {
  const list = document.createDocumentFragment();
  for (const r of shown.slice(0, limit)) {
    const tr = document.createElement("tr"), cells = kind.cells(r);
    cells.forEach((c, i) => { c.dataset.column = heads[i].textContent; });
    tr.append(...cells);
    list.append(tr);
  }
  body.replaceChildren(list);
  more.hidden = shown.length <= limit;
  found.textContent = `${shown.length} of ${rows.length}`;
}
function choose() {
  const words = find.value.trim().toLowerCase().split(/\s+/).filter((w) => w !== "");
  shown = rows.filter((r) => words.every((w) => r.text.includes(w)));
  if (column >= 0) {
    const key = kind.keys[column], compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
    shown.sort((a, b) => (down ? -1 : 1) * compare(key(a), key(b)));
  }
  limit = page;
  draw();
}
heads.forEach((h, i) => h.firstChild.addEventListener("click", () => {
  down = column === i && !down;
  column = i;
  for (const x of heads) { x.classList.remove("up", "down"); x.removeAttribute("aria-sort"); }
  h.classList.add(down ? "down" : "up");
  h.setAttribute("aria-sort", down ? "descending" : "ascending");
  choose();
}));
find.addEventListener("input", choose);
more.addEventListener("click", () => { limit += 5 * page; draw(); });
draw();
document.documentElement.dataset.drawn = Math.round(performance.now());
