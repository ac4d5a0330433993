import * as z from "zod";

const seconds = z.number().positive();
const variables = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String));
const networkMode = z.enum(["public", "no-network", "allowlist"]);

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
  metadata: z.looseObject({ tags: z.array(z.string()).optional(), title: z.string().optional() }).optional(),
  agent: z.looseObject({ timeout_sec: seconds.optional(), network_mode: networkMode.optional() }).optional(),
  verifier: z.looseObject({ timeout_sec: seconds.default(600), env: variables.default({}) }).prefault({}),
  environment: z
    .looseObject({
      docker_image: z.string().optional(),
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
      mcp_servers: z.array(z.unknown()).optional(),
    })
    .prefault({}),
  solution: z.looseObject({ env: variables.default({}) }).prefault({}),
  steps: z.array(z.unknown()).optional(),
});

export type HarborConfig = z.output<typeof harborSchema>;
