import { errorText, UserError } from "../../core/errors.ts";
import type { Redactor } from "../../core/redact.ts";
import { readText } from "../../host/files.ts";
import { type Model, ModelError } from "../model.ts";
import { type CountText, countPrompt } from "../tokens.ts";
import type { Exchange } from "./record-model.ts";
import { plainRequest, requestKey } from "./request-key.ts";

/** Beyond this a text has no room in one string. */
const MOST_BYTES = 400_000_000;

interface Replay {
  path: string;
  count: CountText;
  redactor: Redactor;
  /** Whose calls are replayed; of whoever made them where absent. */
  run?: string | undefined;
}

/**
 * Answers as a recording does: with what the same run was answered, in the last of its tries that were recorded. A
 * request that was made several times gets its answers in their order, then the last again.
 */
export function createReplayModel({ path, count, redactor, run }: Replay): Model {
  const all = readRecording(path);
  const own = ownExchanges(all, run);
  const byKey = new Map<string, Exchange[]>();
  for (const exchange of own) byKey.set(exchange.key, [...(byKey.get(exchange.key) ?? []), exchange]);
  const used = new Map<string, number>();
  return {
    name: own[0]?.model ?? `replay:${path}`,
    contextTokens: own[0]?.contextTokens ?? null,
    countTokens: (messages, tools) => countPrompt(count, messages, tools),
    async complete(request) {
      request.signal.throwIfAborted();
      const key = requestKey(plainRequest(request, redactor));
      const answers = byKey.get(key);
      const what = `this request (${request.purpose}, seed ${request.seed}, ${request.messages.length} messages, ${key})`;
      if (!answers) {
        const isOthers = all.some((exchange) => exchange.key === key);
        const why = isOthers
          ? "other runs made it, with other parameters or another repeat"
          : "it was recorded with another prompt, model setting or version";
        throw new ModelError("recording", `${path} has no answer to ${what}: ${why}. Record it again.`);
      }
      const models = [...new Set(answers.map(({ model }) => model))];
      if (models.length > 1)
        throw new ModelError(
          "recording",
          `${path} has answers of several models to ${what}: ${models.join(", ")}. Record each model into its own file.`,
        );
      const at = used.get(key) ?? 0;
      used.set(key, at + 1);
      return { ...structuredClone(answers[Math.min(at, answers.length - 1)]!.answer), tries: 1, wallMs: 0 };
    },
  };
}

function ownExchanges(all: readonly Exchange[], run: string | undefined): readonly Exchange[] {
  if (run === undefined) return all;
  const own = all.filter((exchange) => exchange.run === undefined || exchange.run === run);
  const attempt = own.findLast((exchange) => exchange.run === run)?.attempt;
  return own.filter((exchange) => exchange.run === undefined || exchange.attempt === attempt);
}

function readRecording(path: string): Exchange[] {
  const lines = recordedText(path).split("\n");
  return lines.flatMap((line, i) => {
    if (line.trim() === "") return [];
    try {
      const exchange = JSON.parse(line) as Exchange;
      if (typeof exchange.key === "string" && exchange.answer?.message) return [exchange];
    } catch {
      // Said below.
    }
    throw new UserError("this line is not a recorded call", {
      place: { file: path, line: i + 1 },
      remedy: "Take the line out, or record again.",
    });
  });
}

function recordedText(path: string): string {
  try {
    return readText(path, { mostBytes: MOST_BYTES });
  } catch (error) {
    throw new UserError(`the recording can't be read (${errorText(error)})`, { place: { file: path } });
  }
}
