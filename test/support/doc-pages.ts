import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

export const root = fileURLToPath(new URL("../../", import.meta.url));
export const packageJson = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

/**
 * Pages whose ```sh blocks are run as they stand: from top to bottom, in a folder that has only examples/. What a
 * ```console block shows must be among what they print.
 */
export function testPages(pages: readonly string[]): void {
  for (const page of pages.filter((path) => path.endsWith(".md") && existsSync(join(root, path)))) {
    const text = readFileSync(join(root, page), "utf8");
    const commands = blocksOf(text, "sh").join("\n");
    if (commands === "") continue;
    test(`of ${page} do what the page says`, () => {
      const { status, output } = runShell(scriptOf(commands));
      expect(status, output).toBe(0);
      const printed = new Set(linesOf(output));
      const shown = blocksOf(text, "console").flatMap(linesOf);
      expect(
        shown.filter((line) => !printed.has(line)),
        output,
      ).toEqual([]);
    });
  }
}

function blocksOf(text: string, language: string): string[] {
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"));
  return [...blocks].map((match) => match[1]!);
}

/** Times, dates and commits differ each time, and with them how wide a column is; `...` is the page's own. */
function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) =>
      line
        .replaceAll(/\b[\d.,]+ (ms|s|min|h)\b( \d+ (s|min)\b)?/g, "some time")
        .replaceAll(/\b20\d\d-\d\d-\d\d\b/g, "a date")
        .replaceAll(/\b[0-9a-f]{7}\b/g, "a commit")
        .replaceAll(/-{3,}/g, "---")
        .replaceAll(/\s+/g, " ")
        .trim(),
    )
    .filter((line) => line !== "" && line !== "...");
}

/** npm's commands are looked up, not run; `# exit 2` at the end of a line states the code to expect. */
function scriptOf(commands: string): string {
  const lines = commands.split("\n").map((line) => {
    if (/^npm /.test(line)) return checkNpm(line);
    const marker = /^(.*?)\s+# exit (\d+)$/.exec(line);
    return marker ? `code=0; ${marker[1]} || code=$?; [ "$code" = ${marker[2]} ]` : line;
  });
  return lines.join("\n");
}

function checkNpm(line: string): string {
  for (const [, name] of line.matchAll(/npm (?:run )?([\w-]+)/g)) {
    if (name !== "ci" && name !== "install") expect(packageJson.scripts, line).toHaveProperty(name!);
  }
  return "";
}

export function runShell(script: string): { status: number | null; output: string } {
  const folder = mkdtempSync(join(tmpdir(), "assay-docs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(root, "examples"), join(folder, "examples"), { recursive: true });
  mkdirSync(join(folder, "bin"));
  const shim = `#!/bin/sh\nexec '${process.execPath}' '${join(root, "bin/assay.js")}' "$@"\n`;
  writeFileSync(join(folder, "bin/assay"), shim, { mode: 0o755 });
  const { status, stdout, stderr } = spawnSync("bash", ["--norc", "-euxo", "pipefail", "-c", script], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, PATH: `${folder}/bin:${process.env.PATH}`, NO_COLOR: "1" },
  });
  return { status, output: `${stdout}\n${stderr}` };
}
