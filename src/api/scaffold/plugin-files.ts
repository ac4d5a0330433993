import { SCAFFOLDS, type ScaffoldFamily } from "./plugin-code.ts";

/** The files of a first plugin: the plugin, a study that uses it, and a test of both. */
export function pluginFiles(family: ScaffoldFamily, name: string): Record<string, string> {
  const { code, study, more, checks } = SCAFFOLDS[family];
  const spec = study && `# assay run ${name}.yaml\nstudy: ${name}\nplugins: [./${name}.ts]\n${study(name)}`;
  return {
    [`${name}.ts`]: code(name),
    ...(spec !== undefined && { [`${name}.yaml`]: spec }),
    ...more?.(name),
    [`${name}.test.mjs`]: testOf(family, name, { checks: checks?.(name) ?? "", isRun: spec !== undefined }),
  };
}

function testOf(
  family: ScaffoldFamily,
  name: string,
  { checks, isRun }: { checks: string; isRun: boolean },
): string {
  const use = isRun
    ? `"run", "${name}.yaml", "--out-root", out, "--quiet"`
    : `"import", "results", "--format", "./${name}.ts", "--out-root", out`;
  return `// node --test ${name}.test.mjs
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const here = import.meta.dirname;

/** Calls assay, from node_modules here or else from PATH. */
function assay(...words) {
  const env = { ...process.env, PATH: \`\${join(here, "node_modules/.bin")}:\${process.env.PATH}\` };
  const { status, stdout, stderr, error } = spawnSync("assay", words, { cwd: here, env, encoding: "utf8" });
  assert.ifError(error); // ENOENT: assay is neither installed here nor in PATH
  assert.equal(status, 0, stdout + stderr);
}

test("${name} does what every ${family} promises", () => {
  assay("doctor", "--plugin", "${name}.ts"${checks});
});

test("${name} ${isRun ? "works in a study" : "reads results"}", () => {
  const out = mkdtempSync(join(tmpdir(), "${name}-"));
  try {
    assay(${use});
  } finally {
    rmSync(out, { recursive: true });
  }
});
`;
}
