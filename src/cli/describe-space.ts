import type { Value } from "../core/params.ts";
import type { Distribution, SpaceParameter } from "../core/space.ts";

const MOST_VALUES = 8;

/** A searched parameter in words: what values it can take, and when it is there. */
export function describeParameter({ distribution, when, default: usual }: SpaceParameter): string {
  const parts = [describeDistribution(distribution)];
  if (usual !== undefined) parts.push(`usually ${shown(usual)}`);
  if (when !== undefined) parts.push(`when ${when}`);
  return parts.join("; ");
}

function describeDistribution(distribution: Distribution): string {
  switch (distribution.kind) {
    case "constant":
      return `always ${shown(distribution.value)}`;
    case "categorical": {
      const { values, probabilities } = distribution;
      const listed = values
        .slice(0, MOST_VALUES)
        .map((value, i) => shown(value) + (probabilities ? ` (${probabilities[i]})` : ""));
      const more = values.length > MOST_VALUES ? `, ... ${values.length} values in all` : "";
      return listed.join(", ") + more;
    }
    case "integer":
    case "uniform": {
      const { kind, min, max, scale, step } = distribution;
      const steps =
        kind === "integer" && step === 1 ? ", whole numbers" : step === undefined ? "" : `, step ${step}`;
      return `${min} to ${max}${steps}${scale === "linear" ? "" : `, ${scale} scale`}`;
    }
    case "normal": {
      const { mean, sd, scale, step } = distribution;
      const name = scale === "log" ? "log-normal" : "normal";
      return `${name}, mean ${mean}, sd ${sd}${step === undefined ? "" : `, step ${step}`}`;
    }
    case "beta": {
      const { a, b, step } = distribution;
      return `beta, a ${a}, b ${b}${step === undefined ? "" : `, step ${step}`}`;
    }
  }
}

function shown(value: Value): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
