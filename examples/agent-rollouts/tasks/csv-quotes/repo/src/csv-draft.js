// Somebody's try from last spring. It goes character by character, which is the way to do it.
export function parseCsv(text) {
  const rows = [[""]];
  let isQuoted = false;
  for (const char of text) {
    if (char === '"') isQuoted = !isQuoted;
    else if (char === "," && !isQuoted) rows.at(-1).push("");
    else rows.at(-1)[rows.at(-1).length - 1] += char;
  }
  return rows;
}
