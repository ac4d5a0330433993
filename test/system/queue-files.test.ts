import { rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fleetProject, startStudy, startWorker } from "../support/fleet.ts";
import { queueProblem, skipReason, startQueueServer } from "../support/queue-server.ts";
import { waitFor } from "../support/wait-for.ts";

const LARGE = 3_000_000;

const problem = queueProblem("redis");
describe.skipIf(problem)(`files of runs${skipReason(problem)}`, { concurrent: true }, () => {
  test("large ones come back through a folder that all share", async () => {
    await using server = await startQueueServer("redis");
    await using project = await fleetProject(server);
    const shared = project.path("shared");
    project.write(
      "study.yaml",
      `study: fleet\ntarget: ./step.ts\nparams: {bytes: ${LARGE}}\nseeds: 3\nexecutor: {kind: queue, queue: {files: ${shared}}}\n`,
    );
    await startWorker(project);
    expect((await startStudy(project).ended).code).toBe(0);
    for (const { id, files, warnings } of project.records("fleet")) {
      expect(files).toEqual(["data.txt"]);
      expect(warnings).toBeUndefined();
      expect(project.read(`bench_runs/fleet/runs/${id}/out/data.txt`).length).toBe(LARGE);
    }
    const [study] = project.list("shared");
    expect(project.list(`shared/${study}`)).toEqual([]);
  });

  test("what is too large for the queue is left out and named; the rest comes", async () => {
    await using server = await startQueueServer("redis");
    const text = "study: fleet\ntarget: ./noise.mjs\nseeds: 1\n";
    // What is random can't be compressed.
    const noise = `import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { z } from "assay/plugin";
export default {
  name: "noise",
  params: z.object({}),
  run({ outDir }) {
    writeFileSync(outDir + "/large.bin", randomBytes(${LARGE}));
    writeFileSync(outDir + "/half.bin", randomBytes(500_000));
    return {};
  },
};
`;
    await using project = await fleetProject(server, { "study.yaml": text, "noise.mjs": noise });
    await startWorker(project);
    expect((await startStudy(project).ended).code).toBe(0);
    const record = project.onlyRecord("fleet");
    expect(record.files).toEqual(["half.bin"]);
    expect(record.warnings![0]).toMatch(/out\/large\.bin \(3000000 bytes\) did not come back/);
    expect(project.list(`bench_runs/fleet/runs/${record.id}/out`)).toEqual(["half.bin"]);
    // Nothing is missing in its eyes, so nothing runs again.
    const again = await startStudy(project, "--json").ended;
    expect(JSON.parse(again.stdout)).toMatchObject({ skipped: 1, ok: 0 });
  });

  test.each(["queue", "a shared folder"])(
    "one whose name is not UTF-8 is left out and named, by way of %s, and no worker ends",
    async (way) => {
      await using server = await startQueueServer("redis");
      const script =
        'printf x >"$ASSAY_OUT_DIR/$(printf \'caf\\351.txt\')"; echo "{}" >"$ASSAY_OUT_DIR/metrics.json"\n';
      await using project = await fleetProject(server, { "odd.sh": script });
      const files = way === "queue" ? way : project.path("shared");
      project.write(
        "study.yaml",
        `study: fleet\ntarget: {command: [sh, odd.sh]}\nseeds: 2\nexecutor: {kind: queue, queue: {files: ${files}}}\n`,
      );
      const worker = await startWorker(project);
      expect((await startStudy(project).ended).code).toBe(0);
      expect(worker.isOver).toBe(false);
      for (const { outcome, files, warnings } of project.records("fleet")) {
        expect(outcome.status).toBe("ok");
        expect(files).toEqual(["metrics.json"]);
        expect(warnings).toEqual([
          "out/caf\ufffd.txt (1 bytes) did not come back: its name is not UTF-8: caf\\xe9.txt",
        ]);
      }
      const again = await startStudy(project, "--json").ended;
      expect(JSON.parse(again.stdout)).toMatchObject({ skipped: 2, ok: 0 });
    },
  );

  test("a run whose files can't be sent has failed, with its cost; its worker goes on", async () => {
    await using server = await startQueueServer("redis");
    await using project = await fleetProject(server, { shared: "a file, where a folder should be" });
    project.write(
      "study.yaml",
      `study: fleet\ntarget: ./step.ts\nparams: {costUsd: 2}\nseeds: 2\nexecutor: {kind: queue, queue: {files: ${project.path("shared")}}}\n`,
    );
    const worker = await startWorker(project);
    expect((await startStudy(project).ended).code).toBe(1);
    expect(worker.isOver).toBe(false);
    for (const { outcome, costUsd } of project.records("fleet")) {
      expect(outcome).toMatchObject({ status: "failed", owner: "infrastructure" });
      expect(outcome.reason).toContain("its files could not be sent");
      expect(costUsd).toBe(2);
    }
  });

  test("scripts that a command names travel with the job", async () => {
    await using server = await startQueueServer("redis");
    const text = 'study: fleet\ntarget: {command: [sh, bin/tell.sh, "${seed}"]}\nseeds: 4\n';
    const script = 'echo "{\\"told\\": $1}" >"$ASSAY_OUT_DIR/metrics.json"\n';
    await using project = await fleetProject(server, { "study.yaml": text, "bin/tell.sh": script });
    const study = startStudy(project);
    await waitFor("the study", () => study.stderr.includes("no worker is there"));
    rmSync(project.path("bin"), { recursive: true });
    await startWorker(project);
    expect((await study.ended).code).toBe(0);
    expect(
      project
        .records("fleet")
        .map(({ metrics }) => metrics.told)
        .sort(),
    ).toEqual([1, 2, 3, 4]);
  });

  test("a worker that lacks a package says so, the study too, and goes on when it is there", async () => {
    await using server = await startQueueServer("redis");
    const module =
      'import { z } from "assay/plugin";\nimport { five } from "five";\nexport default { name: "five", params: z.object({}), run: () => ({ five }) };\n';
    const five = {
      "package.json": '{"name": "five", "type": "module", "main": "index.js"}',
      "index.js": "export const five = 5;\n",
    };
    const files = {
      "study.yaml": "study: fleet\ntarget: ./five.mjs\nseeds: 2\n",
      "five.mjs": module,
      "package.json": "{}",
    };
    await using project = await fleetProject(server, files);
    const install = () => {
      for (const [name, content] of Object.entries(five)) project.write(`node_modules/five/${name}`, content);
    };
    install();
    const study = startStudy(project);
    await waitFor("the study", () => study.stderr.includes("no worker is there"));
    rmSync(project.path("node_modules"), { recursive: true });
    const worker = await startWorker(project);
    await waitFor("the worker's word", () => worker.stderr.includes("the package five can't be found"));
    await waitFor("the study's word", () => study.stderr.includes("no worker can run this study"));
    expect(study.stderr).toContain("the package five can't be found");
    install();
    expect((await study.ended).code).toBe(0);
    expect(project.records("fleet").map(({ metrics }) => metrics.five)).toEqual([5, 5]);
  });
});
