import * as z from "zod";
import type { ToolSpec } from "../../models/model.ts";

const inputs = {
  bash: z.strictObject({ command: z.string().min(1).describe("The command line") }),
  read: z.strictObject({
    path: z.string().min(1).describe("The file, relative to the repository"),
    from: z.int().min(1).optional().describe("First line; default 1"),
    to: z.int().min(1).optional().describe("Last line; default the end"),
  }),
  edit: z.strictObject({
    path: z.string().min(1).describe("The file, relative to the repository"),
    old: z.string().describe("Text that occurs exactly once in it; empty to make a new file"),
    new: z.string().describe("What takes its place"),
  }),
  submit: z.strictObject({
    forfeit: z.boolean().optional().describe("True to give up without a change"),
  }),
};

const DESCRIPTIONS: Record<ToolName, string> = {
  bash: "Runs a command in the repository and shows what it prints.",
  read: "Shows a file with line numbers.",
  edit: "Replaces one piece of text in a file.",
  submit: "Ends the work: all changes to the repository are handed in.",
};

export type ToolName = keyof typeof inputs;
export type ToolInput<N extends ToolName> = z.output<(typeof inputs)[N]>;

/** What the agent can do, as models are told. */
export const toolSpecs: readonly ToolSpec[] = (Object.keys(inputs) as ToolName[]).map((name) => ({
  name,
  description: DESCRIPTIONS[name],
  input: z.toJSONSchema(inputs[name]) as Record<string, unknown>,
}));

export type CheckedCall = { [N in ToolName]: { name: N; input: ToolInput<N> } }[ToolName];

/** A call as a tool takes it; a sentence that says what is wrong with it. */
export function checkCall(name: string, input: unknown): CheckedCall | string {
  if (!Object.hasOwn(inputs, name))
    return `There is no tool "${name.slice(0, 80)}". The tools are ${Object.keys(inputs).join(", ")}.`;
  const result = inputs[name as ToolName].safeParse(input);
  if (result.success) return { name, input: result.data } as CheckedCall;
  const issue = result.error.issues[0]!;
  return `The input of ${name} is wrong: ${[...issue.path, issue.message].join(": ")}.`;
}
