import { askRunner } from "../api/ask-runner.ts";
import { findStudy } from "../archive/read-records.ts";
import { UserError } from "../core/errors.ts";
import type { ControlRequest } from "../core/live-state.ts";
import { titleOf } from "../core/study-folder.ts";

interface ControlOptions {
  outRoot?: string;
  json?: boolean;
}

interface Changes {
  run?: string | undefined;
  jobs?: number;
  maxCost?: number;
  maxTime?: number;
}

/** Asks the runner of a study, in another process, to pause, to go on, in another way, or to end what runs. */
export async function control(
  action: ControlRequest["action"],
  name: string,
  { run, jobs, maxCost, maxTime, ...options }: ControlOptions & Changes,
): Promise<void> {
  const studyDir = findStudy(name, options.outRoot);
  const by = `by \`assay ${action}\``;
  const changes = {
    ...(jobs !== undefined && { jobs }),
    ...(maxCost !== undefined && { costUsd: maxCost }),
    ...(maxTime !== undefined && { wallMs: maxTime }),
  };
  if (action === "adjust" && Object.keys(changes).length === 0)
    throw new UserError("nothing is to be changed", { expected: "--jobs, --max-cost or --max-time" });
  const taken = await askRunner(studyDir, { action, by, ...changes, ...(run !== undefined && { run }) });
  if (options.json)
    console.log(JSON.stringify({ study: titleOf(studyDir), action, run: run ?? null, ...changes, taken }));
  else console.log(taken ? SAID[action](titleOf(studyDir), run) : "asked; the runner hasn't reacted yet");
}

const SAID: Record<ControlRequest["action"], (study: string, run: string | undefined) => string> = {
  pause: (study) =>
    `${study} starts nothing more; runs in progress continue. \`assay resume ${study}\` resumes it.`,
  resume: (study) => `${study} continues`,
  adjust: (study) => `${study} continues with that, until this launch ends`,
  rerun: (study) => `${study} repeats what the infrastructure broke`,
  cancel: (study, run) =>
    run === undefined
      ? `${study} ends its runs in progress; the same \`assay run\` resumes it`
      : `${run} ends; the other runs of ${study} continue`,
};
