import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorText, UserError } from "../core/errors.ts";
import type { FamilyName } from "../core/family.ts";
import { executors } from "../executors/index.ts";
import { makeFolders } from "../host/files.ts";
import { instruments } from "../instruments/index.ts";
import { PRESETS } from "../models/model-spec.ts";
import { reporters } from "../reporters/index.ts";
import { sandboxes } from "../sandboxes/index.ts";
import { searchers } from "../search/searchers/index.ts";
import { stoppers } from "../search/stoppers/index.ts";
import { shippedTargets } from "../targets/index.ts";
import { instrumentFiles } from "./scaffold/instrument-files.ts";
import { pluginFiles } from "./scaffold/plugin-files.ts";
import { targetFiles } from "./scaffold/target-files.ts";

export type NewKind = "target" | FamilyName;

/** Writes the files of a first target or plugin of a user's own; nothing that is there is touched. */
export function writeNew(kind: NewKind, name: string, dir: string): string[] {
  checkName(kind, name);
  const written =
    kind === "target"
      ? targetFiles(name)
      : kind === "instrument"
        ? instrumentFiles(name)
        : pluginFiles(kind, name);
  const files = Object.entries(written).map(([file, text]) => ({ path: join(dir, file), text }));
  const there = files.filter(({ path }) => existsSync(path)).map(({ path }) => path);
  if (there.length > 0)
    throw new UserError(`${there.join(", ")} ${there.length === 1 ? "exists" : "exist"} already`, {
      remedy: "Choose another name, or another folder with --dir. Nothing was written.",
    });
  try {
    makeFolders(dir);
    for (const { path, text } of files) {
      makeFolders(dirname(path));
      writeFileSync(path, text, { flag: "wx" });
    }
  } catch (error) {
    throw new UserError(`the files can't be written to ${dir} (${errorText(error)})`);
  }
  return files.map(({ path }) => path);
}

function checkName(kind: NewKind, name: string): void {
  if (!/^[a-z][a-z0-9]*([-_][a-z0-9]+)*$/.test(name) || name.length > 60)
    throw new UserError(`the name of a ${kind}`, {
      expected: "small letters, digits, and single - or _ between them",
      got: JSON.stringify(name),
      remedy: "For instance sort-numbers.",
    });
  const shipped: Partial<Record<NewKind, object>> = {
    ...{ target: shippedTargets, instrument: instruments, executor: executors, reporter: reporters },
    ...{ searcher: searchers, stopper: stoppers, sandbox: sandboxes, model: PRESETS },
  };
  if (Object.hasOwn(shipped[kind] ?? {}, name))
    throw new UserError(`${name} is a ${kind} that ships with Assay`, { remedy: "Choose another name." });
}
