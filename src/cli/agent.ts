import { existsSync, readFileSync, rmSync } from "node:fs";
import { isUntouched, trialText } from "../api/scaffold/try-study.ts";
import { UserError } from "../core/errors.ts";
import { shellWord } from "../core/escape.ts";
import type { Params } from "../core/params.ts";
import { schemaPath } from "../host/environment.ts";
import { replaceFile } from "../host/files.ts";
import { readOptions } from "./overrides.ts";
import { run } from "./run.ts";

interface AgentOptions {
  dryRun?: boolean;
  seeds: number | number[];
  out?: string;
  quiet?: boolean;
  json?: boolean;
}

const EXAMPLE = "--model scripted --strategy hybrid";
/** Flags of scripts that call such an agent, and why they do nothing here. */
const ELSEWHERE: Record<string, string> = {
  wandb: "Assay keeps every run itself; `assay export STUDY --to wandb` hands it over",
  wandb_project: "`assay export STUDY --to wandb` hands runs over",
  project: "`assay export STUDY --to wandb` hands runs over",
  no_weave: "spans of all calls are in trace.jsonl, or at OTEL_EXPORTER_OTLP_ENDPOINT",
  execution: "`executor:` in a study file says where runs execute",
};

/** The agent without a study file: parameters are options, in its own names or those of published sweeps. */
export async function agent(words: string[], options: AgentOptions): Promise<void> {
  const given = readOptions(words, { target: "agent", example: EXAMPLE });
  const params: Params = {};
  for (const [name, value] of Object.entries(given)) {
    const why = ELSEWHERE[name];
    if (why === undefined) params[name] = value;
    else process.stderr.write(`note: --${name.replaceAll("_", "-")} has no effect: ${why}\n`);
  }
  const name = nameOf(params);
  const file = options.out ?? `${name}.yaml`;
  const isNew = !existsSync(file);
  if (!isNew && !isUntouched(readFileSync(file, "utf8")))
    throw new UserError(`${file} exists already and was edited since \`assay agent\` wrote it`, {
      remedy: `Name another file with --out, or run that one: \`assay run ${shellWord(file)}\`.`,
    });
  const study = { study: name, target: "agent", params, seeds: options.seeds };
  const made = ["assay", "agent", ...words].map(shellWord).join(" ").replaceAll("\n", " ");
  replaceFile(file, trialText(study, { made, schema: schemaPath() }));
  let isChecked = false;
  try {
    const { dryRun = false, quiet = false, json = false } = options;
    await run(file, { dryRun, quiet, json, report: true, trace: true, verbose: 0 });
    isChecked = !dryRun;
  } catch (error) {
    // The place in a file that nobody wrote says less than the option.
    if (error instanceof UserError)
      error.message = error.message.replace(/^\S+\.yaml:\d+:\d+ params\./, "--");
    throw error;
  } finally {
    // A mistake in a parameter, or a dry run, leaves nothing behind.
    if (isNew && !isChecked) rmSync(file, { force: true });
  }
}

/** By what is set, so that two calls with different parameters are two studies. */
function nameOf({ model = "scripted", strategy = "raw", ...others }: Params): string {
  const parts = Object.entries(others).map(
    ([name, value]) => `${name}${value === true ? "" : JSON.stringify(value)}`,
  );
  const text = ["agent", model, strategy, ...parts].join("-");
  return text
    .replaceAll(/[^\w.-]+/g, "-")
    .replaceAll(/-{2,}/g, "-")
    .replace(/-+$/, "")
    .slice(0, 100);
}
