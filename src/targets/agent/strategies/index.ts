import { resolve } from "node:path";
import { UserError } from "../../../core/errors.ts";
import type { Message } from "../../../core/message.ts";
import type { Params } from "../../../core/params.ts";
import { suggestion } from "../../../core/suggest.ts";
import { defineStrategy, type Strategy, type View } from "./strategy.ts";

/** A hyperparameter that counts something. */
function wholeNumber(
  given: Params,
  name: string,
  { usual, least }: { usual: number; least: number },
): number {
  const value = given[name] ?? usual;
  if (typeof value === "number" && Number.isInteger(value) && value >= least) return value;
  throw new UserError(`parameter ${name}`, {
    expected: `a whole number of at least ${least}`,
    got: JSON.stringify(value),
  });
}

export interface SummaryOptions {
  /** Turns that become one checkpoint. */
  sumN: number;
  /** Turns beside it that stay as they are. */
  keepM: number;
  /** A checkpoint replaces those before it. */
  isStatic: boolean;
  /** Checkpoints list the actions of their turns. */
  extractActions: boolean;
}

/** The hyperparameters of summaries: more turns must be summarised at a time than are kept beside. */
function summaryOptions(given: Params): SummaryOptions {
  const sumN = wholeNumber(given, "sum_n", { usual: 21, least: 1 });
  const keepM = wholeNumber(given, "sum_keep_m", { usual: 10, least: 0 });
  if (keepM >= sumN) {
    throw new UserError("sum_keep_m must be less than sum_n", {
      expected: `fewer turns kept than summarised at a time (sum_n: ${sumN})`,
      got: `sum_keep_m: ${keepM}`,
      remedy: `Set sum_keep_m below ${sumN}; in a search add where: sum_keep_m < sum_n.`,
    });
  }
  return {
    sumN,
    keepM,
    isStatic: given.static_checkpoint !== false,
    extractActions: given.extract_actions === true,
  };
}

const OMITTED = /^Old environment output: \(\d+ lines omitted\)$/;

const SHORT = new WeakMap<Message, Message>();

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

/**
 * Replaces old observations by a line that says how much is missing. The first one, which is the task, and the last
 * `keep` stay; demonstrations are no observations. What was replaced once is not replaced again.
 */
function maskObservations(
  messages: readonly Message[],
  keep: number,
): { messages: Message[]; masked: number } {
  const places = messages.flatMap(({ kind }, i) => (kind === "task" || kind === "observation" ? [i] : []));
  const old = new Set(places.slice(1, Math.max(1, places.length - keep)));
  let masked = 0;
  const shown = messages.map((message, i) => {
    if (!old.has(i)) return message;
    masked++;
    return OMITTED.test(message.text) ? message : omitted(message);
  });
  return { messages: shown, masked };
}

/** The line that stands for a message: the same one each time, so that whoever counts its tokens need not count again. */
function omitted(message: Message): Message {
  let short = SHORT.get(message);
  if (!short) {
    short = { ...message, text: `Old environment output: (${lineCount(message.text)} lines omitted)` };
    SHORT.set(message, short);
  }
  return short;
}

function lineCount(text: string): number {
  return text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
}

/**
 * What is left of a conversation when its checkpoints stand for the turns before them, and which turns must become the
 * next one: the oldest n, once n + m have none. A checkpoint stands for every turn up to its own.
 */
function viewCheckpoints(messages: readonly Message[], options: SummaryOptions): View {
  const { sumN, keepM, isStatic } = options;
  const checkpoints = messages.filter(({ kind }) => kind === "checkpoint");
  const newest = checkpoints.at(-1);
  const covered = newest?.turn ?? 0;
  const shown = messages.filter((message) =>
    message.kind === "checkpoint"
      ? !isStatic || message === newest
      : !isOfTurns(message) || message.turn > covered,
  );
  const open = [...new Set(shown.filter(isOfTurns).map(({ turn }) => turn))].filter((turn) => turn > 0);
  if (open.length < sumN + keepM) return { messages: shown, masked: 0 };
  const fromTurn = open[0]!;
  const toTurn = open[sumN - 1]!;
  return {
    messages: shown,
    masked: 0,
    summarise: {
      messages: shown.filter((message) => isOfTurns(message) && message.turn > 0 && message.turn <= toTurn),
      fromTurn,
      toTurn,
      previous: newest,
    },
  };
}

function isOfTurns({ kind }: Message): boolean {
  return kind === "action" || kind === "observation" || kind === "notice";
}
