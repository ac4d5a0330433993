import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TargetRef } from "../core/study.ts";

/** One thing that a family asks of its members: `check` throws where it does not hold. For any test runner. */
export interface Check {
  title: string;
  check(): void | Promise<void>;
}

export interface ContractOptions {
  /** The member's own options, for those that can't do without. */
  options?: unknown;
  /** What an executor runs; a small program unless told. */
  target?: TargetRef;
  /** Files that an importer reads. */
  files?: readonly string[];
}

/** A folder for the time of one check. */
export async function inTempFolder<T>(use: (dir: string) => T | Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), "assay-contract-"));
  try {
    return await use(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The same data, which throws when somebody tries to change it. */
export function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) frozen(item);
  }
  return value;
}
