import { appendFileSync } from "node:fs";
import type { Redactor } from "../../core/redact.ts";
import type { Model, ModelAnswer } from "../model.ts";
import { type PlainRequest, plainRequest, requestKey } from "./request-key.ts";

/**
 * Which try at which run asks. Runs of several arms, and tries at one run, may ask the same and be answered
 * differently: a model need not say the same thing twice.
 */
export interface Asker {
  run: string;
  attempt: string;
}

/** One line of a recording. `run` and `attempt` are absent where nobody said who asks. */
export interface Exchange extends Partial<Asker> {
  key: string;
  model: string;
  contextTokens: number | null;
  request: PlainRequest;
  answer: Omit<ModelAnswer, "wallMs" | "tries">;
}

/** A model whose calls are also written down, without keys, for `replay:FILE`. Failed calls are not: they are no answers. */
export function recordModel(
  model: Model,
  { path, redactor, asker }: { path: string; redactor: Redactor; asker?: Asker | undefined },
): Model {
  return {
    ...model,
    async complete(request) {
      const { tries, wallMs, ...answer } = await model.complete(request);
      const plain = plainRequest(request, redactor);
      const { name, contextTokens } = model;
      const exchange: Exchange = {
        key: requestKey(plain),
        ...asker,
        model: name,
        contextTokens,
        request: plain,
        answer,
      };
      // One write a line, so that lines of several threads do not mix.
      appendFileSync(path, `${redactor.toJson(exchange)}\n`);
      return { ...answer, tries, wallMs };
    },
  };
}
