// Transcripts on the live page, in a real browser: 2,000 runs of 200 turns each. How soon a run's transcript is seen, against
// a page that asks for the same run and renders nothing; the longest frame while it is scrolled; and what a search over
// 10,000 transcripts takes of the processor once their words are read.
// Alone: npm run bench -- transcripts
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeStudy } from "../report/make-study.js";
import { median, missing, scratch } from "../support/measure.js";
import { inBrowser, limited, millisecondsUntil, noBrowser, onLivePage } from "../support/page.js";

const ROUNDS = 5;
const SEARCH_MS = 1000;
const FRAME_MS = 1000;
const FIRST_PAINT_MS = 1000;
const WORDS = ["fuse", "lamp", "parse", "broken", "socket", "retry", "assert", "import", "yield", "cache"];

export default async function measure() {
  if (noBrowser) return [missing("transcripts", noBrowser)];
  const cwd = scratch("transcripts");
  const [run] = withTranscripts(join(cwd, "bench_runs/long"), { seeds: 250, turns: 200 });
  withTranscripts(join(cwd, "bench_runs/many"), { seeds: 1250, turns: 20 });
  return inBrowser((browser) =>
    onLivePage(browser, cwd, async (live) => {
      const { painted, bare, frame } = await openRun(live, run);
      const { wallMs, cpuMs, count } = await search(live);
      return [
        limited("transcript of 200 turns among 2,000: first turn seen", painted, FIRST_PAINT_MS, {
          note: `a page that asks for the same run and renders nothing: ${bare.toFixed(0)} ms`,
        }),
        limited("scrolling it: the longest frame", frame, FRAME_MS),
        limited("search of 10,000 transcripts: processor time", cpuMs, SEARCH_MS, {
          note: `${count} turns found; ${wallMs.toFixed(0)} ms on the clock`,
        }),
      ];
    }),
  );
}

/** A study of eight arms whose runs each left a transcript; gives the runs' ids. */
function withTranscripts(dir, { seeds, turns }) {
  makeStudy(dir, { seeds, withFolders: false });
  const path = `${dir}/journal.jsonl`;
  const records = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  let state = 1;
  const word = () => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return `${WORDS[state % WORDS.length]}${state % 997}`;
  };
  for (const record of records) {
    record.files = ["a.traj"];
    const trajectory = Array.from({ length: turns }, (_, i) => ({
      thought: `turn ${i}: ${word()} ${word()}`,
      action: `cat ${word()}.py`,
      observation: Array.from({ length: 20 }, word).join(" "),
    }));
    mkdirSync(`${dir}/runs/${record.id}/out`, { recursive: true });
    const text = JSON.stringify({ trajectory, history: [], info: { exit_status: "submitted" } });
    writeFileSync(`${dir}/runs/${record.id}/out/a.traj`, text);
  }
  writeFileSync(path, `${records.map((record) => JSON.stringify(record)).join("\n")}\n`);
  return records.map(({ id }) => id);
}

async function search({ ask, pid }) {
  const find = (text) => ask(`/api/search?${new URLSearchParams({ study: "many", text })}`);
  for (let found = { read: 0, of: 1 }; found.read < found.of; ) found = await find("fuse1");
  const wall = [];
  const before = processorMs(pid);
  let count = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    count = (await find(`${WORDS[round]}${100 + round}`)).count;
    wall.push(performance.now() - start);
  }
  return { wallMs: median(wall), cpuMs: (processorMs(pid) - before) / ROUNDS, count };
}

/** User and kernel time of a process with all of its threads; a tick is 10 ms on every Linux that runs Node. */
function processorMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function openRun({ open, origin }, run) {
  const [painted, bare] = [[], []];
  let frame = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const empty = await open();
    const asked = `/api/run?study=long&run=${encodeURIComponent(run)}`;
    bare.push(
      await millisecondsUntil(empty, `${origin}/viewer.css`, (page) => page.evaluate(fetchOnly, asked)),
    );
    await empty.close();
    const page = await open();
    const address = `${origin}/#/study/long/run/${encodeURIComponent(run)}`;
    painted.push(await millisecondsUntil(page, address, () => page.getByText("turn 0:").first().waitFor()));
    frame = Math.max(frame, await page.evaluate(longestFrame));
    await page.close();
  }
  return { painted: median(painted), bare: median(bare), frame };
}

/** Runs in the page. */
async function fetchOnly(path) {
  await (await fetch(path)).json();
}

/** Runs in the page: scrolls to its end in two seconds. */
async function longestFrame() {
  let longest = 0;
  const start = performance.now();
  for (let last = start, now = start; now - start < 2000; last = now) {
    scrollTo(0, ((now - start) / 2000) * document.body.scrollHeight);
    await new Promise(requestAnimationFrame);
    now = performance.now();
    longest = Math.max(longest, now - last);
  }
  return longest;
}
