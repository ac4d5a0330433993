import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UserError } from "../core/errors.ts";
import { listOf, number, objectWith, optional, tableOf, text } from "../core/shape.ts";
import type { Depot } from "./depot.ts";

const FORMAT = 1;

/**
 * What somebody pushed: which bundles, and what each stands for. It is named for its content and never changed. Each
 * machine writes its own, so two that push one study at once take nothing from each other; whoever pulls merges all.
 */
export interface Push {
  format: typeof FORMAT;
  study: string;
  at: string;
  by: string;
  host: string;
  /** Of Assay. */
  version: string;
  runs: number;
  /** The journal in parts, one after the other. */
  journal: string[];
  /** study.json, notes and whatever else is small. */
  records: string;
  /** Of each file to which lines are only appended: how long it was, and what it held. */
  lengths: Record<string, { bytes: number; sha256: string }>;
  /** Folders of runs and scorers, by their path in the study; absent where only records were pushed. */
  files?: Record<string, { bundle: string; bytes: number }>;
}

const PUSH = objectWith({
  ...{ format: number, study: text, at: text, by: text, host: text, version: text, runs: number },
  ...{ journal: listOf(text), records: text },
  lengths: tableOf(objectWith({ bytes: number, sha256: text })),
  files: optional(tableOf(objectWith({ bundle: text, bytes: number }))),
});

/** A study's name as part of an object's: letters that S3 or a file system may take amiss are escaped. */
function safeName(title: string): string {
  const escaped = (part: string) =>
    part.replaceAll(/[^A-Za-z0-9_.-]|^\./gu, (letter) => `=${Buffer.from(letter).toString("hex")}`);
  return title.split("/").map(escaped).join("/");
}

export function bundleFolder(title: string): string {
  return `bundles/${safeName(title)}/`;
}

export interface NamedPush {
  name: string;
  push: Push;
}

/** Everything that was pushed of a study, or of all studies; checked, oldest first. */
export async function readPushes(depot: Depot, title?: string): Promise<NamedPush[]> {
  const folder = title === undefined ? "pushes/" : `pushes/${safeName(title)}/`;
  const pushes: NamedPush[] = [];
  for (const name of await depot.list(folder)) {
    // `study/20260101__00-00-00` lies below `study`.
    if (!/\/[0-9a-f]{64}\.json$/.test(name)) continue;
    const push = await readPush(depot, name);
    if (push && (title === undefined || push.study === title)) pushes.push({ name, push });
  }
  return pushes.sort((a, b) => (a.push.at < b.push.at ? -1 : 1));
}

/** The studies that a place has, oldest push first. */
export async function studiesIn(depot: Depot): Promise<string[]> {
  return [...new Set((await readPushes(depot)).map(({ push }) => push.study))];
}

/** Undefined where it went meanwhile: a later push of the same machine has taken its place. */
async function readPush(depot: Depot, name: string): Promise<Push | undefined> {
  const content = await readObject(depot, name).catch(async (error) => {
    if ((await depot.list(name.slice(0, name.lastIndexOf("/") + 1))).includes(name)) throw error;
    return undefined;
  });
  if (content === undefined) return undefined;
  if (!name.endsWith(`/${sha256(content)}.json`)) throw damaged(depot, name);
  const push = JSON.parse(content.toString()) as Push;
  if (typeof push.format === "number" && push.format > FORMAT)
    throw new UserError(`${depot.label} has a push of ${push.study} that this version can't read`, {
      expected: `format ${FORMAT}`,
      got: `format ${push.format}`,
      remedy: `Assay ${push.version} wrote it: install that version or a later one.`,
    });
  const problem = PUSH(push);
  if (problem !== undefined) throw new UserError(`${depot.label}: ${name} is no push`, { got: problem });
  return push;
}

async function readObject(depot: Depot, name: string): Promise<Buffer> {
  const dir = await mkdtemp(join(tmpdir(), "assay-push-"));
  try {
    await depot.get(name, `${dir}/object`);
    return readFileSync(`${dir}/object`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** As text and with the name that it goes by. */
export function sealPush(push: Push): { name: string; content: Buffer; sha256: string } {
  const content = Buffer.from(JSON.stringify(push));
  const hash = sha256(content);
  return { name: `pushes/${safeName(push.study)}/${hash}.json`, content, sha256: hash };
}

export function damaged(depot: Depot, name: string): UserError {
  return new UserError(`${depot.label}: ${name} is damaged: its content is not what its name says`, {
    remedy: "`assay push --all` from a machine that has the study replaces it.",
  });
}

export function sha256(content: Uint8Array | string): string {
  return createHash("sha256").update(content).digest("hex");
}
