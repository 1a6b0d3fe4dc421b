/**
 * What runs in the page of a report, in the browser of whoever reads it: columns sort, a number opens the list of its tasks, and a
 * link opens what it leads to. Texts of the session are only ever set as text.
 */
export const pageScript = `"use strict";
const tasks = JSON.parse(document.getElementById("tasks").textContent);
const list = document.getElementById("list");
const collator = new Intl.Collator(undefined, { numeric: true });

function show(id) {
  const target = document.getElementById(id);
  if (target === null) return;
  for (let at = target; at !== null; at = at.parentElement) if (at.localName === "details") at.open = true;
  for (const marked of document.querySelectorAll(".here")) marked.classList.remove("here");
  target.classList.add("here");
  target.scrollIntoView({ block: "center" });
}
const fromAddress = () => show(decodeURIComponent(location.hash.slice(1)));
function open(id) {
  list.close();
  if (location.hash === "#" + id) show(id);
  else location.hash = id;
}

/* "3-5,9" are 3, 4, 5 and 9. */
function numbers(ranges) {
  return ranges.split(",").flatMap((range) => {
    const [from, to = from] = range.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}

function offer(element) {
  const found = numbers(element.dataset.tasks);
  if (found.length === 1 && tasks[found[0]][4]) return open("t" + found[0]);
  const title = element.querySelector("title")?.textContent ?? element.title;
  list.querySelector("h2").textContent = (title === "" ? "" : title + " \\u00b7 ") + found.length + (found.length === 1 ? " task" : " tasks");
  list.querySelector("ol").replaceChildren(...found.map((number) => {
    const [run, task, verdict, question, included] = tasks[number];
    const item = document.createElement("li");
    const name = document.createElement(included ? "a" : "span");
    if (included) name.href = "#t" + number;
    name.textContent = verdict + "  " + task;
    const about = document.createElement("small");
    about.textContent = " " + run + "  " + question + (included ? "" : " (its trajectory is not in this report)");
    item.append(name, about);
    return item;
  }));
  list.showModal();
}

function sort(head) {
  const table = head.closest("table");
  const column = [...head.parentElement.children].indexOf(head);
  const descending = head.getAttribute("aria-sort") === "descending" ? 1 : -1;
  const valueOf = (row) => {
    const cell = row.children[column];
    return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
  };
  const compare = ([a], [b]) => {
    if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
    return descending * (typeof a === "number" ? a - b : collator.compare(a, b));
  };
  for (const other of head.parentElement.children) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", descending === -1 ? "descending" : "ascending");
  const [body] = table.tBodies;
  const rows = [...body.rows].map((row) => [valueOf(row), row]).sort(compare);
  for (const [, row] of rows) body.append(row);
}

document.addEventListener("click", (event) => {
  const number = event.target.closest("[data-tasks]");
  const link = event.target.closest("a[href^='#']");
  const head = event.target.closest("th[data-sorts]");
  if (number !== null) offer(number);
  else if (link !== null) {
    event.preventDefault();
    open(link.getAttribute("href").slice(1));
  } else if (head !== null) sort(head);
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" && event.key !== " ") return;
  if (!event.target.matches("[data-tasks], th[data-sorts]")) return;
  event.preventDefault();
  event.target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
});
window.addEventListener("hashchange", fromAddress);
fromAddress();
`;
