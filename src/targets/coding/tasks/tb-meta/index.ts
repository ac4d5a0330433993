import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { UserError } from "../../../../core/errors.ts";
import { checkTask, parseText, readText } from "../read-file.ts";
import { solutionOf } from "../solution-of.ts";
import type { ReadOptions, RolloutTask, TaskReader } from "../task.ts";
import { readGrading } from "./grading.ts";
import { readOverlay } from "./overlay.ts";
import { type NamedOverrides, readOverrides } from "./overrides.ts";
import { metaSchema } from "./schema.ts";
import { readSource } from "./source.ts";

const META = "tb_meta.json";
const INSTRUCTIONS = "overlay_files/LM_INSTRUCTIONS.md";

export const tbMeta: TaskReader = {
  name: "tb-meta",
  description: "tb_meta.json, with overrides.json laid over it",
  looksFor: META,
  detects: (dir) => existsSync(join(dir, META)),
  read(dir, options: ReadOptions): RolloutTask {
    const full = resolve(dir);
    const file = join(full, META);
    const meta = checkTask(
      metaSchema,
      parseText(readText(full, META, "the task's facts"), file, JSON.parse),
      file,
    );
    const given = readOverrides(full, options);
    const { overrides } = given;
    const env = overrides.environment_variables ?? {};
    const seconds = Number(env.TIMEOUT_SEC);
    const { grading, warnings } = readGrading(full, meta.evaluation, given);
    const overlay = readOverlay(full, given);
    const url = meta.repo?.git_url?.trim();
    const isMoved = overrides.repo?.git_url !== undefined && overrides.repo.git_url !== url;
    const repo = { facts: isMoved ? overrides.repo! : { ...meta.repo, ...defined(overrides.repo) }, file };
    const source = readSource(full, repo);
    return {
      id: meta.task_id ?? basename(full),
      title: meta.metadata?.title ?? null,
      tags: meta.metadata?.tags ?? [],
      format: "tb-meta",
      dir: full,
      instruction: instructionOf(full, meta.lm?.instructions, given),
      source: source.source,
      overlay: overlay.overlay,
      env,
      grading,
      limits: seconds > 0 ? { agentMs: seconds * 1000 } : {},
      workDir: null,
      build: null,
      image: null,
      solution: solutionOf(full),
      ...((overrides.impossible ?? meta.metadata?.impossible) && { isImpossible: true }),
      warnings: [...given.warnings, ...source.warnings, ...overlay.warnings, ...warnings],
    };
  },
};

function defined<T extends object>(value: T | undefined): Partial<T> {
  return Object.fromEntries(
    Object.entries(value ?? {}).filter(([, item]) => item !== undefined),
  ) as Partial<T>;
}

/** An override goes first, then what tb_meta.json says, then the file that prepared tasks have. */
function instructionOf(dir: string, own: string | undefined, { overrides }: NamedOverrides): string {
  const beside = join(dir, INSTRUCTIONS);
  const texts = [
    overrides.prompt,
    overrides.lm_instructions,
    overrides.overlay_files?.["LM_INSTRUCTIONS.md"],
    own,
    existsSync(beside) ? readFileSync(beside, "utf8") : undefined,
  ];
  const found = texts.find((text) => text !== undefined && text.trim() !== "");
  if (found !== undefined) return found;
  throw new UserError("the task tells the agent nothing", {
    place: { file: join(dir, META), path: "lm.instructions" },
    expected: "a text",
    remedy: 'Write "lm": {"instructions": "..."}, or a prompt into overrides.json.',
  });
}
