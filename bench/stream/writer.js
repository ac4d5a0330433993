// Appends run endings to a journal at a steady pace, as a runner does: whole lines, several in one write.
// node writer.js LINES_FILE JOURNAL PER_SECOND; each line gets the moment of its writing as startedAtMs.
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

const [linesFile, journal, perSecond] = process.argv.slice(2);
const lines = readFileSync(linesFile, "utf8").split("\n").filter(Boolean);
const file = openSync(journal, "a");
const start = performance.now();
let written = 0;
const timer = setInterval(() => {
  const due = Math.min(lines.length, Math.floor(((performance.now() - start) / 1000) * Number(perSecond)));
  const now = Date.now();
  let text = "";
  for (; written < due; written++) {
    text += `${JSON.stringify({ ...JSON.parse(lines[written]), startedAtMs: now, wallMs: 0 })}\n`;
  }
  if (text !== "") writeSync(file, text);
  if (written < lines.length) return;
  clearInterval(timer);
  closeSync(file);
  process.stdout.write(`${now}\n`);
}, 5);
