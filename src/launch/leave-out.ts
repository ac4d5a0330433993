import { placeText } from "../core/errors.ts";
import type { Params } from "../core/params.ts";
import type { Axis, DeclaredStudy } from "../core/study.ts";
import type { Warning } from "../core/warning.ts";
import type { Places } from "../dialects/places.ts";
import type { Target } from "../targets/target.ts";

/** What a page of additional parameters is nested below. */
const NESTED = "parameters";

/** Parameters that earlier versions of the original framework had, and that not every experiment has today. */
const EARLIER = ["buffer_sizes", "use_in_memory_db", "observation_radius", "steps"];

interface ObjectSchema {
  _zod?: {
    def: {
      innerType?: ObjectSchema;
      shape?: Record<string, ObjectSchema>;
      catchall?: { _zod: { def: { type: string } } };
    };
  };
}

/**
 * A spec without what has no effect: entries of its free-form `parameters` that the target does not have, and parameters of
 * earlier versions. Each is told with its line. Any other name that the target does not have stays, and is a mistake.
 */
export function leaveOut(
  study: DeclaredStudy,
  target: Target | undefined,
  places: Places,
): { params: Params; axes: Axis[]; warnings: Warning[] } {
  const { params, axes } = study;
  const names = namesOf(target?.params as ObjectSchema | undefined);
  if (!study.open?.lists || !target || !names) return { params, axes, warnings: [] };
  const warnings: Warning[] = [];
  const tell = (place: string, name: string) => {
    const text = `${place}: has no effect: ${target.name} has no parameter "${name}"`;
    warnings.push({ kind: "left-out", level: "warn", text });
  };
  const isEarlier = (name: string) => EARLIER.includes(name) && !names.has(name);
  const kept: Params = {};
  for (const [name, value] of Object.entries(params)) {
    if (isEarlier(name)) tell(placeText(places.param(name)), name);
    else if (name === NESTED && typeof value === "object" && value !== null && !Array.isArray(value)) {
      const own = names.get(NESTED);
      const inner = own ? namesOf(own) : names;
      const entries = Object.entries(value).filter(([key]) => {
        if (!inner || inner.has(key)) return true;
        tell(placeText(places.at(["params", NESTED, key])), key);
        return false;
      });
      if (own || entries.length > 0) kept[name] = Object.fromEntries(entries);
    } else kept[name] = value;
  }
  const left = axes.filter(({ names: [name] }) => {
    const isLeftOut = isEarlier(name!);
    if (isLeftOut) tell(placeText(places.param(name!)), name!);
    return !isLeftOut;
  });
  return { params: kept, axes: left, warnings };
}

/** The names that a schema has; undefined where it takes others, too. */
function namesOf(schema: ObjectSchema | undefined): Map<string, ObjectSchema> | undefined {
  const def = schema?._zod?.def;
  if (def?.innerType) return namesOf(def.innerType);
  if (!def?.shape || def.catchall?._zod.def.type !== "never") return undefined;
  return new Map(Object.entries(def.shape));
}
