import { readFileSync } from "node:fs";
import { errorText, UserError } from "../../core/errors.ts";
import type { Redactor } from "../../core/redact.ts";
import { type Model, ModelError } from "../model.ts";
import { type CountText, countPrompt } from "../tokens.ts";
import type { Exchange } from "./record-model.ts";
import { plainRequest, requestKey } from "./request-key.ts";

interface Replay {
  path: string;
  count: CountText;
  redactor: Redactor;
}

/** Answers as a recording does. A request that was made several times gets its answers in their order, then the last again. */
export function createReplayModel({ path, count, redactor }: Replay): Model {
  const exchanges = readRecording(path);
  const byKey = new Map<string, Exchange[]>();
  for (const exchange of exchanges) byKey.set(exchange.key, [...(byKey.get(exchange.key) ?? []), exchange]);
  const used = new Map<string, number>();
  return {
    name: exchanges[0]?.model ?? `replay:${path}`,
    contextTokens: exchanges[0]?.contextTokens ?? null,
    countTokens: (messages, tools) => countPrompt(count, messages, tools),
    async complete(request) {
      request.signal.throwIfAborted();
      const plain = plainRequest(request, redactor);
      const key = requestKey(plain);
      const answers = byKey.get(key);
      if (!answers)
        throw new ModelError(
          "refused",
          `${path} has no answer to this request (${request.purpose}, seed ${request.seed}, ${request.messages.length} messages, ${key}): it was recorded with another prompt, model setting or version. Record it again.`,
        );
      const at = used.get(key) ?? 0;
      used.set(key, at + 1);
      return { ...structuredClone(answers[Math.min(at, answers.length - 1)]!.answer), tries: 1, wallMs: 0 };
    },
  };
}

function readRecording(path: string): Exchange[] {
  const lines = readText(path).split("\n");
  return lines.flatMap((line, i) => {
    if (line.trim() === "") return [];
    try {
      const exchange = JSON.parse(line) as Exchange;
      if (typeof exchange.key === "string" && exchange.answer?.message) return [exchange];
    } catch {
      // Said below.
    }
    throw new UserError("this line is no recorded call", {
      place: { file: path, line: i + 1 },
      remedy: "Take the line out, or record again.",
    });
  });
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UserError(`the recording can't be read (${errorText(error)})`, { place: { file: path } });
  }
}
