import { basename, dirname, isAbsolute, relative } from "node:path";
import type { ReadStudy } from "./view-study.ts";

/**
 * A study as a report shows it: people send reports around, and where somebody's home lies is nobody's business. The
 * study file is named from where the results' folder stands, or by its name alone where it lies elsewhere.
 */
export function forSharing(read: ReadStudy): ReadStudy {
  const { spec } = read.study;
  return { ...read, study: { ...read.study, spec: { ...spec, path: sharedPath(read.studyDir, spec.path) } } };
}

function sharedPath(studyDir: string, path: string): string {
  if (!isAbsolute(path)) return path;
  const home = dirname(dirname(studyDir));
  const from = relative(home, path);
  return home === "/" || from.startsWith("..") || isAbsolute(from) ? basename(path) : from;
}
