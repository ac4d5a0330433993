import { describe, expect, test } from "vitest";
import { isEnded, judgeEnd, type TaskEnd } from "../../../src/executors/slurm/judge-end.ts";

function end(part: Partial<TaskEnd>): TaskEnd {
  return { name: "7_2", state: "FAILED", node: "n1", facts: {}, hadAllTime: false, ...part };
}

describe("what becomes of the runs of a task that ended early", () => {
  test.each(["NODE_FAIL", "BOOT_FAIL", "PREEMPTED", "OUT_OF_MEMORY", "GONE"])(
    "%s: all of them run again",
    (state) => {
      expect(judgeEnd(end({ state }))).toMatchObject({ underWay: "again", notBegun: "again" });
    },
  );

  test("cancelled from outside: all of them have failed, and the study's retries decide", () => {
    expect(judgeEnd(end({ state: "CANCELLED" }))).toEqual({
      reason: "its Slurm task 7_2 was cancelled from outside",
      underWay: "failed",
      notBegun: "failed",
    });
  });

  test("a time limit is the failure of a run that had all of it, and of no other", () => {
    const late = { state: "TIMEOUT", facts: { TimeLimit: "00:01:00" } };
    expect(judgeEnd(end({ ...late, hadAllTime: true }))).toEqual({
      reason:
        "Slurm's time limit of 00:01:00 ended its task 7_2 on n1; ask for more with executor.slurm.time",
      underWay: "failed",
      notBegun: "again",
    });
    expect(judgeEnd(end(late))).toMatchObject({ underWay: "again", notBegun: "again" });
  });

  test("a crash is the failure of the run under way; those behind it run again", () => {
    expect(judgeEnd(end({ facts: { ExitCode: "0:9" } }))).toEqual({
      reason: "its Slurm task 7_2 crashed on n1 (FAILED, exit code 0:9)",
      underWay: "failed",
      notBegun: "again",
    });
  });

  test("a task that is requeued, suspended or about to end has not ended", () => {
    for (const state of ["PENDING", "RUNNING", "COMPLETING", "REQUEUED", "SUSPENDED", "CONFIGURING"])
      expect(isEnded(state), state).toBe(false);
    for (const state of ["COMPLETED", "FAILED", "TIMEOUT", "CANCELLED"])
      expect(isEnded(state), state).toBe(true);
  });
});
