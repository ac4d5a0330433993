import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { UserError } from "../core/errors.ts";
import { suggestion } from "../core/suggest.ts";
import { dialects } from "../dialects/index.ts";
import { targetFile } from "../dialects/named-file.ts";
import { executors } from "../executors/index.ts";
import { instruments } from "../instruments/index.ts";
import { shippedSpecs } from "../launch/load-study.ts";
import { reporters } from "../reporters/index.ts";
import { searchers } from "../search/searchers/index.ts";
import { stoppers } from "../search/stoppers/index.ts";
import { shippedTargets } from "../targets/index.ts";
import { loadTarget } from "../targets/load-target.ts";
import type { Target } from "../targets/target.ts";
import { describeParams } from "./describe-params.ts";
import { styleFor, table } from "./terminal.ts";

/** A longer default stands below the table, whole. */
const LONGEST_DEFAULT = 40;

interface Item {
  name: string;
  description: string;
}

/** What there is, family by family; one target with its parameters when named. */
export async function list(what: string | undefined, options: { json?: boolean }): Promise<void> {
  const families: Record<string, Item[]> = {
    targets: [
      ...(await Promise.all(Object.values(shippedTargets).map((load) => load()))).map(
        ({ name, description = "" }) => ({ name, description }),
      ),
      { name: "./file.ts", description: "your own module (defineTarget)" },
      { name: "{command: [...]}", description: "any program" },
    ],
    specs: shippedSpecs().map((name) => ({ name, description: `assay run ${name}` })),
    dialects: dialects.map(({ name, description }) => ({ name, description })),
    executors: Object.entries(executors).map(([name, { description }]) => ({ name, description })),
    searchers: Object.values(searchers).map(({ name, description }) => ({ name, description })),
    stoppers: Object.values(stoppers).map(({ name, description }) => ({ name, description })),
    instruments: Object.values(instruments).map(({ name, description }) => ({ name, description })),
    reporters: reporters.map(({ name, description }) => ({ name, description })),
  };
  if (what !== undefined && !Object.hasOwn(families, what))
    return showTarget(await targetNamed(what, Object.keys(families)), options.json ?? false);
  const chosen = what === undefined ? families : { [what]: families[what]! };
  if (options.json) {
    console.log(JSON.stringify(chosen));
    return;
  }
  const style = styleFor(process.stdout);
  for (const [family, items] of Object.entries(chosen)) {
    console.log(style.bold(family));
    const width = Math.max(...items.map(({ name }) => name.length));
    for (const { name, description } of items) console.log(`  ${name.padEnd(width)}  ${description}`);
  }
  if (what === undefined) console.log(`\n\`assay list TARGET\` shows a target's parameters.`);
}

/** One that ships, or a file of the user's; `others` are what else the name could have been. */
export async function targetNamed(name: string, others: string[] = []): Promise<Target> {
  if (Object.hasOwn(shippedTargets, name)) return shippedTargets[name]!();
  const path = ownFile(name);
  if (path !== undefined) return loadTarget(targetFile(dirname(path), basename(path)));
  throw new UserError(`there is no ${others.length > 0 ? "family or " : ""}target "${name}"`, {
    remedy: suggestion(name, [...others, ...Object.keys(shippedTargets)]),
  });
}

/** A file of the user's: by its path, or by a name as a study in this folder would say it. */
function ownFile(what: string): string | undefined {
  if (/\.([cm]?[jt]s|py(:\w+)?)$/.test(what)) return resolve(what);
  const endings = [".ts", ".mts", ".js", ".mjs"];
  if (!/^[\w.-]+$/.test(what)) return undefined;
  return [".", "targets"]
    .flatMap((dir) => endings.map((ending) => resolve(dir, `${what}${ending}`)))
    .find((path) => existsSync(path));
}

function showTarget(target: Target, isJson: boolean): void {
  const params = describeParams(target);
  const metrics = Object.entries(target.metrics ?? {}).map(([name, info]) => ({ name, ...info }));
  if (isJson) {
    console.log(
      JSON.stringify({
        name: target.name,
        version: target.version,
        description: target.description,
        params,
        metrics,
      }),
    );
    return;
  }
  console.log(`${styleFor(process.stdout).bold(target.name)}: ${target.description ?? ""}\n`);
  console.log(
    table(
      ["parameter", "type", "default", "description"],
      params.map(({ name, type, fallback, description }) => [
        ...[name, type, fallback.length > LONGEST_DEFAULT ? "(below)" : fallback, description],
      ]),
    ),
  );
  for (const { name, fallback } of params)
    if (fallback.length > LONGEST_DEFAULT && !name.includes("."))
      console.log(`\n${name} is by default\n${fallback}`);
  if (metrics.length > 0) {
    console.log(
      `\n${table(
        ["metric", "unit", "better", "description"],
        metrics.map((m) => [
          m.name,
          m.unit,
          m.direction === "none" ? "" : m.direction === "minimize" ? "lower" : "higher",
          m.description ?? "",
        ]),
      )}`,
    );
  }
}
