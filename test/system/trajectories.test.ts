import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fixture } from "../support/fixture.ts";
import { trajectoryFiles } from "../support/trajectory-files.ts";

async function folder() {
  const files = Object.entries(trajectoryFiles).map(([format, value]) => [
    `runs/${format.replaceAll(" ", "-")}.traj`,
    JSON.stringify(value),
  ]);
  return fixture("sums", { ...Object.fromEntries(files), "runs/torn.traj": '{"history": [' });
}

describe("assay traj", () => {
  test("tells what agents did, without colours, and a broken file in a line", async () => {
    await using project = await folder();
    const { code, stdout } = await project.assay("traj", "runs");
    expect(code).toBe(0);
    expect(stdout).toContain("8 trajectories, 1 broken");
    expect(stdout).toMatch(/exits +submitted 4, exit_cost 2, unknown 2/);
    expect(stdout).toMatch(/broken: runs\/torn\.traj: no valid JSON, it looks cut off/);
    expect(stdout).not.toContain("\x1b");
  });

  test("keeps a hostile name in its cell", async () => {
    const info = { model: "\u001b[2Jgone\nnext row", exit_status: "\u001b]0;title\u0007\nexit_cost" };
    await using project = await fixture("sums", { "a.traj": JSON.stringify({ trajectory: [], info }) });
    const { stdout } = await project.assay("traj", "a.traj");
    expect(stdout).toMatch(/^a\.traj .*gone next row.*exit_cost/m);
    expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
  });

  test("fails for a broken file only when asked to be strict", async () => {
    await using project = await folder();
    expect((await project.assay("traj", "runs", "--strict")).code).toBe(1);
    expect((await project.assay("traj", "runs/assay.traj", "--strict")).code).toBe(0);
  });

  test("writes all of it as JSON and CSV", async () => {
    await using project = await folder();
    const { files, summary } = JSON.parse((await project.assay("traj", "runs", "--json")).stdout);
    expect(files).toHaveLength(9);
    expect(summary).toMatchObject({ files: 8, broken: 1, costUsd: { known: 7, unknown: 1 } });
    await project.assay("traj", "runs", "--csv", "all.csv");
    const [header, ...rows] = project.read("all.csv").trimEnd().split("\n");
    expect(rows).toHaveLength(9);
    for (const row of rows.filter((line) => !line.includes('"')))
      expect(row.split(",")).toHaveLength(header!.split(",").length);
    expect((await project.assay("traj", "runs/assay.traj", "--csv")).stdout).toMatch(/^file,format/);
  });

  test("converts to ATIF and back without a loss", async () => {
    await using project = await folder();
    expect((await project.assay("traj", "runs/assay.traj", "--to", "atif", "a.json")).code).toBe(0);
    const [before, after] = await Promise.all(
      ["runs/assay.traj", "a.json"].map(async (path) => {
        const { stdout } = await project.assay("traj", path, "--json");
        return JSON.parse(stdout).files[0];
      }),
    );
    for (const key of ["instance", "exit", "turns", "calls", "tokens", "costUsd", "isEmpty"])
      expect(after[key], key).toEqual(before[key]);
    expect(JSON.parse(readFileSync(project.path("a.json"), "utf8")).schema_version).toMatch(/^ATIF-v1/);
  });

  test("takes a study by its name, as other commands do", async () => {
    const { assay } = trajectoryFiles;
    await using project = await fixture("sums", {
      "bench_runs/fixes/runs/one__0123456789ab/out/run.traj": JSON.stringify(assay),
      "elsewhere/fixes/runs/one__0123456789ab/out/run.traj": JSON.stringify(assay),
    });
    const filesOf = async (...words: string[]) => {
      const { stdout } = await project.assay("traj", ...words, "--json");
      return JSON.parse(stdout).files.map(({ file }: { file: string }) => file.split("/runs/")[0]);
    };
    expect(await filesOf("fixes")).toEqual(["bench_runs/fixes"]);
    expect(await filesOf("fixes", "--out-root", "elsewhere")).toEqual(["elsewhere/fixes"]);
    expect(await filesOf("replay", "fixes", "--strategy", "raw", "--model", "scripted")).toEqual([
      "bench_runs/fixes",
    ]);
  });

  test("names the user's mistakes", async () => {
    await using project = await folder();
    const { code, stderr } = await project.assay("traj", "nowhere");
    expect([code, stderr]).toEqual([2, expect.stringContaining("no such file or folder")]);
    expect((await project.assay("traj", "runs", "--to", "atif", "x.json")).code).toBe(2);
    expect((await project.assay("traj", "runs/torn.traj", "--to", "atif", "x.json")).code).toBe(2);
  });
});

describe("assay traj replay", () => {
  test("says what another strategy would have sent, and what it assumes", async () => {
    await using project = await folder();
    const words = [
      "traj",
      "replay",
      "runs/assay.traj",
      "--strategy",
      "observation_masking",
      "--model",
      "scripted",
    ];
    const { code, stdout } = await project.assay(...words, "--obs-n", "1");
    expect(code).toBe(0);
    expect(stdout).toContain("assumed: the agent would have done the same");
    expect(stdout).toMatch(/\$ no cache +\$ ideal cache/);
    const { files, assumptions } = JSON.parse((await project.assay(...words, "--json")).stdout);
    expect(files[0].turns).toHaveLength(2);
    expect(assumptions.length).toBeGreaterThan(2);
  });

  test("refuses hyperparameters that make no sense together", async () => {
    await using project = await folder();
    const words = [
      "traj",
      "replay",
      "runs",
      "--strategy",
      "llm_summary",
      "--sum-n",
      "5",
      "--sum-keep-m",
      "5",
    ];
    const { code, stderr } = await project.assay(...words);
    expect([code, stderr]).toEqual([2, expect.stringContaining("sum_keep_m")]);
    expect((await project.assay("traj", "replay", "runs")).code).toBe(2);
  });
});
