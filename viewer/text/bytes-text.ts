/** A file's size for a person. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let size = bytes;
  let unit = "B";
  for (const next of units) {
    if (size < 999.5) break;
    size /= 1000;
    unit = next;
  }
  return `${size < 9.95 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}
