import { relative } from "node:path";
import { collect as collectRuns } from "../api/collect-study.ts";
import type { CollectOptions } from "../archive/collect.ts";
import { findStudy } from "../archive/find-study.ts";
import { plural } from "../core/number-text.ts";
import { requireStudy } from "./read-option.ts";

interface CollectCommandOptions extends Omit<CollectOptions, "outCsv"> {
  out?: string;
  outRoot?: string;
  json?: boolean;
}

/** All runs as one CSV file. */
export async function collect(
  name: string | undefined,
  { out, ...options }: CollectCommandOptions,
): Promise<void> {
  const request = out === undefined ? options : { ...options, outCsv: out };
  const result = await collectRuns(findStudy(requireStudy(name), options.outRoot), request);
  if (options.json) console.log(JSON.stringify(result));
  else
    console.log(
      `${plural(result.rows, "row")} from the ${result.from} -> ${relative(process.cwd(), result.path)}`,
    );
  if (result.unreadable.length > 0) {
    process.stderr.write(
      `${plural(result.unreadable.length, "folder")} without a readable meta.json: ${result.unreadable.slice(0, 5).join(", ")}\n`,
    );
  }
}
