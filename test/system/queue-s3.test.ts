import { statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fleetProject, startStudy, startWorker } from "../support/fleet.ts";
import { queueProblem, skipReason, startQueueServer } from "../support/queue-server.ts";
import { cuttingProxy, s3Environment, startS3 } from "../support/s3-server.ts";
import { waitFor } from "../support/wait-for.ts";

const LARGE = 3_000_000;
const STUDY =
  "study: fleet\ntarget: ./noise.mjs\nseeds: 3\nexecutor: {kind: queue, queue: {files: s3://runs/of/mine}}\n";
// What is random can't be compressed.
const NOISE = `import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { z } from "assay/plugin";
export default {
  name: "noise",
  params: z.object({}),
  run({ outDir }) {
    writeFileSync(outDir + "/large.bin", randomBytes(${LARGE}));
    return {};
  },
};
`;

const problem = queueProblem("redis");
describe.skipIf(problem)(`files of runs through S3${skipReason(problem)}`, { concurrent: true }, () => {
  test("come back whole over a network that breaks, and a worker without keys says so", async () => {
    await using server = await startQueueServer("redis");
    await using s3 = await startS3();
    await using project = await fleetProject(server, { "study.yaml": STUDY, "noise.mjs": NOISE });
    const { env } = project;
    const keyless = await startWorker(project);
    using proxy = await cuttingProxy(s3.port, { afterBytes: 1_000_000, times: 2, from: "client" });
    project.env = { ...env, ...s3.env };
    const study = startStudy(project);
    await waitFor("its word", () => keyless.stderr.includes("this machine has no keys for it"));
    expect(keyless.isOver).toBe(false);
    project.env = { ...env, ...s3Environment(proxy.port) };
    await startWorker(project);
    const ended = await study.ended;
    expect(ended.code, `${ended.stdout}${ended.stderr}`).toBe(0);
    expect(proxy.cuts).toBe(2);
    const records = project.records("fleet");
    expect(records.length).toBe(3);
    for (const { id, files, outcome } of records) {
      expect(outcome.status).toBe("ok");
      expect(files).toEqual(["large.bin"]);
      expect(statSync(project.path(`bench_runs/fleet/runs/${id}/out/large.bin`)).size).toBe(LARGE);
    }
    await waitFor("the store to be empty", () => s3.objects().length === 0);
    for (const path of ["study.json", "journal.jsonl"])
      expect(project.read(`bench_runs/fleet/${path}`)).not.toContain(s3.env.AWS_SECRET_ACCESS_KEY!);
  });

  test("a coordinator whose keys are refused stops, and the next one has the results without running anything again", async () => {
    await using server = await startQueueServer("redis");
    await using s3 = await startS3();
    await using project = await fleetProject(server, { "study.yaml": STUDY });
    project.write(
      "noise.mjs",
      NOISE.replace(
        "run({ outDir }) {",
        "run({ outDir, seed }) {\n    appendFileSync(process.env.MARKS, seed + ' ');",
      ).replace("writeFileSync }", "appendFileSync, writeFileSync }"),
    );
    const env = { ...project.env, MARKS: project.path("marks") };
    project.env = { ...env, ...s3.env };
    await startWorker(project);
    project.env = { ...env, ...s3.env, AWS_ACCESS_KEY_ID: "EXPIRED" };
    const refused = await startStudy(project).ended;
    expect(refused.code, refused.stderr).toBe(2);
    expect(refused.stderr).toContain("what the keys of this machine may do");
    expect(project.records("fleet").filter(({ outcome }) => outcome.status === "failed")).toEqual([]);
    project.env = { ...env, ...s3.env };
    const { code, stderr } = await startStudy(project).ended;
    expect(code, stderr).toBe(0);
    const records = project.records("fleet").filter(({ outcome }) => outcome.status === "ok");
    expect(records.map(({ seed }) => seed).sort()).toEqual([1, 2, 3]);
    expect(project.read("marks").trim().split(" ").sort()).toEqual(["1", "2", "3"]);
  });

  test("a coordinator without keys is told before anything runs", async () => {
    await using server = await startQueueServer("redis");
    await using project = await fleetProject(server, { "study.yaml": STUDY, "noise.mjs": NOISE });
    const { code, stderr } = await startStudy(project).ended;
    expect(code).toBe(2);
    expect(stderr).toContain("AWS_ACCESS_KEY_ID");
  });
});
