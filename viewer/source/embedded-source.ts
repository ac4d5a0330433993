import type { ComparisonData, ReportData, RunTable } from "../../src/reporters/study-view.ts";
import type { Source } from "./source.ts";

/** A large table stands in a script of its own behind the page's code, so that the first screen need not wait for it. */
type Embedded = (Omit<ReportData, "runs"> & { runs?: RunTable }) | ComparisonData;

/** The data that stand in the page itself. */
export async function readEmbedded(script: HTMLElement): Promise<Source> {
  const data = await read<Embedded>(script);
  if ("comparison" in data) {
    const none = () => Promise.reject(new Error("This file only has a comparison."));
    return {
      study: none,
      runs: none,
      run: none,
      notes: none,
      judgement: none,
      left: () => 0,
      live: null,
      comparison: data.comparison,
    };
  }
  return {
    study: async () => data.view,
    runs: async () => data.runs ?? readTable(),
    run: async (_, run) => (Object.hasOwn(data.details, run) ? data.details[run]! : null),
    notes: async () => data.notes ?? { notes: [], views: [], agreement: null },
    judgement: async () => data.notes?.judgement ?? null,
    left: () => data.left,
    live: null,
    comparison: null,
  };
}

async function readTable(): Promise<RunTable> {
  if (document.readyState === "loading")
    await new Promise((resolve) => addEventListener("DOMContentLoaded", resolve, { once: true }));
  const script = document.getElementById("assay-runs");
  if (!script) throw new Error("This file has no table of runs. It may be incomplete.");
  return read<RunTable>(script);
}

async function read<T>(script: HTMLElement): Promise<T> {
  const text = script.textContent ?? "";
  script.textContent = "";
  const json = script.dataset.encoding === "deflate-base64" ? await inflate(text.trim()) : text;
  return JSON.parse(json) as T;
}

async function inflate(base64: string): Promise<string> {
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}
