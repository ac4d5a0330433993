import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { fixture } from "../support/fixture.ts";
import { assayPath } from "../support/launch.ts";
import { callsOf } from "../support/preload.ts";

const COMMANDS = "run plan status list show export query report init doctor setup try".split(" ");

describe("a study from its first run to its report", () => {
  test("run says what came out and what to do next, and leaves the files of the design", async () => {
    await using project = await fixture("sums");
    const ran = await project.assay("run", "study.yaml");
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("4 runs ->") });
    expect(ran.stdout).toContain("sums: 4 ok of 4 runs");
    expect(ran.stdout).toMatch(/a {2}n {2}sum: mean/);
    expect(ran.stdout).toContain("Open this report: bench_runs/sums/report/index.html");
    expect(ran.stdout).toContain("Next: assay compare bench_runs/sums");
    expect(project.list("bench_runs/sums").sort()).toEqual([
      "aggregate",
      "journal.jsonl",
      "looks.jsonl",
      "report",
      "runs",
      "study.json",
    ]);
    const record = project.records("sums").find(({ params, seed }) => params.a === 1 && seed === 1)!;
    const dir = `bench_runs/sums/runs/${record.id}`;
    expect(project.list(dir).sort()).toEqual([
      "meta.json",
      "out",
      "series.jsonl",
      "stderr.txt",
      "stdout.txt",
    ]);
    expect(project.read(`${dir}/stdout.txt`)).toBe("added 1 and 10\n");
    expect(record).toMatchObject({ outcome: { status: "ok" }, metrics: { sum: 11 }, attempt: 1 });
    expect(record.wallMs).toBeGreaterThan(0);
  });

  test("the study file is parsed once, and so is what it extends", async () => {
    await using project = await fixture("sums", { "more.yaml": "extends: study.yaml\nstudy: more\n" });
    expect(await callsOf("parseSource", project, "run", "study.yaml")).toBe(1);
    expect(await callsOf("parseSource", project, "run", "more.yaml", "--no-report")).toBe(2);
    expect(await callsOf("parseSource", project, "compare", "sums")).toBe(0);
  });

  test("the answer carries what runs say of their own results", async () => {
    await using project = await fixture("sums");
    project.write(
      "tight.yaml",
      "study: tight\ntarget: sched-sim\nparams: {workflows: 20, budget_usd: 0.35}\nmatrix: {policy: [fifo_cheapest, full]}\nseeds: 1\n",
    );
    const note =
      "In all runs, 20 of 20 workflows did not finish: makespans leave them out, costs count them.";
    expect((await project.assay("run", "tight.yaml")).stdout).toContain(`note: ${note}`);
    const compared = (await project.assay("compare", "tight")).stdout;
    expect(compared).toContain(note);
    expect(compared).toContain("Nothing could be compared: no two arms have values of this metric.");
    expect(project.read("bench_runs/tight/aggregate/runs.csv")).toContain(
      "20 of 20 workflows did not finish",
    );
  });

  test("the answer says what the winner costs elsewhere, at the end of a run as in compare", async () => {
    await using project = await fixture("sums");
    project.write(
      "dear.yaml",
      `study: dear
target: { command: [sh, -c, 'echo time: $((\${ms} + $ASSAY_SEED)) cost: $((40 / \${ms}))'], metrics: { time: 'time: ([0-9]+)', cost: 'cost: ([0-9]+)' } }
matrix: { ms: [10, 20] }
seeds: 8
analysis: { metric: time, goal: minimize, baseline: { ms: 20 }, also: [{ metric: cost, goal: minimize }] }
`,
    );
    const dear = "But ms=10 is worse than ms=20 on cost by exactly 2 in every one of 8 pairs.";
    expect((await project.run("dear.yaml")).stdout).toContain(`\n${dear}\n`);
    expect((await project.assay("compare", "dear")).stdout).toContain(dear);
  });

  test("study.json tells the machine, the versions and the spec", async () => {
    await using project = await fixture("sums");
    await project.assay("run", "study.yaml", "-q");
    await project.assay("run", "study.yaml", "-q");
    const study = JSON.parse(project.read("bench_runs/sums/study.json"));
    expect(study).toMatchObject({ format: 1, name: "sums", total: 4, git: null });
    expect(study.spec.text).toBe(project.read("study.yaml"));
    expect(study.environment).toMatchObject({ node: process.version, cores: expect.any(Number) });
    expect(study.packages).toHaveProperty("assay");
    expect(study.launches.map(({ command }: { command: string }) => command)).toEqual([
      "assay run study.yaml -q",
      "assay run study.yaml -q",
    ]);
  });

  test("study.json tells commit, branch and uncommitted changes inside a git checkout", async () => {
    await using project = await fixture("sums");
    const git = (...words: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...words], { cwd: project.dir });
    git("init", "-q", "-b", "trunk");
    git("add", "study.yaml");
    git("commit", "-q", "-m", "first");
    project.edit("study.yaml", "a: [1, 2]", "a: [1, 3]");
    await project.run("study.yaml", "-q");
    const { git: state } = JSON.parse(project.read("bench_runs/sums/study.json"));
    expect(state).toMatchObject({
      branch: "trunk",
      dirty: true,
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    expect(state.diff).toMatch(/^\+matrix: .*a: \[1, 3\]/m);
  });

  test("plan, --dry-run and --dry_run show the runs and change nothing", async () => {
    await using project = await fixture("sums");
    const planned = await project.assay("plan", "study.yaml");
    expect(planned.code).toBe(0);
    expect(planned.stdout).toContain("sums (native): 4 runs -> bench_runs/sums");
    expect(planned.stdout).toMatch(/a +1: 2, 2: 2/);
    const dry = await project.assay("run", "study.yaml", "--dry-run");
    expect(dry.stdout).toMatch(/a1__seed1__baseline__[0-9a-f]{12} {2}new\n +sh sum\.sh 1 10 1/);
    expect((await project.assay("run", "study.yaml", "--dry_run")).stdout).toBe(dry.stdout);
    expect(
      (await project.assay("run", "--config=study.yaml", "--dry_run", "--exp_name=other")).stdout,
    ).toContain("bench_runs/other");
    const listed = JSON.parse((await project.assay("plan", "study.yaml", "--runs", "--json")).stdout);
    expect(listed).toMatchObject({ study: "sums", total: 4, pending: 4, finished: 0, seeds: 2 });
    expect(listed.runs).toHaveLength(4);
    expect(project.exists("bench_runs")).toBe(false);
  });

  test("status, show, collect, query and report read the results", async () => {
    await using project = await fixture("sums");
    expect((await project.assay("status")).stdout).toContain("no studies below bench_runs");
    await project.assay("run", "study.yaml", "-q", "--no-report");
    expect(project.exists("bench_runs/sums/report")).toBe(false);

    expect((await project.assay("status", "sums")).stdout).toContain(
      "4 ok, 0 failed, 0 left of 4 runs\nnot running",
    );
    expect((await project.assay("status")).stdout).toMatch(/sums +4 +0 +0 +4/);
    const status = JSON.parse((await project.assay("status", "bench_runs/sums", "--json")).stdout);
    expect(status).toMatchObject({ name: "sums", total: 4, ok: 4, failed: 0, left: 0, runner: null });

    const { id } = project.records("sums").find(({ params }) => params.a === 1)!;
    const shown = await project.assay("show", id);
    expect(shown.stdout).toMatch(/sum +11/);
    expect(shown.stdout).toContain("added 1 and 10");
    expect(shown.stdout).toContain(`Alone again: assay run study.yaml --rerun ${id}`);
    const byFolder = await project.assay("show", `bench_runs/sums/runs/${id}`, "--json");
    expect(JSON.parse(byFolder.stdout)).toMatchObject({ id, metrics: { sum: 11 } });

    expect((await project.assay("collect", "sums")).stdout).toContain(
      "4 rows from the journal -> bench_runs/sums/aggregate/runs.csv",
    );
    const elsewhere = await project.assay(
      "collect",
      "--exp_dir",
      "bench_runs/sums",
      "--out_csv=all.csv",
      "--json",
    );
    expect(JSON.parse(elsewhere.stdout)).toMatchObject({ rows: 4, from: "journal", unreadable: [] });
    expect(project.lines("all.csv")).toHaveLength(5);

    const reported = await project.assay("report", "sums");
    expect(reported.stdout).toBe("Open this report: bench_runs/sums/report/index.html\n");
    expect(project.read("bench_runs/sums/report/index.html")).toContain("<title>");
    const { files } = JSON.parse((await project.assay("report", "sums", "--out_dir=r", "--json")).stdout);
    expect(files.slice(0, 3)).toEqual(["r/index.html", "r/report.md", "r/report.json"]);
    for (const file of files) expect(project.exists(file)).toBe(true);
  });

  test("collect reads the folders too, and names those that it can't", async () => {
    await using project = await fixture("sums");
    await project.run("study.yaml", "-q");
    const [{ id } = { id: "" }] = project.records("sums");
    project.write(`bench_runs/sums/runs/${id}/meta.json`, "{");
    const collected = await project.assay("collect", "sums", "--from", "folders");
    expect(collected.stdout).toContain("3 rows from the folders");
    expect(collected.stderr).toContain(`1 folder without a readable meta.json: ${id}`);
  });

  test("query answers SQL over runs, series and files, as a table, CSV or JSON", async () => {
    await using project = await fixture("sums");
    await project.run("study.yaml", "-q");
    const ask = async (sql: string, ...words: string[]) => project.assay("query", "sums", sql, ...words);
    const sums = await ask(
      "SELECT a, sum(by_seed) AS total, avg(sum) AS mean FROM runs GROUP BY a ORDER BY a",
      "--json",
    );
    expect(JSON.parse(sums.stdout)).toEqual([
      { a: 1, total: 3, mean: 11 },
      { a: 2, total: 6, mean: 12 },
    ]);
    const series = await ask(
      "SELECT step, loss FROM series WHERE run_id LIKE 'a1__seed1%' ORDER BY step",
      "--csv",
    );
    expect(series.stdout).toBe("step,loss\n1,0.5\n2,0.25\n");
    const files = await ask("SELECT path, count(*) AS n FROM files GROUP BY path");
    expect(files.stdout).toMatch(/metrics\.json +4/);
  });

  test("query has a metric, and a parameter, under a name of its own where it is called like a column of Assay's", async () => {
    await using project = await fixture("sums", {
      "study.yaml":
        "{study: named, target: {command: [sh, named.sh]}, params: {run_id: mine, off: 3}, seeds: 2}",
      "named.sh": `echo '{"wall_time_s": 77, "status": 5, "Reason": 6, "off": 7}' >"$ASSAY_OUT_DIR/metrics.json"`,
    });
    expect((await project.run("study.yaml")).code).toBe(0);
    const sql = `SELECT run_id, run_id_param, wall_time_s_metric, status, status_metric, "Reason_metric" AS why, off, off_metric
      FROM runs WHERE wall_time_s < 77 ORDER BY seed`;
    const { stdout, stderr } = await project.assay("query", "named", sql, "--json");
    expect(stderr).toBe("");
    const rest = { run_id_param: "mine", wall_time_s_metric: 77, status: "ok", status_metric: 5, why: 6 };
    const ids = project
      .records("named")
      .sort((a, b) => a.seed - b.seed)
      .map(({ id }) => id);
    expect(JSON.parse(stdout)).toEqual(ids.map((id) => ({ run_id: id, ...rest, off: 3, off_metric: 7 })));
  });

  test("query refuses what is wrong and everything outside of the study, in one message", async () => {
    await using project = await fixture("sums");
    await project.run("study.yaml", "-q");
    for (const [sql, why] of [
      ["SELEC 1", "syntax error"],
      ["SELECT nothing FROM runs", "nothing"],
      ["SELECT * FROM read_csv('/etc/passwd')", "disabled by configuration"],
      ["COPY runs TO 'stolen.csv'", "disabled by configuration"],
      ["SET enable_external_access = true", "annot"],
      ["INSTALL httpfs", "disabled"],
    ] as const) {
      const refused = await project.assay("query", "sums", sql);
      expect(refused, sql).toMatchObject({ code: 2, stdout: "" });
      expect(refused.stderr, sql).toContain(why);
      expect(refused.stderr, sql).not.toMatch(/^\s+at /m);
    }
    expect(project.exists("stolen.csv")).toBe(false);
  });

  test("a study with failed runs exits 1, shows why, and does only those again", async () => {
    await using project = await fixture("sums");
    project.edit(
      "sum.sh",
      'echo "$ASSAY_RUN_ID"',
      '[ "$1" = 2 ] && [ ! -e mended ] && { echo "no luck" >&2; exit 3; }\necho "$ASSAY_RUN_ID"',
    );
    const ran = await project.run("study.yaml", "--json");
    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      studyDir: "bench_runs/sums",
      total: 4,
      ok: 2,
      failed: 2,
      left: 0,
    });
    expect(ran.stderr).toMatch(/^failed a=2, seed 1 after [\d.]+ m?s \(agent\): exit 3: no luck$/m);
    expect((await project.assay("status", "sums")).stdout).toMatch(
      / {2}\d+ runs? failed \(agent\): exit 3: no luck\n {6}assay show a2__seed\d/,
    );
    expect(
      (
        await project.assay(
          "show",
          project.records("sums").find(({ seed, params }) => seed === 2 && params.a === 2)!.id,
        )
      ).stdout,
    ).toContain("no luck");
    project.write("mended", "");
    const again = await project.run("study.yaml");
    expect(again.code).toBe(0);
    expect(again.stderr.match(/^run a=2, seed \d: failed before/gm)).toHaveLength(2);
    expect(again.stdout).toContain("2 ok, 2 done before of 4 runs");
    expect(project.records("sums").filter(({ attempt }) => attempt === 2)).toHaveLength(2);
  });
});

describe("the other commands", () => {
  test("list shows every family, and one target with its parameters and defaults", async () => {
    await using project = await fixture("sums");
    const all = await project.assay("list");
    for (const word of [
      "targets",
      "noop",
      "dialects",
      "matrix-json",
      "executors",
      "thread",
      "instruments",
      "reporters",
    ]) {
      expect(all.stdout).toContain(word);
    }
    expect(all.stdout).toMatch(/memory_db_baseline +Is it faster to log a simulation into memory/);
    expect((await project.assay("list", "noop")).stdout).toMatch(/value +number +0 +returned as the metric/);
    expect(JSON.parse((await project.assay("list", "--json")).stdout)).toHaveProperty("targets");
    expect(JSON.parse((await project.assay("list", "noop", "--json")).stdout).params).toEqual([
      { name: "value", type: "number", fallback: "0", description: "returned as the metric `value`" },
    ]);
  });

  test("init writes a study and never overwrites one", async () => {
    await using project = await fixture("sums");
    expect(await project.assay("init", "first.yaml")).toMatchObject({
      code: 0,
      stdout: "Wrote first.yaml. Next: assay run first.yaml\n",
    });
    const again = await project.assay("init", "first.yaml");
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("first.yaml exists already") });
  });

  test("the study that init writes runs as it is", async () => {
    await using project = await fixture("sums");
    await project.assay("init");
    const ran = await project.run("study.yaml", "--exp-name", "first");
    expect(ran.stderr).not.toContain("failed");
    expect(ran.code).toBe(0);
  });

  test("doctor tells what there is, for people and for programs", async () => {
    await using project = await fixture("sums");
    expect((await project.assay("doctor")).stdout).toContain(`ok       node: ${process.version}`);
    const { checks, machine } = JSON.parse((await project.assay("doctor", "--json")).stdout);
    expect(checks.map(({ name }: { name: string }) => name)).toContain("duckdb");
    expect(machine.cores).toBeGreaterThan(0);
  });

  test("schema prints the JSON Schema of the native study", async () => {
    await using project = await fixture("sums");
    const schema = JSON.parse((await project.assay("schema")).stdout);
    expect(Object.keys(schema.properties)).toEqual(
      expect.arrayContaining(["study", "target", "matrix", "limits"]),
    );
  });

  test("--help and --version answer, also for each command", async () => {
    await using project = await fixture("sums");
    const help = await project.assay("--help");
    expect(help.code).toBe(0);
    for (const command of COMMANDS) expect(help.stdout).toContain(`  ${command}`);
    expect((await project.assay("run", "--help")).stdout).toContain("--fail-fast");
    expect((await project.assay("--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test("setup bash completes commands and options", async ({ skip }) => {
    skip(!existsSync("/bin/bash"), "there is no bash");
    const complete = (...words: string[]) =>
      execFileSync(
        "/bin/bash",
        [
          "-c",
          `source <("${process.execPath}" "${assayPath}" setup bash)
           COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _assay; echo "\${COMPREPLY[*]}"`,
          "bash",
          ...words,
        ],
        { encoding: "utf8" },
      ).trim();
    expect(complete("assay", "").split(" ")).toEqual(expect.arrayContaining(COMMANDS));
    expect(complete("assay", "st")).toBe("status");
    expect(complete("assay", "run", "--fai")).toBe("--fail-fast");
    expect(complete("assay", "run", "stu")).toBe("");
    expect(complete("assay", "fleet", "p")).toBe("pause");
    expect(complete("assay", "compare", "x", "--goal", "ma")).toBe("maximize");
  });

  test("setup fish completes in fish, and zsh reads what setup zsh prints", async ({ skip }) => {
    skip(!existsSync("/usr/bin/fish") || !existsSync("/usr/bin/zsh"), "there is no fish or no zsh");
    const script = (shell: string) => `"${process.execPath}" "${assayPath}" setup ${shell}`;
    const complete = (line: string) =>
      execFileSync("/usr/bin/fish", ["-N", "-c", `${script("fish")} | source; complete -C "${line}"`], {
        encoding: "utf8",
      });
    expect(complete("assay st")).toMatch(/^status\t/);
    expect(complete("assay compare x --goal ma")).toMatch(/^maximize\t/);
    expect(complete("assay setup z")).toBe("zsh\n");
    const read = `compdef() {}; source <(${script("zsh")}); (( $+functions[_assay] ))`;
    execFileSync("/usr/bin/zsh", ["-f", "-c", read]);
  });

  test("with --json a mistake is JSON, too", async () => {
    await using project = await fixture("sums");
    for (const words of [
      ["status", "nothing"],
      ["status", "--nothing"],
    ]) {
      const { code, stdout, stderr } = await project.assay(...words, "--json");
      const { error } = JSON.parse(stdout);
      expect({ code, stderr }).toEqual({ code: error.code, stderr: `assay: ${error.message}\n` });
      expect(error).toMatchObject({ code: 2, message: expect.stringContaining("nothing") });
    }
  });

  test("setup schema has a target's parameters for editors", async () => {
    await using project = await fixture("sums");
    const { stdout } = await project.assay("setup", "schema", "sched-sim");
    const { properties } = JSON.parse(stdout);
    expect(properties.params.properties.workflows.description).toBeTruthy();
    expect(properties.matrix.properties.policy.anyOf[0].items.default).toBe("full");
  });

  test("a reader that has seen enough is no fault", async () => {
    await using project = await fixture("sums");
    const piped = project.launch([
      "sh",
      "-c",
      `"${process.execPath}" "${assayPath}" setup schema | head -n 1`,
    ]);
    expect(await piped.ended).toEqual({ code: 0, stdout: "{\n", stderr: "" });
  });
});

test("what commands print with --json is what their published schemas say", async () => {
  await using project = await fixture("sums");
  const words = [
    "plan study.yaml",
    "run study.yaml",
    "status",
    "status sums",
    "run study.yaml --exp-name other -p b=11",
    "compare sums --metric sum",
    "compare sums other --metric sum",
    "rank sums --metric sum",
    "power sums --metric sum",
    "report sums",
    "export sums",
    "history sums --metric sum",
    "note sums fine",
    "push sums team",
    "pull team --list",
    "list noop",
    "pause sums",
  ];
  for (const line of words) {
    const [command = "", ...rest] = line.split(" ");
    const { stdout, code } = await project.assay(command, ...rest, "--json");
    const name = code === 2 ? "error" : command;
    const schema = JSON.parse(
      readFileSync(new URL(`../../dist/schemas/${name}.json`, import.meta.url), "utf8"),
    );
    for (const printed of stdout.trim().split("\n"))
      expect(z.fromJSONSchema(schema).safeParse(JSON.parse(printed)).error?.message, line).toBeUndefined();
  }
});
