import { field, listAt, textAt } from "../../trajectories/json-fields.ts";
import { parseJson } from "../found-file.ts";
import { BrokenImport, type ImportedTrial, type ImportProblem, type ImportReader } from "../import-reader.ts";
import { type LogHeader, trialOf } from "./read-sample.ts";
import { ZipReader } from "./read-zip.ts";

/** Logs of Inspect as one JSON file. */
export const inspectJson: ImportReader = {
  name: "inspect",
  looksFor: "*.json with version, status and eval",
  claims: (file) =>
    file.name.endsWith(".json") &&
    /^\s*\{\s*"version"\s*:\s*\d/.test(file.head()) &&
    /"eval"\s*:\s*\{/.test(file.head()),
  *read(file) {
    const log = file.json();
    const samples = listAt(log, "samples");
    if (samples === undefined) throw new BrokenImport("the log has a header only, no samples");
    yield* trialsOf(samples, headerOf(log));
    yield* unfinished(textAt(log, "status"));
  },
};

/** Logs of Inspect as it writes them by default: a zip with each sample apart, and with summaries of all. */
export const inspectEval: ImportReader = {
  name: "inspect",
  looksFor: "*.eval",
  claims: ({ name }) => name.endsWith(".eval"),
  *read(file) {
    const zip = new ZipReader(file.path);
    try {
      const json = (name: string) => parseJson(zip.read(name));
      const names = zip.names();
      // The header is written at the end: a log that was cut off has its start only.
      const start = ["header.json", "_journal/start.json", "start.json"].find((name) => names.includes(name));
      if (start === undefined) throw new BrokenImport("no log of Inspect: there is no header.json in it");
      const log = json(start);
      for (const name of sampleLists(names)) {
        const list = json(name);
        yield* trialsOf(Array.isArray(list) ? list : [list], headerOf(log));
      }
      const end = names.includes("results.json") ? json("results.json") : log;
      yield* unfinished(textAt(end, "status") ?? "started");
    } finally {
      zip.close();
    }
  },
};

/** The summaries of all samples where the log was ended, else those so far, else the samples themselves. */
function sampleLists(names: readonly string[]): string[] {
  const whole = names.filter((name) => name === "summaries.json" || name === "summary.json");
  if (whole.length > 0) return whole.slice(0, 1);
  const parts = names.filter((name) => /^(_journal\/)?summaries\/\d+\.json$/.test(name));
  return parts.length > 0 ? parts : names.filter((name) => /^samples\/.+\.json$/.test(name));
}

function headerOf(log: unknown): LogHeader {
  return { eval: field(log, "eval"), plan: field(log, "plan"), stats: field(log, "stats") };
}

function* trialsOf(samples: readonly unknown[], header: LogHeader): Generator<ImportedTrial | ImportProblem> {
  for (const [index, sample] of samples.entries())
    yield trialOf(sample, header) ?? { problem: `sample ${index + 1}: no id or no epoch` };
}

function* unfinished(status: string | null): Generator<ImportProblem> {
  if (status !== null && status !== "success")
    yield { problem: `the log's status is ${status}: samples that are not in it are missing` };
}
