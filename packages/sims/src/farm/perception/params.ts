import * as z from "zod";

export const radius = (value: number) =>
  z.int().min(0).max(100).default(value).describe("Cells from an agent to the side of its window");

export const perceptionParams = {
  num_agents: z.int().min(1).max(100_000).default(100).describe("Agents, who neither die nor are born here"),
  width: z.int().min(1).max(10_000).default(100).describe("Cells of the world from left to right"),
  height: z.int().min(1).max(10_000).default(100).describe("Cells from top to bottom"),
  steps: z.int().min(1).max(100_000).default(20).describe("Steps; in each all agents look"),
  radius: radius(5),
  fov_radius: z
    .number()
    .min(0)
    .max(200)
    .nullable()
    .default(null)
    .describe("How far an agent sees, in a circle within its window; null is `radius`"),
  device: z
    .literal("cpu", { error: "cpu, the only device that this target computes on" })
    .default("cpu")
    .describe("Where it is computed"),
};

/** Above this a run would ask for memory by the gigabyte, and fail without a word why. */
const MOST_BYTES = 4e9;

/** Says in time when the views of so many agents do not fit. */
export function checkViewBytes(bytes: number, ctx: z.RefinementCtx, path: string): void {
  if (bytes <= MOST_BYTES) return;
  const message = `fewer agents or a smaller radius: these views would take ${(bytes / 1e9).toFixed(1)} GB, of at most ${MOST_BYTES / 1e9}`;
  ctx.addIssue({ code: "custom", path: [path], message });
}
