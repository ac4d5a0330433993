import { UserError } from "../../core/errors.ts";
import { shownValue } from "../../core/explain-issue.ts";
import { suggestion } from "../../core/suggest.ts";
import type { ResolvedFile } from "./resolve-scalars.ts";

type Config = Record<string, unknown>;
type Path = (string | number)[];

/** Which keys each distribution takes beside `distribution` itself; those with `!` must be there. */
const KEYS: Record<string, string[]> = {
  constant: ["value!"],
  categorical: ["values!", "probabilities"],
  categorical_w_probabilities: ["values!", "probabilities!"],
  int_uniform: ["min!", "max!"],
  uniform: ["min!", "max!"],
  q_uniform: ["min!", "max!", "q"],
  log_uniform: ["min!", "max!"],
  log_uniform_values: ["min!", "max!"],
  inv_log_uniform: ["min!", "max!"],
  inv_log_uniform_values: ["min!", "max!"],
  q_log_uniform: ["min!", "max!", "q"],
  q_log_uniform_values: ["min!", "max!", "q"],
  normal: ["mu", "sigma"],
  log_normal: ["mu", "sigma"],
  q_normal: ["mu", "sigma", "q"],
  q_log_normal: ["mu", "sigma", "q"],
  beta: ["a", "b"],
  q_beta: ["a", "b", "q"],
};

export const GRID_DISTRIBUTIONS = ["categorical", "constant", "int_uniform", "q_uniform"];

/** The distribution that is stated, or that follows from the keys. */
export function nameOf(config: Config, path: Path, file: ResolvedFile): string {
  const stated = config.distribution;
  if (stated !== undefined) {
    if (typeof stated === "string" && Object.hasOwn(KEYS, stated)) return stated;
    throw new UserError(`unknown distribution ${shownValue(stated)}`, {
      place: file.locate([...path, "distribution"]),
      remedy: suggestion(String(stated), Object.keys(KEYS)),
    });
  }
  if ("value" in config) return "constant";
  if ("values" in config) return "categorical";
  if ("min" in config && "max" in config) {
    const isWhole = (key: string) => Number.isInteger(config[key]) && !file.isFloat([...path, key]);
    return isWhole("min") && isWhole("max") ? "int_uniform" : "uniform";
  }
  const stray = Object.keys(config).find((key) => !ALL_KEYS.includes(key));
  throw new UserError(stray === undefined ? "" : `unknown key "${stray}"`, {
    place: file.locate(stray === undefined ? path : [...path, stray]),
    ...(stray === undefined && {
      expected: "value, values, min and max, distribution, or nested parameters",
      got: Object.keys(config).join(", ") || "nothing",
    }),
    ...(stray !== undefined && { remedy: suggestion(stray, ALL_KEYS) }),
  });
}

const ALL_KEYS = [
  ...new Set(Object.values(KEYS).flatMap((keys) => keys.map((key) => key.replace("!", "")))),
  "distribution",
  "parameters",
];

export interface At {
  name: string;
  path: Path;
  file: ResolvedFile;
}

/** Nothing but what the distribution takes, and all that it needs. */
export function checkKeys(config: Config, { name, path, file }: At): void {
  const allowed = KEYS[name]!.map((key) => key.replace("!", ""));
  const stray = Object.keys(config).find((key) => key !== "distribution" && !allowed.includes(key));
  if (stray !== undefined) {
    const isElsewhere = ALL_KEYS.includes(stray);
    throw new UserError(isElsewhere ? `"${stray}" has no place in ${name}` : `unknown key "${stray}"`, {
      place: file.locate([...path, stray]),
      remedy: isElsewhere
        ? `It takes ${allowed.join(", ")}. Leave ${stray} out, or state another distribution.`
        : suggestion(stray, [...allowed, "distribution"]),
    });
  }
  const missing = KEYS[name]!.find((key) => key.endsWith("!") && !(key.slice(0, -1) in config));
  if (missing !== undefined) {
    throw new UserError("", {
      place: file.locate(path),
      expected: `${missing.slice(0, -1)}, which ${name} needs`,
      got: Object.keys(config).join(", "),
    });
  }
}
