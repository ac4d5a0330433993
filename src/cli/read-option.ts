import { Argument, type Command, Option } from "commander";
import { UserError } from "../core/errors.ts";
import { parseDuration, parseWholeNumbers } from "../core/number-text.ts";
import type { Decide } from "../core/study.ts";
import { suggestion } from "../core/suggest.ts";

/** Each reads the text of one option, or says what it should have been. */
export function amount(option: string) {
  return (text: string): number => {
    const number = Number(text);
    if (number > 0 && Number.isFinite(number)) return number;
    throw new UserError(option, { expected: "a number above 0", got: JSON.stringify(text) });
  };
}

/** `cost:minimize` is a metric with its goal. */
export function metricAndGoal(word: string): { metric: string; goal?: "minimize" | "maximize" } {
  const match = /^(.+):(min|max)(imize)?$/.exec(word);
  if (!match) return { metric: word };
  return { metric: match[1]!, goal: match[2] === "min" ? "minimize" : "maximize" };
}

/** Takes `--metric cost:minimize` for `--metric cost --goal minimize`. */
export function withGoal(command: Command): Command {
  return command.hook("preAction", (self) => {
    const { metric: word } = self.opts<{ metric?: string | string[] }>();
    if (typeof word !== "string") return;
    const { metric, goal } = metricAndGoal(word);
    self.setOptionValue("metric", metric);
    if (goal) self.setOptionValue("goal", goal);
  });
}

/** Milliseconds. */
export function timeSpan(option: string) {
  return (text: string): number => {
    const ms = parseDuration(text);
    if (ms !== undefined && ms > 0) return ms;
    throw new UserError(option, {
      expected: "a duration such as 90s, 10m or 1.5h",
      got: JSON.stringify(text),
    });
  };
}

export function fraction(option: string) {
  return (text: string): number => {
    const number = Number(text);
    if (number > 0 && number <= 1) return number;
    throw new UserError(option, { expected: "a number between 0 and 1", got: JSON.stringify(text) });
  };
}

export function anyNumber(option: string) {
  return (text: string): number => {
    const number = Number(text);
    if (text.trim() !== "" && Number.isFinite(number)) return number;
    throw new UserError(option, { expected: "a number", got: JSON.stringify(text) });
  };
}

export function collectWords(word: string, all: string[] = []): string[] {
  return [...all, word];
}

export function commaWords(text: string, all: string[] = []): string[] {
  return [...all, ...text.split(",").map((word) => word.trim())];
}

/** Words from a list, with commas between them; the option may be repeated. */
export function wordsOf<T extends string>(option: string, known: readonly T[]) {
  return (text: string, all: T[] = []): T[] => {
    const words = commaWords(text);
    const stranger = words.find((word) => !known.some((name) => name === word));
    if (stranger === undefined) return [...all, ...(words as T[])];
    throw new UserError(option, {
      expected: `one or more of ${known.join(", ")}`,
      got: JSON.stringify(stranger),
      remedy: suggestion(stranger, known),
    });
  };
}

export function wholeNumber(option: string) {
  return (text: string): number => {
    const number = Number(text);
    if (number > 0 && Number.isSafeInteger(number)) return number;
    throw new UserError(option, { expected: "a whole number above 0", got: JSON.stringify(text) });
  };
}

export function portNumber(option: string) {
  return (text: string): number => {
    const number = Number(text);
    if (Number.isInteger(number) && number >= 0 && number <= 65_535 && text.trim() !== "") return number;
    throw new UserError(option, { expected: "a port from 1 to 65535", got: JSON.stringify(text) });
  };
}

/** `9464`, or `0.0.0.0:9464` to be scraped from other machines. */
export interface MetricsAddress {
  host: string;
  port: number;
}

export function metricsAddress(text: string): MetricsAddress {
  const [, host = "127.0.0.1", digits] = /^(?:(.+):)?(\d{1,5})$/.exec(text.trim()) ?? [];
  const port = Number(digits);
  if (digits !== undefined && port <= 65_535) return { host: host.replace(/^\[|\]$/g, ""), port };
  throw new UserError("--metrics", {
    expected: "a port, or HOST:PORT such as 0.0.0.0:9464",
    got: JSON.stringify(text),
  });
}

/** `0.5` in the metric's unit, `5%` of the baseline's mean. */
export const effectSize = sizeOrShare("--effect");
export const marginSize = sizeOrShare("--margin");

function sizeOrShare(option: string) {
  return (text: string): { value: number; isRelative: boolean } => readSize(text, option);
}

function readSize(text: string, option: string): { value: number; isRelative: boolean } {
  const isRelative = text.trim().endsWith("%");
  const value = Number(isRelative ? text.trim().slice(0, -1) : text);
  if (value > 0 && Number.isFinite(value)) return { value: isRelative ? value / 100 : value, isRelative };
  throw new UserError(option, {
    expected: "a number above 0, or a share such as 5%",
    got: JSON.stringify(text),
  });
}

export function sizeList(text: string): number[] {
  const sizes = text.split(",").map(Number);
  if (sizes.every((size) => Number.isSafeInteger(size) && size >= 2)) return sizes;
  throw new UserError("--sizes", {
    expected: "whole numbers from 2, such as 10,20,50",
    got: JSON.stringify(text),
  });
}

/** A number alone says how many, as in a study file; a list or a range says which. */
export function seedsOption(text: string): number | number[] {
  return /^\s*\d+\s*$/.test(text) ? wholeNumber("--seeds")(text) : seedList(text);
}

function seedList(text: string): number[] {
  const seeds = parseWholeNumbers(text);
  if (seeds) return [...new Set(seeds)];
  throw new UserError("--seeds", {
    expected: "how many, such as 5, or which: 1,4,7 or 11..20",
    got: JSON.stringify(text),
  });
}

export function requireStudy(name: string | undefined): string {
  if (name !== undefined) return name;
  throw new UserError("no study", { remedy: "Name its folder, or its name below bench_runs." });
}

/** `decided`, `precise=2%`, `precise=0.5` or `budget`. */
export function untilOption(text: string): Pick<Decide, "until" | "precise"> {
  if (text === "decided" || text === "budget") return { until: text };
  const [, number, percent] = /^precise=(\d*\.?\d+)( ?%)?$/.exec(text) ?? [];
  const value = Number(number);
  if (!(value > 0))
    throw new UserError("--until", {
      expected: "decided, precise=2% (or in the metric's unit) or budget",
      got: JSON.stringify(text),
    });
  return {
    until: "precise",
    precise: { value: percent ? value / 100 : value, isShare: percent !== undefined },
  };
}

export const STUDY_TEXT = "a study's folder, or its name below --out-root";

export const study = () => new Argument("<study>", STUDY_TEXT);
export const json = () => new Option("--json", "machine-readable output");
export const outRoot = () => new Option("--out-root <folder>", "where studies are kept");

export const quiet = () => new Option("-q, --quiet", "print only the result");

/** Counts how often it is given. */
export const verbose = () =>
  new Option("-v, --verbose", "one line per finished run; -vv: also each start, and what agents print")
    .argParser((_, n: number) => n + 1)
    .default(0);
