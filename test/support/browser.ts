import { existsSync, mkdirSync } from "node:fs";
import axe from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { onTestFailed } from "vitest";

const PATHS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const path = PATHS.find((candidate) => existsSync(candidate));

/** Why browser tests can't run here; undefined where they can. */
export const noBrowser: string | undefined = path
  ? undefined
  : "there is no chromium (apt-get install chromium)";

/** The deadline is for broken pages, not for slow machines: half of what a test has. */
const DEADLINE_MS = 120_000;

/** What a page must not do without anybody noticing. */
export interface Watched {
  page: Page;
  /** Errors that the console or the page's code told; must stay empty. */
  errors: string[];
  /** Requests that went anywhere but to the page's own place. */
  foreign: string[];
}

/** A headless chromium that asks nothing of the network for itself. */
export class TestBrowser implements AsyncDisposable {
  readonly #browser: Browser;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async launch(): Promise<TestBrowser> {
    return new TestBrowser(
      await chromium.launch({
        executablePath: path!,
        args: [
          ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
          ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
        ],
      }),
    );
  }

  async open(address: string, options: BrowserContextOptions = {}): Promise<Watched> {
    const context = await this.#browser.newContext({ viewport: { width: 1360, height: 900 }, ...options });
    context.setDefaultTimeout(DEADLINE_MS);
    const page = await context.newPage();
    const own = new URL(address);
    const watched: Watched = { page, errors: [], foreign: [] };
    page.on("console", (message) => message.type() === "error" && watched.errors.push(message.text()));
    page.on("pageerror", (error) => watched.errors.push(String(error)));
    page.on("request", (request) => {
      const url = new URL(request.url());
      const isOwn = ["data:", "blob:"].includes(url.protocol) || request.url() === own.href.split("#")[0];
      if (!isOwn && (own.protocol === "file:" || url.origin !== own.origin)) watched.foreign.push(url.href);
    });
    onTestFailed(async () => {
      page.setDefaultTimeout(5000);
      const text = () => page.locator("body").textContent();
      const seen = page.isClosed()
        ? "nothing, for it is closed"
        : await text().catch((error: Error) => `nothing: ${error.message}`);
      console.error(
        `the page ${page.url()} showed:\n${seen}\nand told: ${watched.errors.join("; ") || "no error"}`,
      );
    });
    await page.goto(address);
    return watched;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }
}

/** What the page's own code told; left out is what a browser says of a request that the server refused for a moment. */
export function ownErrors(errors: readonly string[]): string[] {
  return errors.filter((text) => !text.startsWith("Failed to load resource"));
}

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

interface Violation {
  id: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** What the script puts into the page. */
interface Scripted {
  axe: { run(options: { runOnly: string[] }): Promise<{ violations: Violation[] }> };
}

/** What axe-core finds wrong with the page as it is now, a line each: by all rules, or by some. */
export async function accessibilityProblems(page: Page, only?: string[]): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async (rules) => {
    const scripted = globalThis as unknown as Scripted;
    return (await scripted.axe.run({ runOnly: rules })).violations;
  }, only ?? RULES);
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary ?? ""}`),
  );
}

/** Keeps a picture where somebody asked for them: `ASSAY_SCREENSHOTS=/tmp/shots npx vitest run --project browser`. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const dir = process.env.ASSAY_SCREENSHOTS;
  if (!dir) return;
  mkdirSync(dir, { recursive: true });
  await page.screenshot({ path: `${dir}/${name}.png` });
}
