import { errorText, UserError } from "../core/errors.ts";
import { clearestIssue, explainIssue, shownValue } from "../core/explain-issue.ts";
import type { Params } from "../core/params.ts";
import { type InstrumentRef, isPythonTarget, type TargetRef } from "../core/study.ts";
import { suggestion } from "../core/suggest.ts";
import { ALIASES, instruments } from "../instruments/index.ts";
import type { BoundInstrument, Instrument } from "../instruments/instrument.ts";

interface Wanted {
  instruments: InstrumentRef[];
  /** Users' files, whose instruments `instruments` may name. */
  plugins: string[];
  target: TargetRef;
}

/** Loads a study's plugins, then finds each instrument, in the registry or in a user's file, and checks its options. */
export async function loadInstruments(wanted: Wanted): Promise<BoundInstrument[]> {
  await loadPluginFiles(wanted.plugins);
  const known = new Map(Object.entries(instruments));
  const bound: BoundInstrument[] = [];
  for (const ref of wanted.instruments) {
    const instrument = isPath(ref.name)
      ? await loadOwn(ref.name)
      : known.get(Object.hasOwn(ALIASES, ref.name) && !known.has(ref.name) ? ALIASES[ref.name]! : ref.name);
    if (!instrument) {
      throw new UserError(`there is no instrument "${ref.name}"`, {
        remedy: `${suggestion(ref.name, [...known.keys(), ...Object.keys(ALIASES)])} A file of your own starts with ./`,
      });
    }
    checkReach(instrument, wanted.target);
    bound.push({ instrument, options: checkOptions(instrument, ref.options) });
  }
  return bound;
}

/** Whether an instrument can look into a target. */
function checkReach({ name, measures = "modules" }: Instrument, target: TargetRef): void {
  const isPython = isPythonTarget(target);
  if (isPython && measures === "modules") {
    throw new UserError(`the instrument ${name} can't look into Python`, {
      remedy: "For Python there are timing, resources, cprofile and tracemalloc.",
    });
  }
  if (!isPython && measures === "python") {
    throw new UserError(`the instrument ${name} looks into benchmarks in Python only`, {
      remedy: "For modules there is heap, for everything else resources.",
    });
  }
  if (target.kind === "command" && measures !== "anything") {
    throw new UserError(`the instrument ${name} can't look into a program`, {
      remedy:
        "It measures targets that are modules; for programs there are timing, resources and cpu-profile.",
    });
  }
}

function isPath(name: string): boolean {
  return name.includes("/");
}

/** The loader of users' files is large, and most studies have none. */
async function loadPluginFiles(paths: readonly string[]): Promise<void> {
  if (paths.length > 0) await (await import("../targets/load-plugins.ts")).loadPlugins(paths);
}

async function loadOwn(path: string): Promise<Instrument> {
  return (await import("../targets/load-plugins.ts")).loadMember<Instrument>("instrument", path);
}

function checkOptions(instrument: Instrument, options: Params): Params {
  const { name } = instrument;
  if (!instrument.options) {
    const [option] = Object.keys(options);
    if (option === undefined) return options;
    throw new UserError(`the instrument ${name} has no option "${option}"`, { remedy: "It takes none." });
  }
  let result: ReturnType<typeof instrument.options.safeParse>;
  try {
    result = instrument.options.safeParse(options);
  } catch (error) {
    throw new UserError(`the options of the instrument ${name} can't be checked: ${errorText(error)}`);
  }
  if (result.success) return result.data as Params;
  const issue = clearestIssue(result.error.issues)!;
  if (issue.code === "unrecognized_keys") {
    const shape = (instrument.options as { shape?: Record<string, unknown> }).shape ?? {};
    throw new UserError(`the instrument ${name} has no option "${issue.keys[0]}"`, {
      remedy: suggestion(issue.keys[0]!, Object.keys(shape)),
    });
  }
  let got: unknown = options;
  for (const key of issue.path) got = (got as Record<PropertyKey, unknown> | undefined)?.[key];
  throw new UserError(`option ${issue.path.join(".") || "(all)"} of the instrument ${name}`, {
    expected: explainIssue(issue),
    got: got === undefined ? "nothing" : shownValue(got),
  });
}
