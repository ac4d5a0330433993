import type { Message, ToolCall } from "../../../src/core/message.ts";
import type { Model, ModelAnswer, ToolSpec } from "../../../src/models/model.ts";

export type Files = Record<string, string>;

/** A repository whose bug is two files away from the test that fails. */
export const SHOP: Files = {
  "README.md": "# Shop\nRules are in docs/.\n",
  "docs/orders.md": "# Orders\n`orderTotal` adds up and takes off the discount: `sum - discountFor(sum)`.\n",
  "docs/discounts.md":
    "# Discounts\n`discountFor`: from 100 on a tenth is taken off: `sum >= 100 ? sum / 10 : 0`.\n",
  "src/orders.js":
    'import { discountFor } from "./discounts.js";\nexport function orderTotal(prices) {\n  const sum = prices.reduce((a, b) => a + b, 0);\n  return sum - discountFor(sum);\n}\n',
  "src/discounts.js": "export function discountFor(sum) {\n  return sum > 100 ? sum / 10 : 0;\n}\n",
  "test/orders.test.js": "assert(orderTotal([100]) === 90);\n",
};
const SHOP_FIX = "sum >= 100 ? sum / 10 : 0";
export const TASK = "The tests of this repository fail. Run the tests with `sh test.sh` and mend the code.";
export const TOOLS: ToolSpec[] = ["bash", "read", "edit", "submit"].map((name) => ({
  name,
  description: `the tool ${name}`,
  input: { type: "object" },
}));

/** Tools over files in memory: what `find`, `grep -rnw`, the tests, `read` and `edit` would say. */
function useTool(files: Files, { name, input }: ToolCall): string {
  if (name === "read") return files[String(input.path)] ?? "error: no such file";
  if (name === "edit") {
    const text = files[String(input.path)] ?? "";
    if (!text.includes(String(input.old))) return "error: old text not found";
    files[String(input.path)] = text.replace(String(input.old), () => String(input.new));
    return "edited";
  }
  const command = String(input.command);
  if (command.startsWith("find"))
    return Object.keys(files)
      .map((path) => `./${path}`)
      .join("\n");
  if (command === "sh test.sh")
    return isMended(files) ? "PASS" : "FAIL orderTotal([100]): expected 90, got 100";
  const word = /'(.*?)'/.exec(command)![1]!;
  return Object.entries(files)
    .flatMap(([path, text]) =>
      text.split("\n").flatMap((line, i) => (line.includes(word) ? [`./${path}:${i + 1}:${line}`] : [])),
    )
    .join("\n");
}

export function isMended(files: Files): boolean {
  return files["src/discounts.js"]!.includes(SHOP_FIX);
}

interface Play {
  seed: number;
  files?: Files;
  view?: (messages: Message[]) => Message[];
  mostTurns?: number;
}

/** Lets a model work until it submits. */
export async function play(
  model: Model,
  { seed, files = { ...SHOP }, view = (m) => m, mostTurns = 60 }: Play,
) {
  const messages: Message[] = [{ role: "user", text: TASK, kind: "task", turn: 0 }];
  const answers: ModelAnswer[] = [];
  for (let turn = 1; turn <= mostTurns; turn++) {
    const answer = await model.complete({
      messages: view(messages),
      tools: TOOLS,
      purpose: "agent",
      seed,
      signal: new AbortController().signal,
    });
    answers.push(answer);
    const call = answer.message.toolCalls![0]!;
    messages.push({ ...answer.message, turn });
    if (call.name === "submit") return { messages, answers, files, turns: turn, isSubmitted: true };
    const text = useTool(files, call);
    messages.push({ role: "tool", text, toolCallId: call.id, kind: "observation", turn });
  }
  return { messages, answers, files, turns: mostTurns, isSubmitted: false };
}
