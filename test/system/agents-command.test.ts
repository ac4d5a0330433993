import { chmodSync, existsSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { fixture, type Project } from "../support/fixture.ts";

/** A stand-in for npm: it knows one version of codex, and lays it down as npm would. */
const NPM = `#!/bin/sh
folder=$3
for last; do :; done
case "$last" in
  @openai/codex@0.166.0 | @openai/codex@latest) ;;
  @openai/codex@0.1.0) echo "npm error code ENOTFOUND" >&2; echo "npm error network no such host" >&2; exit 1 ;;
  @openai/codex@0.2.0) echo "npm error code ETARGET" >&2; echo "npm error notarget No matching version found for @openai/part@1.5.2." >&2; exit 1 ;;
  *) echo "npm error code ETARGET" >&2; exit 1 ;;
esac
mkdir -p "$folder/node_modules/@openai/codex/bin"
echo '{"name": "@openai/codex", "version": "0.166.0"}' > "$folder/node_modules/@openai/codex/package.json"
printf '#!/bin/sh\\ncat "$HOME/.codex/AGENTS.md"; echo "$@"; echo "on, bright" > lamp.txt\\n' > "$folder/node_modules/@openai/codex/bin/codex.js"
chmod +x "$folder/node_modules/@openai/codex/bin/codex.js"
`;

/** Calls its model once, at the address that it is told. */
const CALLING = `#!/usr/bin/env node
const base = process.argv.find((word) => word.startsWith("openai_base_url=")).slice(16);
const body = JSON.stringify({ model: "m", stream: true });
const answer = fetch(base + "/responses", { method: "POST", headers: { "content-type": "application/json" }, body });
answer.then((got) => got.text()).then((text) => process.exit(text.includes("Done.") ? 0 : 3));
`;

async function aProject(): Promise<Project> {
  const project = await fixture("coding", { "bin/npm": NPM });
  chmodSync(`${project.dir}/bin/npm`, 0o755);
  project.env = {
    PATH: `${project.dir}/bin:${dirname(process.execPath)}:/usr/bin:/bin`,
    ASSAY_AGENTS_DIR: `${project.dir}/agents`,
    OPENAI_API_KEY: "sk-0123456789",
  };
  return project;
}

describe("assay agents", () => {
  test("installs a version once, lists it, and leaves nothing of one that failed", async () => {
    await using project = await aProject();
    const first = await project.assay("agents", "install", "codex");
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining("codex 0.166.0: installed in") });
    const again = await project.assay("agents", "install", "codex@latest", "--json");
    expect(JSON.parse(again.stdout)).toMatchObject({ installed: [{ version: "0.166.0", isNew: false }] });
    const listed = JSON.parse((await project.assay("agents", "--json")).stdout);
    expect(listed.agents[0]).toMatchObject({ name: "codex", version: "0.166.0", installed: ["0.166.0"] });
    const absent = await project.assay("agents", "install", "codex@9.9.9");
    expect(absent).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("the npm registry has no @openai/codex@9.9.9"),
    });
    const partless = await project.assay("agents", "install", "codex@0.2.0");
    expect(partless.stderr).toContain("has no @openai/part@1.5.2, which @openai/codex@0.2.0 needs");
    const offline = await project.assay("agents", "install", "codex@0.1.0");
    expect(offline).toMatchObject({ code: 74, stderr: expect.stringContaining("no such host") });
    const unknown = await project.assay("agents", "install", "oracle");
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("expected codex, claude") });
    expect(readdirSync(`${project.dir}/agents/codex`)).toEqual(["0.166.0"]);
  });

  test("gives a study the version, the words and the home that it names, and records them", async () => {
    await using project = await aProject();
    await project.assay("agents", "install", "codex");
    project.write("codex-home/.codex/AGENTS.md", "Be brief.\n");
    project.edit(
      "study.yaml",
      "{ name: good, command: [agents/good.sh] }",
      `{ preset: codex, version: 0.166.0, home: codex-home, args: [-c, "model_reasoning_effort=low"] }`,
    );
    await project.assay("run", "study.yaml", "--no-report");
    const record = project.onlyRecord("rollouts");
    expect(record.labels).toMatchObject({ agent: "codex", agent_version: "0.166.0" });
    // It calls no model, so that it is no result.
    expect(record.outcome).toMatchObject({ status: "failed", owner: "infrastructure" });
    const summary = await project.assay("summarize", "rollouts");
    expect(summary).toMatchObject({ code: 1, stdout: expect.stringContaining("every rollout is missing") });
    expect(summary.stdout).toMatch(/1 missing \(infrastructure: the agent called no model/);
    const printed = project.read(`bench_runs/rollouts/runs/${record.id}/out/logs/agent.stdout.txt`);
    expect(printed).toContain("Be brief.");
    expect(printed).toContain("-c model_reasoning_effort=low --cd");

    project.write("codex-home/.codex/AGENTS.md", "Be thorough.\n");
    const plan = await project.assay("plan", "study.yaml", "--json");
    expect(plan.code).toBe(0);
    await project.assay("run", "study.yaml", "--no-report");
    expect(new Set(project.records("rollouts").map(({ id }) => id)).size).toBe(2);

    project.edit("study.yaml", "0.166.0", "0.5.0");
    const pinned = await project.assay("run", "study.yaml");
    expect(pinned).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("assay agents install codex@0.5.0"),
    });
    project.edit("study.yaml", "0.5.0", "0.166.0");
    project.edit("study.yaml", "codex-home", "no-home");
    expect(await project.assay("run", "study.yaml")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no-home is no folder"),
    });
    expect(existsSync(`${project.dir}/no-home`)).toBe(false);
  });

  test("are tried by doctor without a key, and one that calls no model is told with what it printed", async () => {
    await using project = await aProject();
    delete project.env.OPENAI_API_KEY;
    await project.assay("agents", "install", "codex");
    const failing = await project.assay("doctor", "--agents");
    expect(failing.code).toBe(1);
    expect(failing.stdout).toMatch(/fails +codex 0\.166\.0 in \w+: the agent called no model/);
    expect(failing.stdout).toContain("absent   claude: assay agents install claude");
    project.write("agents/codex/0.166.0/node_modules/@openai/codex/bin/codex.js", CALLING);
    const { code, stdout } = await project.assay("doctor", "--agents", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      agents: [{ name: "codex", version: "0.166.0", calls: 1, problem: null }],
    });
  });
});
