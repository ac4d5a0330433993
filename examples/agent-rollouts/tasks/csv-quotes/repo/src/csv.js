/** The rows of a CSV text. */
export function parseCsv(text) {
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => line.split(","));
}
