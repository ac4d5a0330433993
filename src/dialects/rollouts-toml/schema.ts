import * as z from "zod";
import { jsonValue, late } from "../check-shape.ts";
import { duration } from "../quantities.ts";

const text = z.string().min(1);

/** What a rollouts file says: the keys of its page, and those that are ours. */
export const rolloutsSchema = late(() => {
  const word = z.union([z.string(), z.number().transform(String)]);
  const words = z.array(z.union([word, z.array(word).min(1)])).min(1);
  const environment = z
    .record(text, z.union([z.string(), z.number(), z.boolean()]).transform(String))
    .refine((variables) => Object.keys(variables).every((name) => /^[A-Za-z_]\w*$/.test(name)), {
      error: "names of environment variables, such as TIMEOUT_SEC",
    });
  const agent = z.union(
    [
      text,
      words,
      z.strictObject({ name: text, command: words, env: environment.optional() }),
      z.strictObject({
        ...{ preset: text, name: text.optional(), home: text.optional(), version: text.optional() },
        args: z.array(word).optional(),
      }),
    ],
    {
      error:
        'an agent\'s name such as "claude", a command such as ["sh", "agent.sh", "${prompt_file}"], {name, command}, or {preset, args, home, version}',
    },
  );
  const task = z.strictObject({
    prepared_dir: text.transform((path) => path.replace(/(?<=.)\/+$/, "")),
    model: z.string().default(""),
    agent: agent.optional(),
    rollouts: z.int().positive().max(100_000).default(1),
    apply_overrides: z.boolean().default(true),
    overrides: z.string().default(""),
    environment_variables: environment.default({}),
  });
  return z.strictObject({
    name: text.optional(),
    parallel: z.int().positive().default(1),
    agent: agent.optional(),
    agent_options: z.record(text, jsonValue).optional(),
    sandbox: text.optional(),
    network: z.union([z.literal("models"), z.boolean()]).optional(),
    grade_network: z.boolean().optional(),
    build_network: z.boolean().optional(),
    memory_mb: z.int().positive().optional(),
    disk_mb: z.int().positive().optional(),
    judge: text.optional(),
    judge_repeats: z.int().positive().optional(),
    timeout: duration("Longest time for one agent, such as 30m.").optional(),
    max_cost: z.number().positive().optional(),
    max_study_calls: z.int().positive().optional(),
    max_study_tokens: z.int().positive().optional(),
    max_time: duration("Longest time for one launch, such as 8h.").optional(),
    calls_per_minute: z.int().positive().optional(),
    calls_at_once: z.int().positive().optional(),
    max_calls: z.int().positive().optional(),
    max_tokens: z.int().positive().optional(),
    max_cost_usd: z.number().positive().optional(),
    prices: text.optional(),
    tasks: z.array(task).min(1),
  });
});

export type RolloutsFile = z.output<ReturnType<typeof rolloutsSchema>>;
