import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { assay } from "./measure.js";

const CHROMIUM = "/usr/bin/chromium";
const WINDOW = { viewport: { width: 1360, height: 900 } };

/** Why nothing can be measured in a browser here; undefined where it can. */
export const noBrowser = existsSync(CHROMIUM) ? undefined : "there is no /usr/bin/chromium";

/** Measures in a browser that asks nothing of the network for itself. */
export async function inBrowser(measure) {
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
    return await measure(browser);
  } finally {
    await browser.close();
  }
}

/** Measures on the live page of a folder: a page of a browser that has the key, the server's address, and how to ask it. */
export async function onLivePage(browser, cwd, measure) {
  const server = spawn(process.execPath, [assay, "ui", "--json"], {
    cwd,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const context = await browser.newContext(WINDOW);
  try {
    const { url, token } = await firstLine(server);
    const { origin } = new URL(url);
    const ask = async (path) =>
      (await fetch(new URL(path, origin), { headers: { Authorization: `Bearer ${token}` } })).json();
    await context.request.get(url);
    return await measure({ open: () => context.newPage(), origin, ask, pid: server.pid });
  } finally {
    await context.close();
    server.kill();
  }
}

function firstLine(server) {
  return new Promise((resolve, reject) => {
    let text = "";
    server.stdout.on("data", (chunk) => {
      text += chunk;
      if (text.includes("\n")) resolve(JSON.parse(text));
    });
    server.once("exit", (code) => reject(new Error(`assay ui ended with ${code}`)));
  });
}

/** How long a page takes until what `seen` names is there. */
export async function millisecondsUntil(page, address, seen) {
  const start = performance.now();
  // "commit": the page's end may come after what is waited for.
  await page.goto(address, { waitUntil: "commit" });
  await seen(page);
  return performance.now() - start;
}

/** A row in which ours must be at most a limit. */
export function limited(name, ours, limit, { text = (ms) => `${ms.toFixed(0)} ms`, note = "" } = {}) {
  const ratio = ours / limit;
  return {
    ...{ name, ours: text(ours), rival: `limit ${text(limit)}`, ratio: ratio.toFixed(2), target: "<= 1" },
    ...{ ok: ratio <= 1, note },
  };
}
