import { existsSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { readStudyFile } from "../archive/read-records.ts";
import { errorText, UserError } from "../core/errors.ts";
import { ownMembers } from "../core/family.ts";
import { suggestion } from "../core/suggest.ts";
import { reporters } from "../reporters/index.ts";
import type { OutputFile, Report, Reporter } from "../reporters/reporter.ts";

const DEFAULT_FORMATS = ["html", "markdown", "json"];
const SHORT: Record<string, string> = { md: "markdown", xml: "junit" };

/** Those that are asked for, by name or by the file of one's own; else the usual ones and those of the study's plugins. */
export async function chooseReporters(
  studyDir: string,
  formats: readonly string[] | undefined,
): Promise<Reporter[]> {
  const plugins = pluginsOf(studyDir);
  if (plugins.length > 0) await (await import("../targets/load-plugins.ts")).loadPlugins(plugins);
  if (formats === undefined)
    return [...DEFAULT_FORMATS.map((name) => reporters[name]!), ...ownMembers<Reporter>("reporter", plugins)];
  const names = Object.keys(reporters);
  return Promise.all(
    formats.map(async (format) => {
      if (/[/\\]|\.[cm]?[jt]s$/.test(format)) {
        const { loadMember } = await import("../targets/load-plugins.ts");
        return loadMember<Reporter>("reporter", resolve(format));
      }
      const name = SHORT[format] ?? format;
      if (Object.hasOwn(reporters, name)) return reporters[name]!;
      throw new UserError(`--format ${format}`, {
        expected: `one or more of ${names.join(", ")}, or a ./file.ts of your own`,
        remedy: suggestion(format, names),
      });
    }),
  );
}

/** The files that the study's own file named and that are here; none that came with results, which may be others'. */
function pluginsOf(studyDir: string): string[] {
  const named = (readStudyFile(studyDir)?.study.plugins ?? []).filter((path) => existsSync(path));
  if (named.length === 0) return [];
  const root = realpathSync(dirname(resolve(studyDir)));
  return named.filter((path) => !realpathSync(path).startsWith(`${root}/`));
}

/** Whether it is one of the user's. */
export function isOwn(reporter: Reporter): boolean {
  return ownMembers("reporter").includes(reporter);
}

/** What a reporter of the user's throws is told as theirs. */
export function renderWith(reporter: Reporter, report: Report): OutputFile[] {
  if (!isOwn(reporter)) return reporter.render(report);
  try {
    return reporter.render(report);
  } catch (error) {
    throw new UserError(`the reporter ${reporter.name} failed: ${errorText(error)}`, {
      remedy: "The study and the other reports are not affected.",
    });
  }
}
