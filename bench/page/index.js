// 100,000 runs in a real browser, as a report and on the live page: how long until the answer is seen, and the longest
// frame while the table is scrolled from end to end. Without view.json, as an older program leaves a study, the first paint
// of the live page is the study's name, its question and how many records it has; how they ended, the answer and the table
// follow, and the note says when. And how large the page of 104 runs with logs and series is.
// Alone: npm run bench -- page
import { execFileSync } from "node:child_process";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { makeStudy } from "../report/make-study.js";
import { assay, median, missing, scratch } from "../support/measure.js";
import { inBrowser, limited, millisecondsUntil, noBrowser, onLivePage } from "../support/page.js";

const ROUNDS = 3;
const OPEN_MS = 1000;
const FRAME_MS = 1000;
const MOST_BYTES = 1_500_000;

const answer = (page) => page.locator(".answer .sentence").waitFor();
const recorded = (page) => page.locator("main", { hasText: "100,000" }).waitFor();
const counts = (page) => page.locator(".live", { hasText: "100,000 of 100,000 ended" }).waitFor();
const rows = (page) => page.locator(".virtual tbody a").first().waitFor();

export default async function measure() {
  const cwd = scratch("page");
  const bytes = statSync(reportOf(cwd, "hundred", { seeds: 13 })).size;
  const size = limited("page of 104 runs with logs and series", bytes, MOST_BYTES, {
    text: (value) => `${(value / 1e6).toFixed(2)} MB`,
  });
  if (noBrowser) return [size, missing("page of 100,000 runs", noBrowser)];
  const address = pathToFileURL(reportOf(cwd, "many", { seeds: 12_500, withFolders: false })).href;
  return inBrowser(async (browser) => {
    const { opened, frame } = await openReport(browser, address);
    const live = await openLive(browser, cwd);
    return [
      size,
      limited("report of 100,000 runs: its answer is seen", opened, OPEN_MS),
      limited("scrolling its table: the longest frame", frame, FRAME_MS),
      limited("live page of 100,000 runs with view.json: the answer is seen", live.kept, OPEN_MS, {
        note: `a page that asks for the same and renders nothing: ${live.bare.toFixed(0)} ms`,
      }),
      limited("live page of 100,000 runs without view.json: first paint", live.recorded, OPEN_MS, {
        note: `how they ended ${live.counts.toFixed(0)} ms, the answer ${live.answer.toFixed(0)} ms, the table of runs ${live.rows.toFixed(0)} ms`,
      }),
    ];
  });
}

function reportOf(cwd, name, options) {
  const dir = join(cwd, "bench_runs", name);
  makeStudy(dir, options);
  execFileSync(process.execPath, [assay, "report", name, "--format", "html", "--no-plots"], {
    cwd,
    stdio: "ignore",
  });
  return join(dir, "report/index.html");
}

async function openReport(browser, address) {
  const opened = [];
  let frame = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const page = await browser.newPage({ viewport: { width: 1360, height: 900 } });
    opened.push(await millisecondsUntil(page, address, answer));
    await page.evaluate(() => location.assign("#/?tab=runs"));
    await rows(page);
    frame = Math.max(frame, await page.evaluate(longestFrame));
    await page.close();
  }
  return { opened: median(opened), frame };
}

/** Each time of a server that has just begun: what it keeps in memory would be another measurement. */
async function openLive(browser, cwd) {
  const took = { recorded: [], counts: [], answer: [], kept: [], bare: [], rows: [] };
  const forget = () => rmSync(join(cwd, "bench_runs/many/view.json"), { force: true });
  const time = async (name, path, seen) =>
    onLivePage(browser, cwd, async ({ open, origin }) => {
      took[name].push(await millisecondsUntil(await open(), `${origin}/${path}`, seen));
    });
  for (let round = 0; round < ROUNDS; round++) {
    forget();
    await time("recorded", "#/study/many", recorded);
    forget();
    await time("counts", "#/study/many", counts);
    forget();
    await time("answer", "#/study/many", answer);
    await time("kept", "#/study/many", answer);
    await time("bare", "viewer.css", (page) => page.evaluate(fetchOnly));
    forget();
    await time("rows", "#/study/many?tab=runs", rows);
  }
  return Object.fromEntries(Object.entries(took).map(([name, times]) => [name, median(times)]));
}

/** Runs in the page. */
async function fetchOnly() {
  await (await fetch("/api/study?id=many")).json();
}

/** Runs in the page: scrolls through all rows in three seconds. */
async function longestFrame() {
  const box = document.querySelector(".virtual");
  let longest = 0;
  const start = performance.now();
  for (let last = start, now = start; now - start < 3000; last = now) {
    box.scrollTop = ((now - start) / 3000) * box.scrollHeight;
    await new Promise(requestAnimationFrame);
    now = performance.now();
    longest = Math.max(longest, now - last);
  }
  return longest;
}
