import type { Study } from "../../core/study.ts";
import { stem } from "../native.ts";
import type { SourceFile } from "../source-file.ts";
import type { Experiment } from "./schema.ts";

const DEFAULT_ROOT = "bench_runs";

/**
 * The study's folder is `output_dir`. An experiment among several that does not name its own gets a folder by its
 * name, in the one that the file names for all.
 */
export function placeResults(
  { experiment, output_dir: dir }: Experiment,
  { file, index, isOnly }: { file: SourceFile; index: number; isOnly: boolean },
): Pick<Study, "name" | "outRoot"> {
  const own = (file.data.experiments as Record<string, unknown>[] | undefined)?.[index];
  const isShared = !isOnly && (typeof own !== "object" || !("output_dir" in own));
  if (isShared) return { outRoot: dir ?? `${DEFAULT_ROOT}/${stem(file.path)}`, name: stem(experiment) };
  if (dir === undefined) return { outRoot: DEFAULT_ROOT, name: stem(file.path) };
  const parts = dir.replace(/\/+$/, "").split("/");
  const name = parts.pop()!;
  return { outRoot: parts.join("/") || (dir.startsWith("/") ? "/" : "."), name };
}
