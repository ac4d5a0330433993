// What was measured so far, and the counts of each cell.
import { existsSync, readFileSync } from "node:fs";

export function readMeasured(file) {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

/** One entry per judge, body, effect and number of competing processes, in the order of their first line. */
export function tally(lines) {
  const cells = new Map();
  for (const { judge, body, effect, competing, verdict, load, also = {} } of lines)
    for (const [name, said] of Object.entries({ [judge]: verdict, ...also })) {
      const key = [name, body, effect, competing].join(" ");
      const cell = cells.get(key) ?? {
        ...{ judge: name, body, effect, competing, count: 0, slower: 0, faster: 0, same: 0 },
        load: [load, load],
      };
      cell.count++;
      cell[said]++;
      cell.load = [Math.min(cell.load[0], load), Math.max(cell.load[1], load)];
      cells.set(key, cell);
    }
  return [...cells.values()];
}
