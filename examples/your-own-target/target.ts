import { defineTarget, RandomStream, z } from "assay/plugin";

/** How soon an agent answers when it asks several workers and takes the first answer. */
export default defineTarget({
  name: "race",
  description: "the fastest of several workers with exponential service times",
  params: z.strictObject({
    workers: z.int().min(1).default(1).describe("Workers asked at once"),
    mean_ms: z.number().positive().default(200).describe("Mean service time of one worker"),
    questions: z.int().min(1).default(100).describe("Questions in one run"),
  }),
  metrics: {
    answer_ms: { unit: "ms", direction: "minimize", description: "Mean time to the first answer" },
    calls: { unit: "1", direction: "minimize", description: "Workers asked in all" },
  },
  run({ params, seed, series }) {
    const { workers, mean_ms, questions } = params;
    // A number depends on the seed and on (question, worker) alone: arms with the same seed are paired.
    const stream = new RandomStream(seed, "service");
    let total = 0;
    for (let question = 0; question < questions; question++) {
      let first = Number.POSITIVE_INFINITY;
      for (let worker = 0; worker < workers; worker++) {
        first = Math.min(first, -mean_ms * Math.log(stream.uniform(question, worker)));
      }
      total += first;
      series({ step: question, answer_ms: first });
    }
    return { answer_ms: total / questions, calls: workers * questions };
  },
});
