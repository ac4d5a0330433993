import { STUDY_FILES } from "../../core/study-folder.ts";

interface Checked {
  metric: string;
  /** A parameter that must be refused; none where any is taken. */
  wrong?: string;
  /** Whether the same seed gives the same metric. */
  isRepeatable: boolean;
}

/** A test for Node's own runner: the study runs, gives its metric, and refuses what is wrong. */
export function testFile(name: string, { metric, wrong, isRepeatable }: Checked): string {
  const again = `
test("${name} gives the same for the same seed", () => {
  assert.deepEqual(measure().map(valueOf), measure().map(valueOf));
});
`;
  const refuses =
    wrong === undefined
      ? ""
      : `
test("${name} refuses a wrong parameter before anything runs", () => {
  const { status, stderr } = assay("plan", "${name}.yaml", "-p", "${wrong}");
  assert.equal(status, 2, stderr);
  assert.match(stderr, /${wrong.split("=")[0]}/);
});
`;
  return `// node --test ${name}.test.mjs
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const here = import.meta.dirname;
const valueOf = ({ id, metrics }) => [id, metrics.${metric}];

/** Calls assay, from node_modules here or else from PATH. */
function assay(...words) {
  const env = { ...process.env, PATH: \`\${join(here, "node_modules/.bin")}:\${process.env.PATH}\` };
  const { status, stderr, error } = spawnSync("assay", words, { cwd: here, env, encoding: "utf8" });
  assert.ifError(error); // ENOENT: assay is neither installed here nor in PATH
  return { status, stderr };
}

/** Runs the study in a folder of its own and gives its records. */
function measure() {
  const out = mkdtempSync(join(tmpdir(), "${name}-"));
  try {
    const { status, stderr } = assay("run", "${name}.yaml", "--out-root", out, "--no-report", "--quiet");
    assert.equal(status, 0, stderr);
    const lines = readFileSync(join(out, "${name}/${STUDY_FILES.journal}"), "utf8").trim().split("\\n");
    return lines.map((line) => JSON.parse(line));
  } finally {
    rmSync(out, { recursive: true });
  }
}

test("${name} runs and gives its metric", () => {
  for (const { outcome, metrics } of measure()) {
    assert.equal(outcome.status, "ok", outcome.reason);
    assert.ok(metrics.${metric} >= 0);
  }
});
${isRepeatable ? again : ""}${refuses}`;
}
