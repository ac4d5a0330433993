import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../../../core/errors.ts";
import { suggestion } from "../../../../core/suggest.ts";
import { fileOfTask, repoPath } from "../read-file.ts";
import type { Grading, Rubric, TestScript } from "../task.ts";
import type { NamedOverrides } from "./overrides.ts";
import type { Evaluation } from "./schema.ts";

/** What tests without any rubric count for. */
const IMPLICIT: Rubric = { id: "tests", criterion: "All test scripts pass", weight: 1 };

/** How a task is graded: what the overrides say of it replaces all that tb_meta.json says. */
export function readGrading(
  dir: string,
  own: Evaluation | undefined,
  { overrides, file: overridesFile }: NamedOverrides,
): { grading: Grading; warnings: string[] } {
  const { rubrics, test_scripts } = overrides;
  const replaced: Evaluation | undefined =
    overrides.evaluation ?? (rubrics || test_scripts ? { rubrics, test_scripts } : undefined);
  const file = replaced ? overridesFile : join(dir, "tb_meta.json");
  const prefix = !replaced || overrides.evaluation ? "evaluation." : "";
  const evaluation: Evaluation = replaced ?? own ?? { rubrics: [], test_scripts: [] };
  const named = (evaluation.rubrics ?? []).map(({ id, criterion, weight }) => ({
    id,
    criterion: criterion ?? id,
    weight: weight ?? 1,
  }));
  checkRubrics(named, { file, path: `${prefix}rubrics` });
  const tests = (evaluation.test_scripts ?? []).map((script, index): TestScript => {
    const place = { file, path: `${prefix}test_scripts.${index}` };
    const path = repoPath(script.path, place);
    const rubricId = named.length === 0 ? IMPLICIT.id : (script.rubric_id ?? null);
    if (named.length > 0 && rubricId !== null && !named.some(({ id }) => id === rubricId))
      throw new UserError(`there is no rubric "${rubricId}"`, {
        place,
        remedy: suggestion(
          rubricId,
          named.map(({ id }) => id),
        ),
      });
    const content = script.content ?? contentOf(dir, path, place);
    return { path, rubricId, content, ...(script.answer != null && { answer: script.answer }) };
  });
  const warnings = tests
    .filter(({ rubricId }) => rubricId === null)
    .map(({ path }) => `the test ${path} belongs to no rubric, so it does not count for the score`);
  if (tests.length === 0) warnings.push("the task has no test script, so nothing of it can be scored");
  const metrics = metricsOf(dir, evaluation.metrics_script, { file, path: `${prefix}metrics_script` });
  return {
    grading: {
      rubrics: named.length === 0 && tests.length > 0 ? [IMPLICIT] : named,
      tests,
      files: metrics.files,
      mounts: {},
      env: {},
      verdict: "exit",
      metricsScript: metrics.path,
    },
    warnings,
  };
}

interface FilePlace {
  file: string;
  path: string;
}

function checkRubrics(rubrics: Rubric[], place: FilePlace): void {
  const ids = rubrics.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new UserError(`the rubric "${twice}" appears twice`, { place });
  if (rubrics.length > 0 && rubrics.every(({ weight }) => weight === 0))
    throw new UserError("no rubric has any weight", { place, remedy: "Give one a weight above 0." });
}

/** Of a script without its text: the file of that path in the task's folder, or in its repo/. */
function contentOf(dir: string, path: string, place: FilePlace): string {
  const found = [path, `repo/${path}`].find((name) => existsSync(join(dir, name)));
  if (found !== undefined) return readFileSync(fileOfTask(dir, found, place), "utf8");
  throw new UserError(`the test script ${path} has no content`, {
    place,
    remedy: `Write its "content", or put ${path} into the task's folder.`,
  });
}

function metricsOf(
  dir: string,
  given: Evaluation["metrics_script"],
  place: FilePlace,
): { path: string | null; files: Record<string, string> } {
  if (given === undefined) return { path: null, files: {} };
  const { path: name, content } = typeof given === "string" ? { path: given } : given;
  const path = repoPath(name, place);
  return { path, files: { [path]: content ?? contentOf(dir, path, place) } };
}
