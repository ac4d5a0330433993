import { UserError } from "../core/errors.ts";
import type { Params } from "../core/params.ts";
import { suggestion } from "../core/suggest.ts";
import type { Target } from "./target.ts";

/** The parameters as the target wants them, defaults filled in; a wrong one is named with what it should be. */
export function checkParams(target: Target, params: Params): unknown {
  const result = target.params.safeParse(params);
  if (result.success) return result.data;
  // A misspelt name often shows as a missing one too: the spelling is the better hint.
  const { issues } = result.error;
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0]!;
  if (issue.code === "unrecognized_keys") {
    const key = issue.keys[0]!;
    throw new UserError(`target ${target.name} has no parameter "${[...issue.path, key].join(".")}"`, {
      remedy: suggestion(key, parameterNames(target)),
    });
  }
  let got: unknown = params;
  for (const key of issue.path) got = (got as Record<PropertyKey, unknown> | undefined)?.[key];
  throw new UserError(`parameter ${issue.path.join(".") || "(all)"} of target ${target.name}`, {
    expected: issue.message.replace(/^Invalid (input|option): expected |, received .*$/g, ""),
    got: got === undefined ? "nothing" : JSON.stringify(got).slice(0, 80),
    remedy: `See \`assay list ${target.name}\`.`,
  });
}

export function parameterNames(target: Target): string[] {
  const shape = (target.params as { shape?: Record<string, unknown> }).shape;
  return shape ? Object.keys(shape) : [];
}
