import type { Study } from "../../src/core/study.ts";
import { readStudy } from "../../src/dialects/index.ts";

/** Reads a study out of texts, as if they were files in /home/me; the first one is the study. */
export function studyOf(files: Record<string, string>) {
  const at = (path: string) => ({
    dir: `/home/me/${path}`.replace(/\/[^/]*$/, ""),
    callerDir: "/called/from",
  });
  const named = (path: string, from?: { path: string }) =>
    from ? new URL(path, `file:///${from.path}`).pathname.slice(1) : path;
  const { declared, dialect } = readStudy(Object.keys(files)[0]!, (base, from) => {
    const path = named(base, from);
    return { path, text: files[path]!, origin: at(path) };
  });
  return { study: declared.study, dialect };
}

/** As settled without a target: a name is taken for one that ships. */
export function studyFrom(text: string, path = "study.yaml"): Study {
  const { open: _, target, ...study } = studyOf({ [path]: text }).study;
  return { ...study, target: target.kind === "named" ? { ...target, kind: "shipped" } : target };
}
