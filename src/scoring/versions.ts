import { existsSync } from "node:fs";
import { UserError } from "../core/errors.ts";
import { canonicalJson, shortHash } from "../core/hash.ts";
import type { RunRecord } from "../core/run.ts";
import type { ScorerRef } from "../core/study.ts";
import { fingerprint, hashModule } from "../targets/fingerprint.ts";

/** Which state each scorer has: its program with the files that belong to it, or what a judge is asked. */
export async function scorerVersions(scorers: readonly ScorerRef[] = []): Promise<Record<string, string>> {
  const versions = scorers.map(async ({ name, by }): Promise<[string, string]> => {
    if (by.kind === "judge") return [name, shortHash(canonicalJson({ ...by }))];
    if (by.kind === "file") {
      if (!existsSync(by.path)) throw new UserError(`the scorer ${by.path} does not exist`);
      return [name, hashModule(by.path)];
    }
    const { folder = "", metrics = {} } = by;
    return [name, shortHash(canonicalJson([await fingerprint(by), folder, metrics]))];
  });
  return Object.fromEntries(await Promise.all(versions));
}

/** The scorers that have not scored an output in the state that they have now. */
export function staleScorers(
  versions: Record<string, string>,
  { scored }: Pick<RunRecord, "scored">,
): string[] {
  return Object.keys(versions).filter((name) => scored?.[name]?.version !== versions[name]);
}

/** Why the output of a run is to be scored again; undefined where it need not be. */
export function reasonToScore(versions: Record<string, string>, record: RunRecord): string | undefined {
  const stale = staleScorers(versions, record);
  if (stale.length === 0) return undefined;
  const changed = stale.filter((name) => record.scored?.[name] !== undefined);
  return changed.length > 0 ? `scorer changed: ${changed.join(", ")}` : `not scored: ${stale.join(", ")}`;
}
