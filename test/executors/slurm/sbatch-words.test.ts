import { describe, expect, test } from "vitest";
import { explainRefusal, isFull, isPassing } from "../../../src/executors/slurm/explain-refusal.ts";
import { sbatchWords, slurmTime } from "../../../src/executors/slurm/sbatch-words.ts";

const submission = { name: "assay-a-1", comment: "/runs/a", tasks: 12, script: "/runs/a/task.sh" };

describe("sbatch", () => {
  test("gets an array with a throttle, what the study asks for, and the user's own words last", () => {
    const words = sbatchWords(
      {
        partition: "gpu",
        account: "lab",
        qos: "low",
        time: "90m",
        memory: "4G",
        cpus: 3,
        gres: "gpu:1",
        concurrent: 5,
        extra: ["--constraint=a100", "--no-requeue"],
      },
      submission,
    );
    expect(words).toEqual(
      expect.arrayContaining([
        "--array=0-11%5",
        "--partition=gpu",
        "--account=lab",
        "--qos=low",
        "--time=90",
        "--mem=4G",
        "--cpus-per-task=3",
        "--gres=gpu:1",
        "--comment=/runs/a",
      ]),
    );
    expect(words.slice(-3)).toEqual(["--constraint=a100", "--no-requeue", "/runs/a/task.sh"]);
  });

  test("gets nothing that the study does not ask for", () => {
    const words = sbatchWords({}, submission).join(" ");
    expect(words).toContain("--array=0-11 ");
    expect(words).not.toMatch(/--(partition|account|qos|time|mem|gres)=/);
  });

  test.each([
    ["30", "30"],
    ["2:00:00", "2:00:00"],
    ["1-12", "1-12"],
    ["90m", "90"],
    ["1.5h", "90"],
    ["20s", "1"],
    ["2d", "2880"],
    ["UNLIMITED", "UNLIMITED"],
  ])("takes the time %s as %s", (given, taken) => {
    expect(slurmTime(given)).toBe(taken);
  });

  test("does not take a time that is none", () => {
    expect(() => slurmTime("soon")).toThrow("executor.slurm.time: expected a time as Slurm writes it");
  });
});

describe("a refusal", () => {
  test.each([
    ["Invalid partition name specified", "sinfo"],
    ["Invalid account or account/partition combination specified", "sinfo"],
    ["Invalid qos specification", "executor.slurm.qos"],
    ["Invalid generic resource (gres) specification", "executor.slurm.gres"],
    ["Requested time limit is invalid (missing or exceeds some limit)", "executor.slurm.time"],
    ["Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)", "pack"],
    ["Requested node configuration is not available", "ask for less"],
    ["something new", "--test-only"],
  ])("%s is told with a remedy", (words, remedy) => {
    const { message } = explainRefusal(words);
    expect(message).toContain(`Slurm refused the job array: ${words}.`);
    expect(message).toContain(remedy);
  });

  test("is passing where the controller can't be reached", () => {
    expect(isPassing("Unable to contact slurm controller (connect failure)")).toBe(true);
    expect(isPassing("Batch job submission failed: Socket timed out on send/recv operation")).toBe(true);
    expect(isPassing("Invalid partition name specified")).toBe(false);
  });

  test("is one of too many tasks where the user may have fewer in the queue", () => {
    expect(
      isFull("Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)"),
    ).toBe(true);
    expect(isFull("Invalid partition name specified")).toBe(false);
  });
});
