import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fixture, type Project } from "../support/fixture.ts";
import { waitFor } from "../support/wait-for.ts";

const CANARY = 'sk-canary-4f1c"7b\\9e%2d';

/** Every form that the secret could have in text, JSON, nested JSON and URLs. */
const FORMS = [CANARY, JSON.stringify(CANARY).slice(1, -1), encodeURIComponent(CANARY), "sk-canary-4f1c"];

function expectNowhere(project: Project): void {
  const names = readdirSync(project.path("bench_runs"), { recursive: true, encoding: "utf8" });
  expect(names.join("\n")).not.toContain("canary");
  expect(names.length).toBeGreaterThan(5);
  const texts = names.map((name) => [name, readIfThere(project.path(`bench_runs/${name}`))] as const);
  for (const form of FORMS) {
    const bytes = Buffer.from(form).toString("latin1");
    expect(
      texts.filter(([, text]) => text.includes(bytes)).map(([name]) => name),
      `files with ${form}`,
    ).toEqual([]);
  }
}

/** The bytes of a file, each as a character; a folder has none, nor has what a runner has renamed meanwhile. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    if (["EISDIR", "ENOENT"].includes((error as NodeJS.ErrnoException).code!)) return "";
    throw error;
  }
}

async function secretive(name: string, files: Record<string, string>): Promise<Project> {
  const project = await fixture(name, files);
  project.env = { OPENAI_API_KEY: CANARY };
  return project;
}

const study = (target: string) => `{study: leaky, target: ${target}, seeds: 2}`;

describe("a secret of the environment is nowhere under the output folder", () => {
  test("when a program prints it, whole and in two pieces", async () => {
    await using project = await secretive("program", {
      "study.yaml": study("{command: [sh, program.sh]}"),
      "program.sh": `echo "key: $OPENAI_API_KEY"
        printf %s "$OPENAI_API_KEY" | head -c 9 >&2
        printf %s "$OPENAI_API_KEY" | tail -c +10 >&2
        printf '{"step": 1, "note": "sk-canary-4f1c\\\\"7b\\\\\\\\9e%%2d"}\\n' >"$ASSAY_SERIES"`,
    });
    expect((await project.assay("run", "study.yaml")).code).toBe(0);
    expectNowhere(project);
    const [{ id } = { id: "" }] = project.records("leaky");
    expect(project.read(`bench_runs/leaky/runs/${id}/stdout.txt`)).toBe("key: [secret OPENAI_API_KEY]\n");
    expect(project.read(`bench_runs/leaky/runs/${id}/stderr.txt`)).toBe("[secret OPENAI_API_KEY]");
  });

  test("when it is a number, which a metric may be, too: the record stays readable", async () => {
    await using project = await fixture("program", {
      "study.yaml": "{study: pin, target: {command: [sh, program.sh]}, params: {pin: 12345678}}",
      "program.sh":
        'echo \'{"bytes": 12345678}\' | tee "$ASSAY_OUT_DIR/metrics.json" >"$ASSAY_SERIES"; echo "by 12345678"',
    });
    project.env = { DB_PASSWORD: "12345678" };
    const run = () => project.assay("run", "study.yaml");
    expect((await run()).code).toBe(0);
    expect((await run()).stdout).toContain("0 ok, 1 done before");
    const record = project.onlyRecord("pin");
    expect(record).toMatchObject({ metrics: { bytes: 12345678 }, params: { pin: "[secret DB_PASSWORD]" } });
    const at = `bench_runs/pin/runs/${record.id}`;
    const { metrics, params } = JSON.parse(project.read(`${at}/meta.json`));
    expect({ metrics, params }).toMatchObject({
      metrics: { bytes: 12345678 },
      params: { pin: "[secret DB_PASSWORD]" },
    });
    expect(project.read(`${at}/stdout.txt`)).toBe("by [secret DB_PASSWORD]\n");
    const sql = "SELECT r.bytes, s.bytes AS step FROM runs r JOIN series s USING (run_id)";
    const { stdout } = await project.assay("query", "pin", sql, "--json");
    expect(JSON.parse(stdout)).toEqual([{ bytes: 12345678, step: 12345678 }]);
  });

  test("when the cap cuts through it", async () => {
    await using project = await secretive("program", {
      "study.yaml": "{study: leaky, target: {command: [sh, program.sh]}, limits: {stdout: 1000}}",
      "program.sh": `head -c 990 /dev/zero | tr '\\0' x; printf %s "$OPENAI_API_KEY"; echo and more`,
    });
    expect((await project.assay("run", "study.yaml")).code).toBe(0);
    expectNowhere(project);
  });

  test("when it is a parameter: in argv, ids, meta.json, study.json and the lock", async () => {
    await using project = await secretive("slow", {
      "study.yaml":
        '{study: leaky, target: {command: [sh, wait.sh, "${key}"]}, label: "${key}__seed${seed}", seeds: 2}',
    });
    const runner = project.start("run", "study.yaml", "-p", `key=${CANARY}`);
    await waitFor("both runs to start", () => project.lines("started.txt").length === 2);
    await waitFor("live.json", () => project.exists("bench_runs/leaky/live.json"));
    expectNowhere(project);
    project.write("go", "");
    const { code, stdout, stderr } = await runner.ended;
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain("canary");
    expectNowhere(project);
    expect(project.read("bench_runs/leaky/study.json")).toContain("[secret OPENAI_API_KEY]");
    const again = await project.assay("run", "study.yaml", "-p", `key=${CANARY}`);
    expect(again.stdout).toContain("2 done before");
    expect(
      (await project.assay("run", "study.yaml", "-p", `key=${CANARY}`, "--dry-run", "--rerun", "all")).stdout,
    ).not.toContain("canary");
  });

  test("when it stands deep inside an error JSON in metrics.json, and in other files of the program", async () => {
    await using project = await secretive("program", {
      "study.yaml": study("{command: [node, program.mjs]}"),
      "program.mjs": `import { mkdirSync, writeFileSync } from "node:fs";
        const out = process.env.ASSAY_OUT_DIR;
        const key = process.env.OPENAI_API_KEY;
        const inner = JSON.stringify({ headers: { authorization: "Bearer " + key } });
        writeFileSync(out + "/metrics.json", JSON.stringify({ score: 1, error: { cause: { request: key, body: inner } } }));
        mkdirSync(out + "/deep/er", { recursive: true });
        writeFileSync(out + "/deep/er/trace.bin", Buffer.concat([Buffer.from([0, 255]), Buffer.from(key), Buffer.alloc(3_000_000)]));
        writeFileSync(out + "/url.txt", "https://example.org/?key=" + encodeURIComponent(key));`,
    });
    const ran = await project.assay("run", "study.yaml");
    expect(ran.code, ran.stderr).toBe(0);
    expectNowhere(project);
    const record = project.anyRecord("leaky");
    expect(record.metrics.score).toBe(1);
    const metrics = JSON.parse(project.read(`bench_runs/leaky/runs/${record.id}/out/metrics.json`));
    expect(metrics.error.cause.request).toBe("[secret OPENAI_API_KEY]");
  });

  test.each(["thread", "process"])("when a module throws it or prints it (%s)", async (executor) => {
    await using project = await secretive("modules", {
      "study.yaml":
        "{study: leaky, target: ./leaky.mjs, matrix: {how: [throw, print, series, file]}, seeds: 1}",
    });
    const ran = await project.assay("run", "study.yaml", "--executor", executor, "-p", `key=${CANARY}`);
    expect(ran.stdout).toContain("3 ok, 1 failed of 4 runs");
    expect(ran.stdout + ran.stderr).not.toContain("canary");
    expectNowhere(project);
  });

  test("when it stands in a .env file that the program reads itself, inside of a URL", async () => {
    await using project = await fixture("program", {
      "study.yaml": study("{command: [sh, program.sh]}"),
      ".env": `DATABASE_URL=postgres://me:${encodeURIComponent(CANARY)}@db/main\n`,
      "program.sh": `. ./.env; echo "$DATABASE_URL" | tee "$ASSAY_OUT_DIR/log.txt"`,
    });
    expect((await project.assay("run", "study.yaml")).code).toBe(0);
    expectNowhere(project);
    const [{ id } = { id: "" }] = project.records("leaky");
    expect(project.read(`bench_runs/leaky/runs/${id}/stdout.txt`)).toBe("[secret DATABASE_URL]\n");
  });

  test("when the runner was killed before it could tidy up, after the next start", async () => {
    await using project = await secretive("slow", {});
    project.edit(
      "wait.sh",
      "until",
      'echo "$OPENAI_API_KEY"; echo "$OPENAI_API_KEY" >"$ASSAY_OUT_DIR/key"; until',
    );
    const runner = project.start("run", "study.yaml");
    await waitFor("two runs to start", () => project.lines("started.txt").length === 2);
    runner.kill("SIGKILL");
    await runner.ended;
    project.write("go", "");
    expect((await project.assay("run", "study.yaml")).code).toBe(0);
    expectNowhere(project);
  });
});
