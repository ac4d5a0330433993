import { readFileSync } from "node:fs";

/** Bytes that the machine has received and sent since it started, over all networks; null where it does not tell. */
export function networkBytes(): { received: number; sent: number } | null {
  let text: string;
  try {
    text = readFileSync("/proc/net/dev", "utf8");
  } catch {
    return null;
  }
  return parseNetworkBytes(text);
}

/** Lines are `name: received-bytes` and seven more numbers, then sent bytes; two lines of headings come first. */
export function parseNetworkBytes(text: string): { received: number; sent: number } {
  const rows = text
    .trim()
    .split("\n")
    .slice(2)
    .map((line) =>
      line
        .slice(line.indexOf(":") + 1)
        .trim()
        .split(/\s+/)
        .map(Number),
    );
  return {
    received: rows.reduce((sum, row) => sum + (row[0] ?? 0), 0),
    sent: rows.reduce((sum, row) => sum + (row[8] ?? 0), 0),
  };
}
