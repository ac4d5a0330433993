import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import { readStudyFile } from "../archive/read-records.ts";
import { UserError } from "../core/errors.ts";
import { shellWord } from "../core/escape.ts";
import { detachedLog, titleOf } from "../core/study-folder.ts";
import { makeFolders } from "../host/files.ts";
import { loadStudies } from "../launch/load-study.ts";
import { overridesFrom, type SelectionOptions } from "./overrides.ts";
import { DETACHED } from "./progress.ts";

interface DetachOptions extends SelectionOptions {
  ui?: boolean;
  json?: boolean;
}

/**
 * Starts the same command in a session of its own, where no closing terminal reaches it, and waits until its study is
 * under way: mistakes show up here, as without --detach.
 */
export async function detach(file: string, options: DetachOptions): Promise<void> {
  if (options.ui)
    throw new UserError("--detach and --ui: a study in the background serves no page", {
      remedy: "Leave out --ui; `assay ui` serves the page, also of a study that runs already.",
    });
  const { outRoot, name } = loadStudies(file, overridesFrom(options))[0]!.study;
  const words = process.argv.slice(1).filter((word) => word !== "--detach");
  const { started, child, log, said } = await startInBackground(words, { outRoot, name });
  if ("code" in started) {
    (started.code === 0 ? process.stdout : process.stderr).write(said);
    process.exitCode = started.code;
    return;
  }
  child.disconnect();
  child.unref();
  const shownLog = relative(process.cwd(), log);
  const title = titleOf(started.studyDir);
  if (options.json)
    console.log(
      JSON.stringify({ studyDir: relative(process.cwd(), started.studyDir), pid: child.pid, log: shownLog }),
    );
  else {
    process.stderr.write(said);
    console.log(`${title} runs in the background as process ${child.pid}; its output goes to ${shownLog}`);
    console.log(`\`assay status ${title} --follow\` follows it, \`assay cancel ${title}\` ends it`);
  }
}

/**
 * Starts the study of a folder once more, in the background, for the runs that the infrastructure broke: with the words of its
 * last launch, for those made its runs what they are.
 */
export async function rerunBroken(studyDir: string): Promise<void> {
  const file = readStudyFile(studyDir);
  const { launchWords } = await import("../read/run-view.ts");
  const launch = file && launchWords(file);
  const outRoot = dirname(file?.study.isStamped ? dirname(studyDir) : studyDir);
  // Folders with results come from other people, too: what lies in one is not started by a click.
  const isOwn = file !== undefined && relative(outRoot, file.spec.path).startsWith("..");
  if (!launch || !isOwn || !existsSync(file.spec.path))
    throw new UserError(`${titleOf(studyDir)} can't be started from the page`, {
      remedy: `In a shell: assay run ${file ? shellWord(file.spec.path) : "STUDY_FILE"} --rerun infrastructure`,
    });
  const words = [process.argv[1]!, "run", ...withoutRoot(launch.words), "--out-root", outRoot];
  const { started, child, said } = await startInBackground(
    [
      ...words,
      ...["--rerun", "infrastructure", "--quiet"],
      ...(file.study.isStamped ? ["--rollout", basename(studyDir)] : []),
    ],
    { outRoot, name: file.name, cwd: launch.cwd },
  );
  if ("code" in started) {
    if (started.code !== 0) throw new UserError(said.trim() || `assay run ended with ${started.code}`);
    return;
  }
  child.disconnect();
  child.unref();
}

function withoutRoot(words: readonly string[]): string[] {
  const at = words.findIndex((word) => word === "--out-root" || word === "--rollout");
  if (at >= 0) return withoutRoot([...words.slice(0, at), ...words.slice(at + 2)]);
  return words.filter((word) => !/^--(out-root|rollout)=/.test(word));
}

/** A command in a session of its own; gives how it began, or how it ended where it never did. */
async function startInBackground(
  words: readonly string[],
  { outRoot, name, cwd = process.cwd() }: { outRoot: string; name: string; cwd?: string },
) {
  makeFolders(outRoot);
  const log = resolve(outRoot, detachedLog(name));
  const output = openSync(log, "a");
  const from = statSync(log).size;
  const child = spawn(process.execPath, [...process.execArgv, ...words], {
    cwd,
    detached: true,
    stdio: ["ignore", output, output, "ipc"],
    env: { ...process.env, [DETACHED]: "1" },
  });
  closeSync(output);
  const started = await new Promise<{ studyDir: string } | { code: number }>((resolve, reject) => {
    child.once("error", reject);
    child.once("message", (message) => resolve(message as { studyDir: string }));
    child.once("exit", (code) => resolve({ code: code ?? 1 }));
  });
  return { started, child, log, said: readFileSync(log).subarray(from).toString() };
}
