import { hashText } from "../core/hash.ts";
import type { StudyFile } from "../core/study-file.ts";
import type { ResultFacts } from "../executors/result/result-facts.ts";

/** What study.json says, as far as the result of a single run needs it. */
export function resultFacts({
  name,
  program,
  study,
  spec,
  environment,
  packages,
  git,
}: StudyFile): ResultFacts {
  const { target } = study;
  return {
    name,
    target:
      target.kind === "shipped" ? target.name : target.kind === "file" ? target.path : target.argv.join(" "),
    program,
    tags: study.tags ?? [],
    notes: study.notes ?? null,
    spec: { path: spec.path, hash: spec.hash },
    environment: {
      os: environment.os,
      runtime: `Node.js ${environment.node} (V8 ${environment.v8})`,
      machine: environment.platform,
      processor: environment.cpu,
      cores: environment.cores,
      memory_bytes: environment.memoryBytes,
      hostname: environment.hostname,
    },
    packages,
    vcs: git && {
      commit: String(git.commit),
      committedAt: String(git.committedAt),
      branch: String(git.branch),
      dirty: Boolean(git.dirty),
      diffHash: git.dirty ? hashText(String(git.diff)) : null,
    },
  };
}
