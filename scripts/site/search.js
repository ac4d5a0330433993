// In the page: finds sections as you type. `/` goes to the box, arrows choose, Enter opens, Escape closes.
import MiniSearch from "minisearch";
import { searchOptions } from "./search-options.js";

const { document, location, searchIndex } = globalThis;
const top = document.currentScript.dataset.top;
const box = document.querySelector("#search");
const found = document.querySelector("#found");
const MOST = 12;
let index;

function show() {
  index ??= MiniSearch.loadJSON(searchIndex, searchOptions);
  const words = box.value.trim();
  const results = words === "" ? [] : index.search(words).slice(0, MOST);
  found.replaceChildren(...results.map(item));
  if (words !== "" && results.length === 0) found.append(nothing());
  found.hidden = words === "";
}

function item({ id, title, page, text, terms }) {
  const line = document.createElement("li");
  const link = document.createElement("a");
  link.href = `${top}/${id}`;
  const name = document.createElement("b");
  name.textContent = title === page ? title : `${page}: ${title}`;
  const excerpt = document.createElement("span");
  const at = Math.max(0, text.toLowerCase().indexOf(terms[0]) - 40);
  excerpt.textContent = `${at > 0 ? "…" : ""}${text.slice(at, at + 120)}`;
  link.append(name, excerpt);
  line.append(link);
  return line;
}

function nothing() {
  const line = document.createElement("li");
  line.textContent = "Nothing found. Try fewer words.";
  return line;
}

function move(step) {
  const links = [...found.querySelectorAll("a")];
  const next = links.indexOf(document.activeElement) + step;
  (next < 0 ? box : links[Math.min(next, links.length - 1)])?.focus();
}

box.addEventListener("input", show);
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== box) {
    event.preventDefault();
    box.focus();
  } else if (event.key === "Escape") {
    found.hidden = true;
    box.blur();
  } else if (!found.hidden && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    event.preventDefault();
    move(event.key === "ArrowDown" ? 1 : -1);
  } else if (event.key === "Enter" && document.activeElement === box) {
    const first = found.querySelector("a");
    if (first) location.href = first.href;
  }
});
document.addEventListener("click", (event) => {
  if (!event.target.closest("search")) found.hidden = true;
});
