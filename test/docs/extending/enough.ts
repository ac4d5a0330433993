import * as z from "zod";
import { random } from "../../../src/search/searchers/random.ts";
import type { Searcher } from "../../../src/search/searchers/searcher.ts";

/** Random draws until one is good enough. */
export const enough: Searcher<{ loss: number }> = {
  name: "enough",
  description: "random draws until a point's loss is small enough",
  options: z.strictObject({ loss: z.number() }),
  ask(history, count, problem) {
    const isReached = history.some(
      ({ state, values }) => state === "ok" && values[0]! <= problem.options.loss,
    );
    return isReached ? [] : random.ask(history, count, problem);
  },
};
