import { UserError } from "../core/errors.ts";
import type { LoadedStudy } from "./load-study.ts";
import { type PreparedStudy, prepareStudy } from "./prepare-study.ts";

export interface PreparedSeveral {
  ready: PreparedStudy[];
  mistakes: { name: string; error: UserError }[];
}

/** Prepares the studies of one file: a mistake in one of them is told and leaves the others alone. */
export async function prepareSeveral(loaded: readonly LoadedStudy[]): Promise<PreparedSeveral> {
  const result: PreparedSeveral = { ready: [], mistakes: [] };
  for (const one of loaded) {
    try {
      result.ready.push(await prepareStudy(one));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      result.mistakes.push({ name: one.study.name, error });
    }
  }
  return result;
}
