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

/** Pages whose ```sh blocks are run as they stand: from top to bottom, in a folder that has only examples/. */
export function testPages(pages: readonly string[]): void {
  for (const page of pages.filter((path) => path.endsWith(".md") && existsSync(join(root, path)))) {
    const commands = shellBlocks(readFileSync(join(root, page), "utf8"));
    if (commands === "") continue;
    test(`of ${page} do what the page says`, () => {
      const { status, output } = runShell(scriptOf(commands));
      expect(status, output).toBe(0);
    });
  }
}

function shellBlocks(text: string): string {
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1]!).join("\n");
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
