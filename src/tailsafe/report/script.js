"use strict";
{
const all = (what, where = document) => [...where.querySelectorAll(what)];
const one = (what, where = document) => where.querySelector(what);
const data = JSON.parse(one("#report-data").textContent);
const percent = (share) => +(100 * share).toPrecision(3) + " %";

// Colours: those of the system until the reader asks for the others.
const theme = one("#theme");
const dark = () => document.documentElement.dataset.theme
  ? document.documentElement.dataset.theme === "dark"
  : matchMedia("(prefers-color-scheme: dark)").matches;
theme.hidden = false;
theme.setAttribute("aria-pressed", dark());
theme.onclick = () => {
  document.documentElement.dataset.theme = dark() ? "light" : "dark";
  theme.setAttribute("aria-pressed", dark());
};

// Tables: the first rows at first, sorted by the buttons in their heads.
function refresh(table) {
  const limit = +table.dataset.limit, open = "open" in table.dataset;
  const fit = all("tbody tr", table).filter((row) => !(row.hidden = "out" in row.dataset));
  fit.forEach((row, i) => { row.hidden = !open && i >= limit; });
  const more = one(`[data-all="${table.id}"]`), many = fit.length.toLocaleString("en");
  more.parentNode.hidden = fit.length <= limit;
  more.setAttribute("aria-expanded", open);
  more.textContent = open ? `Show the first ${limit} only` : `Show all ${many}`;
  one("span", more.parentNode).textContent =
    open ? `All ${many} rows are shown.` : `The first ${limit} of ${many} rows are shown.`;
}
function sort(head) {
  const table = head.closest("table"), at = head.cellIndex, was = head.getAttribute("aria-sort");
  const down = was ? was === "ascending" : head.matches(".num:not(.rank), .goal");
  all("th[aria-sort]", table).forEach((other) => other.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const key = (row) => row.cells[at].dataset.v ?? row.cells[at].textContent;
  const order = (a, b) => a - b || a.localeCompare(b, undefined, { numeric: true });
  const rows = all("tbody tr", table).map((row) => [key(row), row]);
  // What is unknown stays at the end in both directions.
  rows.sort(([a], [b]) => (a === "") - (b === "") || (down ? -order(a, b) : order(a, b)));
  one("tbody", table).append(...rows.map(([, row]) => row));
  refresh(table);
}
all("table[data-limit]").forEach(refresh);
all("th[scope=col] > button").forEach((button) => {
  button.disabled = false;
  button.onclick = () => sort(button.parentNode);
});
all("[data-all]").forEach((button) => {
  button.onclick = () => {
    const table = document.getElementById(button.dataset.all);
    if ("open" in table.dataset) delete table.dataset.open;
    else table.dataset.open = "";
    refresh(table);
  };
});

// Ridges: in which share of the models each policy reaches the value pointed at.
const slider = one("#threshold");
if (slider) {
  const low = +slider.min, high = +slider.max, digits = +slider.dataset.decimals;
  const drawings = all("figure.laws svg.chart");
  const rows = all("g.ridge").map((row) => {
    const value = one(".value", row);
    return { value, text: value.textContent, levels: row.dataset.q.split(" ").map(Number) };
  });
  const reach = (levels, x) => {
    const n = levels.length - 1, k = levels.findIndex((level) => level >= x);
    if (k <= 0) return k ? 0 : 1;
    return 1 - (k - 1 + (x - levels[k - 1]) / (levels[k] - levels[k - 1])) / n;
  };
  const show = (x) => {
    const shown = x.toFixed(digits).replace("-", "−");
    rows.forEach((row) => { row.value.textContent = `${percent(reach(row.levels, x))} reach ${shown}`; });
    drawings.forEach((drawing) => {
      const line = one(".probe", drawing), at = `${100 * (x - low) / (high - low)}%`;
      line.setAttribute("x1", at);
      line.setAttribute("x2", at);
      line.setAttribute("visibility", "visible");
    });
    const first = `${slider.dataset.name} in ${percent(reach(rows[0].levels, x))} of the models`;
    one("output[for=threshold]").textContent = `At least ${shown}: ${first}`;
    slider.setAttribute("aria-valuetext", `${shown}. ${first}`);
  };
  const rest = () => {
    if (document.activeElement === slider) return show(+slider.value);
    rows.forEach((row) => { row.value.textContent = row.text; });
    all(".probe").forEach((line) => line.setAttribute("visibility", "hidden"));
  };
  // As it was written: the slider itself goes in steps.
  show(+slider.getAttribute("value"));
  rest();
  one(".threshold").hidden = false;
  slider.oninput = slider.onfocus = () => show(+slider.value);
  slider.onblur = rest;
  drawings.forEach((drawing) => {
    drawing.onpointermove = (event) => {
      const box = drawing.getBoundingClientRect();
      show(low + (high - low) * Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)));
    };
    drawing.onpointerleave = rest;
  });
}

// The policy by state: another policy, some states only.
const choice = one("#shown-policy");
if (choice) {
  const table = one("#policy-table"), find = one("#find-state"), only = one("#only-changed");
  const named = (names, i) => names[i] ?? String(i);
  const does = (cell, policy) => {
    const pairs = Array.isArray(policy) ? policy : [policy, 1], parts = [];
    const end = pairs.length > 8 ? 6 : pairs.length;
    for (let i = 0; i < end; i += 2) {
      const share = pairs[i + 1] < 1 ? " " + percent(pairs[i + 1]) : "";
      parts.push(named(data.actions, pairs[i]) + share);
    }
    const more = pairs.length / 2 - parts.length;
    cell.textContent = parts.length ? parts.join(", ") + (more > 0 ? ` and ${more} more` : "") : "unknown";
    return pairs[0];
  };
  const fill = () => {
    const policy = data.policies[choice.value], differs = new Set(policy.differs);
    all("tbody tr", table).forEach((row) => {
      const state = +row.dataset.state, cells = row.cells, changed = differs.has(state);
      const times = data.visits[state]?.[does(cells[2], policy.does[state])] ?? 0;
      row.classList.toggle("changed", changed);
      cells[3].dataset.v = times;
      cells[3].textContent = times.toLocaleString("en");
      if (times < data.thin) cells[3].insertAdjacentHTML("beforeend", " <span class=thin>thin</span>");
      cells[4].dataset.v = policy.otherwise[state];
      cells[4].textContent = (policy.otherwise[state] / 10).toFixed(1) + " %";
      cells[5].dataset.v = changed ? 0 : 1;
      cells[5].textContent = changed ? "changed" : "same";
    });
    one("#departures").textContent = policy.words;
    filter();
  };
  const filter = () => {
    const wanted = find.value.trim().toLowerCase();
    all("tbody tr", table).forEach((row) => {
      const name = named(data.states, row.dataset.state).toLowerCase();
      const out = (only.checked && !row.matches(".changed")) || !name.includes(wanted);
      if (out) row.dataset.out = "";
      else delete row.dataset.out;
    });
    one("#none-found").hidden = one("tbody tr:not([data-out])", table) !== null;
    refresh(table);
  };
  one(".controls").hidden = false;
  choice.onchange = fill;
  find.oninput = only.onchange = filter;
  filter();
}
}
