import { chmodSync, readFileSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { RunRecord } from "../../src/core/run.ts";
import { fixture, type Project } from "../support/fixture.ts";
import { canMeasureMemory, peakMegabytes, preload } from "../support/preload.ts";

const CAPPED = "\n[assay: capped at 10000000 bytes; what came after was not kept]\n";

/** A study of one shell program, run once. */
async function runProgram(
  text: string,
  lines = "",
): Promise<{ project: Project; record: RunRecord; stderr: string }> {
  const project = await fixture("program", { "program.sh": text });
  project.write("study.yaml", `${project.read("study.yaml")}${lines}`);
  const { stderr } = await project.run("study.yaml");
  return { project, record: project.records("program").at(-1)!, stderr };
}

const outputOf = (project: Project, name = "stdout.txt") => {
  const [{ id } = { id: "" }] = project.records("program");
  return project.path(`bench_runs/program/runs/${id}/${name}`);
};

describe("what programs print", () => {
  test.each([
    ["1 GB", "head -c 1000000000 /dev/zero"],
    ["a single line of 200 MB", "head -c 200000000 /dev/zero | tr '\\0' x"],
    ["1 GB on stderr", "head -c 1000000000 /dev/zero >&2"],
  ])("%s is capped with a marker, and the runner stays under 300 MB", async (_, line) => {
    await using project = await fixture("program", { "program.sh": line });
    if (canMeasureMemory) expect(await peakMegabytes(project, "run", "study.yaml")).toBeLessThan(300);
    else expect((await project.run("study.yaml")).code).toBe(0);
    const path = outputOf(project, line.endsWith(">&2") ? "stderr.txt" : "stdout.txt");
    expect(statSync(path).size).toBe(10_000_000 + CAPPED.length);
    expect(readFileSync(path).subarray(-CAPPED.length).toString()).toBe(CAPPED);
  });

  test("the cap is the study's to choose", async () => {
    const ran = await runProgram("head -c 5000 /dev/zero", "limits: {stdout: 1KB}\n");
    await using project = ran.project;
    expect(readFileSync(outputOf(project), "latin1")).toMatch(/^\0{1000}\n\[assay: capped at 1000 bytes/);
  });

  test("NULs and bytes that are no UTF-8 stay as they are", async () => {
    const ran = await runProgram("printf 'a\\000b\\377\\376\\303(\\n'; printf '\\200' >&2");
    await using project = ran.project;
    expect([...readFileSync(outputOf(project))]).toEqual([97, 0, 98, 255, 254, 195, 40, 10]);
    expect([...readFileSync(outputOf(project, "stderr.txt"))]).toEqual([128]);
    expect((await project.assay("show", ran.record.id)).code).toBe(0);
  });

  test("control characters do not reach the user's terminal", async () => {
    const ran = await runProgram("printf '\\033]0;owned\\007\\033[2Jhello\\n'");
    await using project = ran.project;
    const shown = await project.assay("show", ran.record.id);
    expect(shown.stdout).toContain("hello");
    expect(shown.stdout).not.toContain("\x1b");
  });
});

describe("how programs end", () => {
  test.each([
    ["exit 3", { status: "failed", owner: "agent", reason: "exit 3", exitCode: 3 }],
    [
      "kill -9 $$",
      { status: "failed", owner: "agent", reason: "exit 137 (128 + signal 9): Killed", exitCode: 137 },
    ],
    [
      "kill -SEGV $$",
      {
        status: "failed",
        owner: "agent",
        reason: "exit 139 (128 + signal 11): Segmentation fault",
        exitCode: 139,
      },
    ],
    [
      "exit 75",
      { status: "failed", owner: "infrastructure", reason: "exit 75 (temporary failure)", exitCode: 75 },
    ],
    ["no-such-command-anywhere", { status: "failed", owner: "infrastructure", exitCode: 127 }],
    ["exit 0", { status: "ok", exitCode: 0 }],
  ])("%s is recorded as what it is", async (text, outcome) => {
    const { project, record } = await runProgram(text);
    await using _ = project;
    expect(record.outcome).toMatchObject(outcome);
    const meta = JSON.parse(readFileSync(outputOf(project, "meta.json"), "utf8"));
    expect(meta).toMatchObject({ exit_code: outcome.exitCode, status: outcome.status });
  });

  test("exit 75 is tried again after a pause that doubles, and all tries are kept", async () => {
    const { project, record, stderr } = await runProgram(
      'echo try >>tries.txt; [ "$(wc -l <tries.txt)" -lt 3 ] && exit 75; exit 0',
      "limits: {retries: 5, backoff: 20ms}\n",
    );
    await using _ = project;
    expect(record).toMatchObject({ outcome: { status: "ok" }, attempt: 3 });
    expect(record.earlier!.map(({ reason }) => reason)).toEqual(Array(2).fill("exit 75 (temporary failure)"));
    expect(stderr).toMatch(/^retry in 20 ms: exit 75[\s\S]*^retry in 40 ms: exit 75/m);
    expect(project.list(`bench_runs/program/runs/${record.id}/earlier`).sort()).toEqual(["1", "2"]);
    expect(project.records("program")).toHaveLength(1);
  });

  test("retries are for infrastructure alone, and they end", async () => {
    const agent = await runProgram("echo try >>tries.txt; exit 1", "limits: {retries: 3, backoff: 10ms}\n");
    await using first = agent.project;
    expect(first.lines("tries.txt")).toHaveLength(1);
    const machine = await runProgram(
      "echo try >>tries.txt; exit 75",
      "limits: {retries: 2, backoff: 10ms}\n",
    );
    await using second = machine.project;
    expect(second.lines("tries.txt")).toHaveLength(3);
    expect(machine.record).toMatchObject({
      attempt: 3,
      outcome: { status: "failed", owner: "infrastructure" },
    });
  });

  test("a program that vanishes mid-way fails the runs after it as infrastructure", async () => {
    await using project = await fixture("program", {
      "study.yaml": "{study: program, target: {command: [./gone.sh]}, seeds: 3, executor: {jobs: 1}}",
      "gone.sh": '#!/bin/sh\n[ "$ASSAY_SEED" = 1 ] && rm gone.sh\nexit 0\n',
    });
    chmodSync(project.path("gone.sh"), 0o755);
    const ran = await project.run("study.yaml");
    expect(ran.code).toBe(1);
    const [first, ...rest] = project.records("program").map(({ outcome }) => outcome);
    expect(first).toMatchObject({ status: "ok" });
    for (const outcome of rest) {
      expect(outcome).toMatchObject({ status: "failed", owner: "infrastructure", exitCode: 127 });
      expect(outcome.reason).toContain("could not be started");
    }
  });
});

describe("what programs get", () => {
  test("arguments arrive as they are, never through a shell", async () => {
    const hostile = `'; touch owned; "$HOME" \`id\` $(id) \\ * \n#0\n é`;
    await using project = await fixture("program", {
      "study.yaml": JSON.stringify({
        study: "program",
        target: { command: ["sh", "program.sh", "${text}", "a ${text}", "${args}"] },
        params: { text: hostile },
      }),
      "program.sh": 'for word; do printf "%s\\036" "$word"; done',
    });
    expect((await project.run("study.yaml")).code).toBe(0);
    const words = readFileSync(outputOf(project), "utf8").split("\x1e").slice(0, -1);
    expect(words).toEqual([hostile, `a ${hostile}`, "--text", hostile]);
    expect(project.exists("owned")).toBe(false);
  });

  test("an empty stdin, the study's environment, and the folder of the study file", async () => {
    const { project } = await runProgram('cat; echo "$COLOUR"; pwd', "env: {COLOUR: \"light 'blue'\"}\n");
    await using _ = project;
    expect(readFileSync(outputOf(project), "utf8")).toBe(`light 'blue'\n${project.dir}\n`);
  });
});

describe("time", () => {
  test.each(["program", "modules"])(
    "an hour's jump of the wall clock changes no duration (%s)",
    async (name) => {
      const target = name === "program" ? "{command: [sh, program.sh]}" : "./half.ts";
      await using project = await fixture(name, {
        "study.yaml": `{study: jump, target: ${target}, params: {of: 8}, seeds: 30, limits: {timeout: 30m}, instruments: [timing]}`,
      });
      project.env = preload("jumping-clock");
      const ran = await project.run("study.yaml", "--json");
      expect(ran.code, ran.stderr).toBe(0);
      expect(JSON.parse(ran.stdout).wallMs).toBeLessThan(1_800_000);
      const starts = project.records("jump").map(({ startedAtMs }) => startedAtMs);
      expect(Math.max(...starts) - Math.min(...starts), "the clock did jump").toBeGreaterThan(3_000_000);
      for (const { wallMs, metrics } of project.records("jump")) {
        for (const duration of [wallMs, metrics.duration_ms!]) {
          expect(duration).toBeGreaterThanOrEqual(0);
          expect(duration).toBeLessThan(1_800_000);
        }
      }
    },
  );
});
