import { existsSync, statSync } from "node:fs";
import { UserError } from "../core/errors.ts";
import { type ComparedStudies, compareRuns } from "../read/compare/compare-runs.ts";
import type { CompareRequest } from "../read/compare/request.ts";

/** Compares studies, cells of one study, runs, or files (CSV, result.json, hyperfine's JSON): which is better, how sure. */
export async function compareStudies(
  names: readonly string[],
  asked: CompareRequest = {},
): Promise<ComparedStudies> {
  const kinds = new Set(names.map(kindOf));
  if (kinds.size > 1)
    throw new UserError("these can't be compared with each other", {
      expected: "studies, or CSV files, or exports of hyperfine",
      got: [...kinds].join(" and "),
      remedy: "`assay export STUDY` writes a study as CSV.",
    });
  const [kind = "study"] = kinds;
  const request = await withCovariate(asked, kind === "CSV" ? names : []);
  if (kind === "study") return compareRuns(names, request);
  return (await import("../read/compare/compare-files.ts")).compareFiles(kind, names, request);
}

async function withCovariate(request: CompareRequest, tables: readonly string[]): Promise<CompareRequest> {
  if (request.covariateFrom === undefined) return request;
  const { readCovariate } = await import("../read/compare/read-covariate.ts");
  return { ...request, covariate: readCovariate(request.covariateFrom, { tables, task: request.task }) };
}

type Kind = "study" | "CSV" | "JSON";

function kindOf(name: string): Kind {
  if (!existsSync(name) || statSync(name).isDirectory())
    return /\.([ct]sv|jsonl)$/.test(name) ? "CSV" : "study";
  if (name.endsWith(".json")) return "JSON";
  if (/\.([ct]sv|txt|jsonl)$/.test(name)) return "CSV";
  throw new UserError(name, {
    expected:
      "a study's results (its name or folder), a .csv or .jsonl file, a result.json or an export of hyperfine",
    remedy: "A study file is run first: `assay run FILE`.",
  });
}
