import * as z from "zod";

/** Every parameter of the world. Energy and resources are whole numbers, so that sums are exact. */
export const worldSchema = z.strictObject({
  num_agents: z.int().min(0).max(1_000_000).default(100).describe("Agents at the start"),
  max_agents: z
    .int()
    .min(1)
    .max(4_000_000)
    .nullable()
    .default(null)
    .describe("Agents at most, nobody is born beyond; null is four times num_agents"),
  width: z.int().min(1).max(10_000).default(100).describe("Cells of the world from left to right"),
  height: z.int().min(1).max(10_000).default(100).describe("Cells from top to bottom"),
  view_radius: z.int().min(0).max(50).default(5).describe("Cells that an agent sees in each direction"),
  wander: z.number().min(0).max(1).default(0.1).describe("Probability of a random move"),
  patches: z.int().min(1).max(10_000).default(24).describe("Fertile places of the world"),
  patch_radius: z.int().min(1).max(1_000).default(12).describe("How far a fertile place reaches, in cells"),
  resource_max: z.int().min(1).max(65_535).default(40).describe("What the most fertile cell can hold"),
  regrow_amount: z.int().min(0).max(65_535).default(4).describe("What a cell gains when it regrows ..."),
  regrow_period: z.int().min(1).max(10_000).default(80).describe("... which it does every so many steps"),
  bite: z.int().min(0).max(65_535).default(12).describe("What an agent gathers in a step at most"),
  initial_energy: z.int().min(1).max(1_000_000).default(60).describe("Energy of the first agents"),
  metabolism: z.int().min(0).max(10_000).default(2).describe("Energy that a step costs"),
  move_cost: z.int().min(0).max(10_000).default(1).describe("Energy that a move costs besides"),
  reproduce_energy: z
    .int()
    .min(2)
    .max(1_000_000)
    .default(110)
    .describe("Energy with which an agent has a child, which gets half of it"),
  max_age: z.int().min(1).max(1_000_000_000).default(400).describe("Steps after which an agent dies"),
});

export type WorldParams = z.output<typeof worldSchema>;
export type WorldInput = z.input<typeof worldSchema>;
