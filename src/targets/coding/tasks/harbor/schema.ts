import * as z from "zod";

const seconds = z.number().positive();
const variables = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String));
const networkMode = z.enum(["public", "no-network", "allowlist"]);

const user = z.union([z.string(), z.number()]).transform(String).optional();
const agent = z.looseObject({ timeout_sec: seconds.optional(), network_mode: networkMode.optional(), user });
const verifier = {
  env: variables.default({}),
  network_mode: networkMode.optional(),
  user,
  environment_mode: z.enum(["shared", "separate"]).optional(),
  environment: z.unknown().optional(),
  collect: z.array(z.unknown()).optional(),
};
const healthcheck = z
  .looseObject({
    command: z.string(),
    interval_sec: z.number().min(0).default(5),
    timeout_sec: seconds.default(30),
    start_period_sec: z.number().min(0).default(0),
    start_interval_sec: z.number().min(0).default(5),
    retries: z.int().positive().default(3),
  })
  .transform((given) => ({
    command: given.command,
    intervalS: given.interval_sec,
    timeoutS: given.timeout_sec,
    startPeriodS: given.start_period_sec,
    startIntervalS: given.start_interval_sec,
    retries: given.retries,
  }));
const mcpServer = z
  .looseObject({
    name: z.string(),
    transport: z.enum(["stdio", "sse", "streamable-http"]).default("sse"),
    url: z.string().optional(),
    command: z.string().optional(),
    args: z.array(z.string()).default([]),
    headers: variables.default({}),
  })
  .refine(({ transport, url, command }) => (transport === "stdio" ? command : url) !== undefined, {
    message: "a command where its transport is stdio, else a url",
  });

/** task.toml of Harbor, from version 1.0 on; what it has beyond this makes no difference here. */
export const harborSchema = z.looseObject({
  version: z.union([z.string(), z.number()]).optional(),
  schema_version: z.union([z.string(), z.number()]).optional(),
  task: z
    .looseObject({
      name: z.string().optional(),
      description: z.string().optional(),
      keywords: z.array(z.string()).optional(),
    })
    .optional(),
  metadata: z
    .looseObject({
      tags: z.array(z.string()).optional(),
      title: z.string().optional(),
      impossible: z.boolean().optional(),
    })
    .optional(),
  agent: agent.optional(),
  verifier: z.looseObject({ ...verifier, timeout_sec: seconds.default(600) }).prefault({}),
  environment: z
    .looseObject({
      docker_image: z.string().optional(),
      build_timeout_sec: seconds.optional(),
      cpus: z.number().positive().optional(),
      memory_mb: z.number().positive().optional(),
      storage_mb: z.number().positive().optional(),
      /** Of old files: "2G". */
      memory: z.string().optional(),
      storage: z.string().optional(),
      gpus: z.number().optional(),
      allow_internet: z.boolean().optional(),
      network_mode: networkMode.optional(),
      workdir: z.string().optional(),
      env: variables.default({}),
      os: z.string().optional(),
      skills_dir: z.string().optional(),
      healthcheck: healthcheck.optional(),
      mcp_servers: z.array(mcpServer).default([]),
    })
    .prefault({}),
  solution: z.looseObject({ env: variables.default({}) }).prefault({}),
  multi_step_reward_strategy: z.enum(["mean", "final"]).default("mean"),
  steps: z
    .array(
      z.looseObject({
        name: z.string().regex(/^[A-Za-z0-9][\w.-]*$/, "a folder's name"),
        agent: agent.optional(),
        verifier: z.looseObject({ ...verifier, timeout_sec: seconds.optional() }).prefault({}),
        min_reward: z
          .union([z.number().transform((reward) => ({ reward })), z.record(z.string(), z.number())])
          .default({}),
        healthcheck: healthcheck.optional(),
      }),
    )
    .min(1)
    .optional(),
});

export type HarborConfig = z.output<typeof harborSchema>;
