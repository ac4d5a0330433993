import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

/** Sorts a table by the column whose header is clicked; numbers by value. The only script of the report. */
export const sortScript = `
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0];
  table.tHead.addEventListener("click", (event) => {
    const header = event.target.closest("th");
    if (!header) return;
    const column = header.cellIndex;
    const down = header.getAttribute("aria-sort") === "ascending";
    for (const other of header.parentNode.cells) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", down ? "descending" : "ascending");
    const key = (row) => row.cells[column].textContent;
    const number = (row) => parseFloat(key(row).replaceAll(",", ""));
    const compare = (a, b) => {
      const difference = number(a) - number(b);
      return Number.isNaN(difference) ? key(a).localeCompare(key(b)) : difference;
    };
    const rows = [...body.rows].sort((a, b) => (down ? compare(b, a) : compare(a, b)));
    body.append(...rows);
  });
}
`;

/** The content security policy lets this script run and no other. */
export const sortScriptHash = `sha256-${base64(sha256(utf8ToBytes(sortScript)))}`;

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
