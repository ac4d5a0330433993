import type { Study } from "../../src/core/study.ts";
import { readStudy } from "../../src/dialects/index.ts";
import { parseSource } from "../../src/dialects/source-file.ts";
import { extendSource } from "../../src/launch/load-study.ts";

/** Reads a study out of texts, as if they were files in /home/me; the first one is the study. */
export function studyOf(files: Record<string, string>) {
  const at = (path: string) => ({
    dir: `/home/me/${path}`.replace(/\/[^/]*$/, ""),
    callerDir: "/called/from",
  });
  const source = (path: string) => parseSource(path, files[path]!, at(path));
  const load = (base: string, from: { path: string }) =>
    source(new URL(base, `file:///${from.path}`).pathname.slice(1));
  return readStudy(extendSource(source(Object.keys(files)[0]!), load));
}

/** As settled without a target: a name is taken for one that ships. */
export function studyFrom(text: string, path = "study.yaml"): Study {
  const { open: _, target, ...study } = studyOf({ [path]: text }).study;
  return { ...study, target: target.kind === "named" ? { ...target, kind: "shipped" } : target };
}
