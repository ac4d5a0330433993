// The report of 100,000 runs in a real browser: how long until its answer is seen, and the longest frame while its
// table is scrolled from end to end. And how large the page of 104 runs with logs and series is.
// Alone: npm run bench -- page
import { execFileSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { makeStudy } from "../report/make-study.js";
import { assay, median, missing, scratch } from "../support/measure.js";

const CHROMIUM = "/usr/bin/chromium";
const ROUNDS = 3;
const OPEN_MS = 1000;
const FRAME_MS = 1000;
const MOST_BYTES = 1_500_000;

export default async function measure() {
  const cwd = scratch("page");
  const bytes = statSync(reportOf(cwd, "hundred", { seeds: 13 })).size;
  const size = limited(
    "page of 104 runs with logs and series",
    bytes,
    MOST_BYTES,
    (value) => `${(value / 1e6).toFixed(2)} MB`,
  );
  if (!existsSync(CHROMIUM)) return [size, missing("page of 100,000 runs", "there is no /usr/bin/chromium")];
  const address = pathToFileURL(reportOf(cwd, "many", { seeds: 12_500, withFolders: false })).href;
  const { opened, frame } = await inBrowser(address);
  const ms = (value) => `${value.toFixed(0)} ms`;
  return [
    size,
    limited("page of 100,000 runs: its answer is seen", opened, OPEN_MS, ms),
    limited("scrolling its table: the longest frame", frame, FRAME_MS, ms),
  ];
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

async function inBrowser(address) {
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
    ],
  });
  try {
    const opened = [];
    let frame = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const page = await browser.newPage({ viewport: { width: 1360, height: 900 } });
      const start = performance.now();
      // "commit": the page's end, with the table, may come after the answer.
      await page.goto(address, { waitUntil: "commit" });
      await page.locator(".answer .sentence").waitFor();
      opened.push(performance.now() - start);
      await page.evaluate(() => location.assign("#/?tab=runs"));
      await page.locator(".virtual tbody a").first().waitFor();
      frame = Math.max(frame, await page.evaluate(longestFrame));
      await page.close();
    }
    return { opened: median(opened), frame };
  } finally {
    await browser.close();
  }
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

function limited(name, ours, limit, text) {
  const ratio = ours / limit;
  return {
    name,
    ours: text(ours),
    rival: `limit ${text(limit)}`,
    ratio: ratio.toFixed(2),
    target: "<= 1",
    ok: ratio <= 1,
  };
}
