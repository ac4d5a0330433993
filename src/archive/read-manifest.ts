import { basename, dirname, join } from "node:path";
import { STUDY_FILES } from "../core/study-folder.ts";
import { readJsonIfAny } from "../host/files.ts";

/** The runs of a launch by their numbers; none where there is no manifest that can be read. */
export function readNumbers(studyDir: string): string[] {
  const manifest = readJsonIfAny<{ results?: { assay_run: string }[] }>(join(studyDir, STUDY_FILES.manifest));
  return manifest?.results?.map(({ assay_run }) => assay_run) ?? [];
}

/** `data/runs` beside `data/rollouts`; a root with another name gets no folder beside it. */
export function linkFolder(studyDir: string): string | undefined {
  const root = dirname(dirname(studyDir));
  return basename(root) === "rollouts" ? join(dirname(root), "runs") : undefined;
}
