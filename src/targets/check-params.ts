import { type Place, UserError } from "../core/errors.ts";
import { clearestIssue, explainIssue, shownValue } from "../core/explain-issue.ts";
import type { Params } from "../core/params.ts";
import { suggestion } from "../core/suggest.ts";
import type { Target } from "./target.ts";

/**
 * The parameters as the target wants them, defaults filled in; a wrong one is named with what it should be.
 * `place` tells where a parameter was set.
 */
export function checkParams(
  target: Target,
  params: Params,
  place: (param: string) => Place = () => ({}),
): unknown {
  const result = target.params.safeParse(params);
  if (result.success) return result.data;
  const issue = clearestIssue(result.error.issues)!;
  if (issue.code === "unrecognized_keys") {
    const path = [...issue.path, issue.keys[0]!];
    throw new UserError(`target ${target.name} has no parameter "${path.join(".")}"`, {
      place: place(String(path[0])),
      remedy: suggestion(issue.keys[0]!, parameterNames(target)),
    });
  }
  let got: unknown = params;
  for (const key of issue.path) got = (got as Record<PropertyKey, unknown> | undefined)?.[key];
  throw new UserError(`parameter ${issue.path.join(".") || "(all)"} of target ${target.name}`, {
    place: place(String(issue.path[0] ?? "")),
    expected: explainIssue(issue),
    got: got === undefined ? "nothing" : shownValue(got),
    remedy: `See \`assay list ${target.name}\`.`,
  });
}

function parameterNames(target: Target): string[] {
  const shape = (target.params as { shape?: Record<string, unknown> }).shape;
  return shape ? Object.keys(shape) : [];
}
