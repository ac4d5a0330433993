import * as z from "zod";
import { PROFILE_NAMES } from "../database/pragmas.ts";
import { worldSchema } from "../world/params.ts";

export const MODES = ["disk", "memory", "persisted"] as const;
export type Mode = (typeof MODES)[number];

const chosenSchema = z.strictObject({
  test_disk_based: z.boolean().default(true).describe("Log to a database on the disk"),
  test_in_memory: z.boolean().default(true).describe("Log to a database in memory, which is then gone"),
  test_persistence: z
    .boolean()
    .default(true)
    .describe("Log to one in memory, and write it to the disk at the end"),
});

export const paramsSchema = z
  .strictObject({
    num_agents: worldSchema.shape.num_agents,
    num_steps: z.int().min(1).max(1_000_000).default(100).describe("Steps of the world, each of them logged"),
    mode: z
      .enum(["all", ...MODES])
      .default("all")
      .describe("One way to log, so that arms can be compared; all: those of `parameters`, in turn"),
    parameters: chosenSchema
      .default(chosenSchema.parse({}))
      .describe("Which ways are tried in one iteration"),
    flush_every: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(10)
      .describe("Steps that are written in one transaction"),
    resources_every: z
      .int()
      .min(0)
      .max(1_000_000)
      .default(10)
      .describe("Steps after which all cells are logged too; 0 is never"),
    profile: z.enum(PROFILE_NAMES).default("balanced").describe("Settings of the database on the disk"),
    verify: z.boolean().default(true).describe("Read every row back and compare it with what was logged"),
    keep_database: z
      .boolean()
      .default(false)
      .describe("Leave the last database as simulation.db in the run's folder"),
    world: worldSchema
      .omit({ num_agents: true })
      .prefault({})
      .describe("The world itself, such as {width: 200, height: 200}; docs/farm.md lists all"),
  })
  .superRefine(({ mode, parameters }, ctx) => {
    if (mode !== "all" || Object.values(parameters).includes(true)) return;
    ctx.addIssue({ code: "custom", path: ["parameters"], message: "at least one way to log that is true" });
  });

export type MemoryDbParams = z.output<typeof paramsSchema>;

export function modesOf({ mode, parameters }: MemoryDbParams): Mode[] {
  if (mode !== "all") return [mode];
  const chosen: Record<Mode, boolean> = {
    disk: parameters.test_disk_based,
    memory: parameters.test_in_memory,
    persisted: parameters.test_persistence,
  };
  return MODES.filter((name) => chosen[name]);
}
