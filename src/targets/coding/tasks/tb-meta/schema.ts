import * as z from "zod";

const text = z.string();
const optional = <S extends z.ZodType>(schema: S) =>
  schema.nullish().transform((value) => value ?? undefined);
/** Numbers and truths become texts, as a shell has them. */
const variable = z.union([text, z.number(), z.boolean()]).transform(String);

const rubric = z.looseObject({
  id: z.union([text.min(1), z.number()]).transform(String),
  criterion: optional(text),
  weight: optional(z.number().min(0)),
});

const testScript = z.looseObject({
  path: text.min(1),
  rubric_id: optional(z.union([text, z.number()]).transform(String)),
  content: optional(text),
  /** Ours: what the script must report, by \`.assay/proof.mjs\` or \`.assay/proof.sh\`. */
  answer: z.unknown().optional(),
});

const evaluationSchema = z.looseObject({
  rubrics: optional(z.array(rubric)),
  test_scripts: optional(z.array(testScript)),
  /** Ours: a script that prints one JSON object of numbers. */
  metrics_script: optional(
    z.union([text.min(1), z.looseObject({ path: text.min(1), content: optional(text) })]),
  ),
});

const repoSchema = z.looseObject({
  git_url: optional(text),
  branch: optional(text),
  start_commit_sha: optional(text),
  subdir: optional(text),
  sparse_checkout: optional(z.union([z.array(text), text, z.boolean()])),
});

export const metaSchema = z.looseObject({
  task_id: optional(z.union([text.min(1), z.number()]).transform(String)),
  metadata: optional(
    z.looseObject({
      title: optional(text),
      tags: optional(z.array(text)),
      impossible: optional(z.boolean()),
    }),
  ),
  repo: optional(repoSchema),
  lm: optional(z.looseObject({ instructions: optional(text) })),
  evaluation: optional(evaluationSchema),
});

const paths = z.record(text, text);

/** What of overrides.json is understood; anything else there is a warning. */
export const overridesSchema = z.looseObject({
  prompt: optional(text),
  lm_instructions: optional(text),
  overlay_files: optional(paths),
  overlay_repo_files: optional(paths),
  remove_repo_paths: optional(z.array(text)),
  inject_files: optional(
    z.union([
      paths,
      z.array(
        z.union([text, z.looseObject({ path: text, source: optional(text), content: optional(text) })], {
          error: "paths, or {path, source} or {path, content}",
        }),
      ),
    ]),
  ),
  environment_variables: optional(z.record(text, variable)),
  evaluation: optional(evaluationSchema),
  rubrics: optional(z.array(rubric)),
  test_scripts: optional(z.array(testScript)),
  repo: optional(repoSchema),
  impossible: optional(z.boolean()),
});

export type Overrides = Partial<z.output<typeof overridesSchema>>;
export type Evaluation = Partial<z.output<typeof evaluationSchema>>;
export type RepoFacts = Partial<z.output<typeof repoSchema>>;
