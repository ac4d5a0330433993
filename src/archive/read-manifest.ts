import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The runs of a launch by their numbers; none where there is no manifest that can be read. */
export function readNumbers(studyDir: string): string[] {
  try {
    const manifest = JSON.parse(readFileSync(join(studyDir, "manifest.json"), "utf8")) as {
      results: { assay_run: string }[];
    };
    return manifest.results.map(({ assay_run }) => assay_run);
  } catch {
    return [];
  }
}

/** `data/runs` beside `data/rollouts`; a root with another name gets no folder beside it. */
export function linkFolder(studyDir: string): string | undefined {
  const root = dirname(dirname(studyDir));
  return basename(root) === "rollouts" ? join(dirname(root), "runs") : undefined;
}
