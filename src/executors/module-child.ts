import { readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { loadTarget } from "../targets/load-target.ts";
import type { Job, Setting } from "./executor.ts";
import { runModule } from "./run-module.ts";

/** The program behind a module target that runs as a process: `module-child.js OUT_DIR`. */
const outDir = process.argv[2]!;
const { job, setting } = JSON.parse(readFileSync(`${dirname(outDir)}/job.json`, "utf8")) as {
  job: Job;
  setting: Setting;
};
if (setting.target.kind === "command") throw new Error("a command needs no module");
const target = await loadTarget(setting.target);
await target.setup?.();
try {
  const attempt = await runModule({
    job,
    setting,
    target,
    outDir,
    seriesPath: process.env.ASSAY_SERIES ?? null,
  });
  writeFileSync(`${outDir}/metrics.json`, JSON.stringify(attempt.metrics));
  for (const warning of attempt.warnings ?? []) console.error(`warning: ${warning}`);
  if (attempt.outcome.status !== "ok") {
    console.error(attempt.outcome.reason);
    process.exitCode = 1;
  }
} finally {
  await target.teardown?.();
}
