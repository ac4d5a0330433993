import { defineTarget, RandomStream, z } from "assay/plugin";

/** The Branin function, a common test of searches: three minima of 0.397887, at (-pi, 12.275), (pi, 2.275), (3 pi, 2.475). */
export default defineTarget({
  name: "branin",
  description: "Branin's test function, with noise on request",
  params: z.strictObject({
    x1: z.number().min(-5).max(10),
    x2: z.number().min(0).max(15),
    noise: z.number().min(0).default(0).describe("Standard deviation, roughly normal"),
  }),
  metrics: { value: { unit: "1", direction: "minimize", description: "What is to be made small" } },
  run({ params: { x1, x2, noise }, seed }) {
    const bend = x2 - (5.1 / (4 * Math.PI ** 2)) * x1 ** 2 + (5 / Math.PI) * x1 - 6;
    const value = bend ** 2 + 10 * (1 - 1 / (8 * Math.PI)) * Math.cos(x1) + 10;
    const stream = new RandomStream(seed, "noise");
    let deviation = -6;
    for (let i = 0; i < 12; i++) deviation += stream.uniform(i);
    return { value: value + noise * deviation };
  },
});
