import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { importReaders } from "../archive/imports/index.ts";
import { errorText, UserError } from "../core/errors.ts";
import { FAMILIES } from "../core/family.ts";
import { suggestion } from "../core/suggest.ts";
import { dialects } from "../dialects/index.ts";
import { targetFile } from "../dialects/named-file.ts";
import { executors } from "../executors/index.ts";
import { readText } from "../host/files.ts";
import { instruments } from "../instruments/index.ts";
import { findSpec, shippedSpecs } from "../launch/load-study.ts";
import { PRESETS, PROVIDERS } from "../models/model-spec.ts";
import { reporters } from "../reporters/index.ts";
import { sandboxes } from "../sandboxes/index.ts";
import { searchers } from "../search/searchers/index.ts";
import { stoppers } from "../search/stoppers/index.ts";
import { shippedTargets } from "../targets/index.ts";
import { loadPlugins } from "../targets/load-plugins.ts";
import { loadTarget } from "../targets/load-target.ts";
import type { Target } from "../targets/target.ts";
import { describeParams } from "./describe-params.ts";
import { printable, styleFor, table } from "./terminal.ts";

/** A longer default stands below the table, whole. */
const LONGEST_DEFAULT = 40;

interface Item {
  name: string;
  description: string;
  /** Of what the user wrote: the file. */
  from?: string;
}

/** What there is, family by family; one target with its parameters when named. */
export async function list(what: string | undefined, options: { json?: boolean }): Promise<void> {
  const found = await findOwn();
  const named = (registry: Readonly<Record<string, { description?: string }>>): Item[] =>
    Object.entries(registry)
      .filter(([name]) => !found.some((one) => one.name === name))
      .map(([name, { description = "" }]) => ({ name, description }));
  const families: Record<string, Item[]> = {
    targets: [
      ...(await Promise.all(Object.values(shippedTargets).map((load) => load()))).map(
        ({ name, description = "" }) => ({ name, description }),
      ),
      { name: "./file.ts", description: "your own module (defineTarget)" },
      { name: "{command: [...]}", description: "any program" },
    ],
    specs: shippedSpecs().map((name) => ({ name, description: firstComment(findSpec(name)) })),
    dialects: dialects.map(({ name, description }) => ({ name, description })),
    executors: named(executors),
    searchers: named(searchers),
    stoppers: named(stoppers),
    instruments: named(instruments),
    reporters: named(reporters),
    sandboxes: named(sandboxes),
    models: [
      ...Object.entries(PRESETS).map(([name, { provider, modelId }]) => ({
        name,
        description: `${provider}:${modelId}`,
      })),
      ...PROVIDERS.map((name) => ({ name: `${name}:MODEL`, description: "" })),
    ],
    importers: [...new Map(importReaders.map((one) => [one.name, one.looksFor]))].map(
      ([name, description]) => ({ name, description }),
    ),
    sinks: [],
  };
  for (const { family, ...item } of found) families[`${family}s`.replace("boxs", "boxes")]!.push(item);
  if (what !== undefined && !Object.hasOwn(families, what))
    return showTarget(await targetNamed(what, Object.keys(families)), options.json ?? false);
  const chosen = what === undefined ? families : { [what]: families[what]! };
  if (options.json) {
    console.log(JSON.stringify(chosen));
    return;
  }
  const style = styleFor(process.stdout);
  for (const [family, items] of Object.entries(chosen)) {
    if (items.length === 0 && what === undefined) continue;
    console.log(style.bold(family));
    const width = Math.max(...items.map(({ name }) => name.length));
    for (const { name, description, from } of items)
      console.log(
        `  ${name.padEnd(width)}  ${printable(description)}${from === undefined ? "" : ` (yours: ${from})`}`.trimEnd(),
      );
  }
  if (what === undefined)
    console.log(
      `\n\`assay list TARGET\` shows a target's parameters; \`assay run SPEC\` runs a spec by its name.`,
    );
}

/** What a spec is about, as its file begins. */
function firstComment(path: string): string {
  const [, words = ""] = /^#\s*([^`\n]*)/.exec(readText(path)) ?? [];
  return words.trim();
}

const OWN = /^\s*export\s+default\s+(?:\[\s*)?define([A-Z]\w+)\(/m;

/** What the files in this folder declare, and in its `targets/` and `plugins/`; one that can't be loaded says why. */
async function findOwn(): Promise<(Item & { family: string })[]> {
  const paths = [".", "targets", "plugins"].flatMap((dir) =>
    (existsSync(dir) ? readdirSync(dir) : [])
      .filter((name) => /\.[cm]?[jt]s$/.test(name) && !name.includes(".test."))
      .map((name) => join(dir, name)),
  );
  const found: (Item & { family: string })[] = [];
  for (const path of paths) {
    const family = OWN.exec(readText(path))?.[1]?.toLowerCase();
    if (family === undefined || !(family === "target" || family in FAMILIES)) continue;
    const from = `./${path}`;
    try {
      if (family === "target") {
        const { name, description = "" } = await loadTarget(
          targetFile(dirname(resolve(path)), basename(path)),
        );
        found.push({ family, name: name ?? from, description, from });
      } else
        for (const { family: own, member } of await loadPlugins([resolve(path)])) {
          const { name, description, looksFor = "" } = member as typeof member & { looksFor?: string };
          found.push({ family: own, name, description: description ?? looksFor, from });
        }
    } catch (error) {
      found.push({ family, name: from, description: `can't be loaded: ${errorText(error)}`, from });
    }
  }
  return found;
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
