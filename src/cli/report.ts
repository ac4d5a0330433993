import { spawn } from "node:child_process";
import { relative } from "node:path";
import { reportStudy } from "../api/report-study.ts";
import { findStudy } from "../archive/read-records.ts";
import { UserError } from "../core/errors.ts";
import type { ReportOptions } from "../read/write-report.ts";
import { requireStudy } from "./read-option.ts";

interface ReportFlags {
  outRoot?: string;
  out?: string;
  format?: string[];
  plots?: boolean;
  open?: boolean;
  json?: boolean;
}

export async function report([name, ...more]: string[], flags: ReportFlags): Promise<void> {
  if (more.length > 0)
    throw new UserError(`one study, not ${more.length + 1}`, {
      remedy: "`assay compare A B --html FILE` puts two side by side; --chart draws one chart of several.",
    });
  const studyDir = findStudy(requireStudy(name), flags.outRoot);
  const options: ReportOptions = { plots: flags.plots !== false };
  if (flags.out !== undefined) options.outDir = flags.out;
  if (flags.format !== undefined) options.formats = flags.format;
  const files = (await reportStudy(studyDir, options)).map((file) => relative(process.cwd(), file));
  if (flags.json) console.log(JSON.stringify({ files }));
  else console.log(`Open this report: ${files[0]}`);
  if (flags.open) openFile(files[0]!);
}

/** Hands the file to the desktop; where there is none, the path was printed already. */
function openFile(path: string): void {
  const opener = process.platform === "darwin" ? "open" : "xdg-open";
  const child = spawn(opener, [path], { stdio: "ignore", detached: true });
  child.on("error", () => process.stderr.write(`${opener} can't be started: open the file yourself.\n`));
  child.unref();
}
