import { resolve } from "node:path";
import { UserError } from "../../../core/errors.ts";
import { suggestion } from "../../../core/suggest.ts";
import { maskObservations } from "./mask-observations.ts";
import { summaryOptions, wholeNumber } from "./options.ts";
import { defineStrategy, type Strategy } from "./strategy.ts";
import { viewCheckpoints } from "./view-checkpoints.ts";

/** Nothing is done about a long context. */
const raw = defineStrategy({
  name: "raw",
  description: "the whole conversation, as it is",
  options: () => ({}),
  view: (messages) => ({ messages: [...messages], masked: 0 }),
});

/** Old tool output gives way to a line that says how much is missing. */
const observationMasking = defineStrategy({
  name: "observation_masking",
  description: "keeps the last obs_n observations, and of the older ones only how long they were",
  options: (given) => ({ obsN: wholeNumber(given, "obs_n", { usual: 10, least: 1 }) }),
  view: (messages, { obsN }) => maskObservations(messages, obsN),
});

/** Old turns give way to a summary that a model writes. */
const llmSummary = defineStrategy({
  name: "llm_summary",
  description: "once sum_n + sum_keep_m turns are there, the oldest sum_n become a checkpoint",
  options: summaryOptions,
  view: viewCheckpoints,
});

/** Summaries first, then masking over what they leave. */
const hybrid = defineStrategy({
  name: "hybrid",
  description: "checkpoints as llm_summary makes them, and the observations left are masked",
  options: (given) => ({
    ...summaryOptions(given),
    obsN: wholeNumber(given, "obs_n", { usual: 10, least: 1 }),
  }),
  view(messages, options) {
    const view = viewCheckpoints(messages, options);
    return { ...view, ...maskObservations(view.messages, options.obsN) };
  },
});

/** The context strategies that ship with Assay. */
export const strategies: Readonly<Record<string, Strategy>> = {
  raw: raw as unknown as Strategy,
  observation_masking: observationMasking as unknown as Strategy,
  llm_summary: llmSummary as unknown as Strategy,
  hybrid: hybrid as unknown as Strategy,
};

/** One that ships, by its name, or a user's own file. */
export async function loadStrategy(name: string, baseDir: string): Promise<Strategy> {
  if (Object.hasOwn(strategies, name)) return strategies[name]!;
  if (!/^\.{0,2}\//.test(name)) {
    throw new UserError(`there is no strategy "${name}"`, {
      remedy: `${suggestion(name, Object.keys(strategies))} A file of your own starts with ./`.trim(),
    });
  }
  const { loadModule } = await import("../../load-module.ts");
  const path = resolve(baseDir, name);
  const loaded = (await loadModule(path, "strategy")) as Partial<Strategy> | undefined;
  if (typeof loaded?.view === "function" && typeof loaded.options === "function") return loaded as Strategy;
  throw new UserError(`strategy file ${path} exports no strategy`, {
    expected: "export default defineStrategy({name, description, options, view})",
    got: loaded ? `keys ${Object.keys(loaded).join(", ") || "(none)"}` : "no default export",
  });
}
