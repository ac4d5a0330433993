import { askRunner } from "../api/ask-runner.ts";
import { findStudy } from "../archive/read-records.ts";
import type { ControlRequest } from "../core/live-state.ts";
import { titleOf } from "../core/study-folder.ts";

interface ControlOptions {
  outRoot?: string;
  json?: boolean;
}

/** Asks the runner of a study, in another process, to pause, to go on or to end what runs. */
export async function control(
  action: ControlRequest["action"],
  name: string,
  { run, ...options }: ControlOptions & { run?: string | undefined },
): Promise<void> {
  const studyDir = findStudy(name, options.outRoot);
  const by = `by \`assay ${action}\``;
  const taken = await askRunner(studyDir, { action, by, ...(run !== undefined && { run }) });
  if (options.json)
    console.log(JSON.stringify({ study: titleOf(studyDir), action, run: run ?? null, taken }));
  else console.log(taken ? SAID[action](titleOf(studyDir), run) : "asked; the runner hasn't reacted yet");
}

const SAID: Record<ControlRequest["action"], (study: string, run: string | undefined) => string> = {
  pause: (study) =>
    `${study} starts nothing more; runs in progress continue. \`assay resume ${study}\` resumes it.`,
  resume: (study) => `${study} continues`,
  cancel: (study, run) =>
    run === undefined
      ? `${study} ends its runs in progress; the same \`assay run\` resumes it`
      : `${run} ends; the other runs of ${study} continue`,
};
