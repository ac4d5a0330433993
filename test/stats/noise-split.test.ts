import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { RandomStream } from "../../src/core/random.ts";
import { type NoiseErrors, noiseSplit, noiseWith } from "../../src/stats/power/nested.ts";
import { type Moments, moments } from "../../src/stats/summaries/moments.ts";
import { outsideFiles } from "../support/outside-files.ts";
import { answer } from "./answer.ts";

describe("where the noise of a mean over tasks comes from", () => {
  test("by hand: two tasks with two samples each", () => {
    const tasks = [
      [1, 3],
      [5, 9],
    ].map(moments);
    // Variances 2 and 8 within; task means 2 and 7, of variance 12.5; the samples add (2 + 8) / 2 / 2 to it.
    const split = answer(noiseSplit(tasks));
    expect(split).toMatchObject({ tasks: 2, predictionVariance: 5, dataVariance: 10 });
    expect(split.errors).toEqual({ data: Math.sqrt(5), prediction: Math.sqrt(1.25), both: Math.sqrt(6.25) });
    expect(noiseWith(split, 10, 5)).toEqual({ data: 1, prediction: Math.sqrt(0.1), both: Math.sqrt(1.1) });
  });

  test("of a difference both arms' samples count, and what tasks share cancels", () => {
    const first = [
      [1, 3],
      [11, 13],
      [21, 23],
    ].map(moments);
    const second = [
      [0, 4],
      [10, 14],
      [20, 24],
    ].map(moments);
    const split = answer(noiseSplit(first, second));
    expect(split.predictionVariance).toBe(2 + 8);
    expect(split.dataVariance).toBe(0 - (2 + 8) / 2);
    expect(split.errors.data).toBe(0);
  });

  test("one sample of each task can't be split, nor can one task", () => {
    expect(noiseSplit([moments([1]), moments([2])])).toMatchObject({
      why: expect.stringContaining("tried once"),
    });
    expect(noiseSplit([moments([1, 2])])).toMatchObject({ why: expect.stringContaining("1 task") });
  });

  test("both parts are without bias at three samples of few tasks", () => {
    const uniform = new RandomStream(1, "noise split").sequence();
    const totals = { data: 0, prediction: 0 };
    const studies = 3000;
    for (let i = 0; i < studies; i++) {
      const tasks = Array.from({ length: 8 }, () => {
        const rate = uniform();
        return moments(Array.from({ length: 3 }, () => (uniform() < rate ? 1 : 0)));
      });
      const split = answer(noiseSplit(tasks));
      totals.data += split.dataVariance / studies;
      totals.prediction += split.predictionVariance / studies;
    }
    // Rates are uniform: their variance is 1/12, and p (1 − p) is 1/6 on average.
    expect(totals.data).toBeCloseTo(1 / 12, 2);
    expect(totals.prediction).toBeCloseTo(1 / 6, 2);
  });
});

const outcomes = outsideFiles("outcomes");
test.skipIf(!outcomes.isHere)(
  `the published means of 50 models on 30 questions come out to 1 %${outcomes.note}`,
  () => {
    const models = new Map<string, Moments[]>();
    const [, ...rows] = readFileSync(outcomes.path("aime2024-many-samples.csv"), "utf8").trim().split("\n");
    for (const row of rows) {
      const [model, question, samples, correct] = row.split(",");
      const [n, mean] = [Number(samples), Number(correct) / Number(samples)];
      const tasks = models.get(model!) ?? [];
      tasks[Number(question)] = { n, mean, variance: (mean * (1 - mean) * n) / (n - 1) };
      models.set(model!, tasks);
    }
    const accuracy = (tasks: Moments[]) => tasks.reduce((sum, { mean }) => sum + mean, 0) / tasks.length;
    const chosen = [...models.values()].filter((tasks) => accuracy(tasks) > 0.1 && accuracy(tasks) < 0.9);
    expect(chosen).toHaveLength(15);
    const pairs = chosen.flatMap((a, i) => chosen.slice(i + 1).map((b) => [a, b] as const));
    const close = pairs.filter(([a, b]) => Math.abs(accuracy(a) - accuracy(b)) < 0.2);

    expectMeans(
      chosen.map((tasks) => published(tasks)),
      { both: 0.075766, data: 0.057016, prediction: 0.04978 },
    );
    expectMeans(
      close.map(([a, b]) => published(a, b)),
      { both: 0.0805, data: 0.0374, prediction: 0.0706 },
    );
  },
);

/** With one sample of each question; the published figures divide by the number of questions, ours by one less. */
function published(first: Moments[], second?: Moments[]): NoiseErrors {
  const split = answer(noiseSplit(first, second));
  const { tasks, dataVariance } = split;
  return noiseWith({ ...split, dataVariance: (dataVariance * (tasks - 1)) / tasks }, tasks, 1);
}

function expectMeans(all: NoiseErrors[], means: NoiseErrors): void {
  for (const key of ["both", "data", "prediction"] as const) {
    const mean = all.reduce((sum, errors) => sum + errors[key], 0) / all.length;
    expect(Math.abs(mean / means[key] - 1), `${key}: ${mean}`).toBeLessThan(0.01);
  }
}
