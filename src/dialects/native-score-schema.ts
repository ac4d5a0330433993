import * as z from "zod";
import { UserError } from "../core/errors.ts";
import type { JudgeRef, ScorerRef } from "../core/study.ts";
import { namesInPattern } from "../core/watch-pattern.ts";
import { below } from "./named-file.ts";
import { command, commandRef } from "./native-command.ts";
import { duration } from "./quantities.ts";
import type { SourceFile } from "./source-file.ts";

const text = z.string().min(1);
const shared = {
  name: z
    .string()
    .regex(/^[\w-]+$/)
    .optional()
    .describe("In front of its metrics: exact gives exact/correct. Needed where there are several scorers."),
  timeout: duration("Longest time for one output. Default: limits.timeout.").optional(),
};

const scorer = z.union(
  [
    command.extend(shared),
    z.strictObject({
      module: text.describe("A ./file.ts whose default export gets an output and returns its metrics."),
      ...shared,
    }),
    z.strictObject({
      judge: z.strictObject({
        model: text.describe("The model that judges: provider:model."),
        criteria: z
          .record(text, text)
          .refine((criteria) => Object.keys(criteria).length > 0, { error: "at least one criterion" })
          .describe("What is asked of an output, by the name of its metric: scores between 0 and 1."),
        output: text
          .optional()
          .describe("The file that it reads, from the run's out folder. Default: stdout."),
        repeats: z.int().positive().max(100).default(1).describe("Times that it judges the same output."),
      }),
      ...shared,
    }),
  ],
  { error: "{command: [...]}, {module: ./score.ts} or {judge: {model, criteria}}" },
);

export const scoreSchema = z
  .union([scorer, z.array(scorer).min(1)])
  .describe(
    "What makes metrics of the outputs of runs: a program, a module or a judge, or several. A changed scorer scores the stored outputs again and runs nothing.",
  );

type Declared = z.output<typeof scorer>;

export function readScorers(score: z.output<typeof scoreSchema>, file: SourceFile): ScorerRef[] {
  const declared = Array.isArray(score) ? score : [score];
  const path = (i: number) => (Array.isArray(score) ? ["score", i] : ["score"]);
  const names = declared.map(({ name }) => name);
  return declared.map((one, i) => {
    const { name, timeout } = one;
    const place = file.locate(path(i));
    if (name === undefined && declared.length > 1)
      throw new UserError("score", { place, expected: "a name: for each of several scorers", got: "none" });
    if (name !== undefined && names.indexOf(name) < i)
      throw new UserError(`two scorers are called "${name}"`, { place });
    return {
      name: name ?? "score",
      ...(name !== undefined && { isNamed: true }),
      ...(timeout !== undefined && { timeoutMs: timeout }),
      by: readBy(one, file, path(i)),
    };
  });
}

function readBy(one: Declared, file: SourceFile, path: (string | number)[]): ScorerRef["by"] {
  if ("judge" in one) {
    const { output, ...judge } = one.judge;
    const ref: JudgeRef = { kind: "judge", ...judge };
    if (output !== undefined) ref.output = output;
    return ref;
  }
  if ("module" in one) {
    if (!/\.[cm]?[jt]s$/.test(one.module))
      throw new UserError("", {
        place: file.locate([...path, "module"]),
        expected: "a file of TypeScript or JavaScript",
        got: one.module,
        remedy: "Of any other language: command: [python3, score.py].",
      });
    return { kind: "file", path: below(file.dirOf(path), one.module) };
  }
  const pattern = one.watch?.find((watched) => namesInPattern(watched).length > 0);
  if (pattern !== undefined)
    throw new UserError(`watch: ${pattern}`, {
      place: file.locate([...path, "watch"]),
      expected: "files that count for all outputs",
    });
  return commandRef(one, file, path);
}
