import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Job, Setting } from "../core/executor.ts";
import { RUN_FILES } from "../core/study-folder.ts";
import { readJson } from "../host/files.ts";
import { loadTarget } from "../targets/load-target.ts";
import { loadInstruments } from "./load-instruments.ts";
import { attemptPath } from "./module-command.ts";
import { runModule } from "./run-module.ts";

/** The program behind a module target that runs as a process: `module-child.js OUT_DIR`. */
const outDir = process.argv[2]!;
const { job, setting } = readJson<{ job: Job; setting: Setting }>(`${dirname(outDir)}/${RUN_FILES.job}`);
if (setting.target.kind === "command") throw new Error("a command needs no module");
const attempt = await runModule({
  job,
  setting,
  target: await loadTarget(setting.target),
  instruments: await loadInstruments(setting),
  outDir,
  seriesPath: process.env.ASSAY_SERIES ?? null,
  signal: new AbortController().signal,
});
writeFileSync(attemptPath(dirname(outDir)), JSON.stringify(attempt));
if (attempt.outcome.status !== "ok") console.error(attempt.outcome.reason);
// A teardown that hangs must not keep the process.
process.exit(attempt.outcome.status === "ok" ? 0 : 1);
