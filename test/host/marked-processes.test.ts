import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { reapMarked } from "../../src/host/processes.ts";

test.runIf(process.platform === "linux").each(["/tmp/plain", "/tmp/Ergebnisse für Åsa/結果"])(
  "what a study left in %s is ended",
  async (studyDir) => {
    const env = { ...process.env, ASSAY_STUDY_DIR: `${studyDir}-${process.pid}`, ASSAY_RUN_ID: "a" };
    const child = spawn(process.execPath, ["-e", "console.log(1); setInterval(() => {}, 1e6)"], {
      env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const ended = once(child, "exit");
    await once(child.stdout, "data");
    expect(await reapMarked({ studyDir: env.ASSAY_STUDY_DIR }, ({ runId }) => runId !== "a")).toBe(1);
    expect((await ended)[1]).toBe("SIGKILL");
  },
);
