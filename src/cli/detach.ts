import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { UserError } from "../core/errors.ts";
import type { Sink } from "../core/sink.ts";
import { detachedLog, titleOf } from "../core/study-folder.ts";
import { makeFolders } from "../host/files.ts";
import { loadStudies } from "../launch/load-study.ts";
import { overridesFrom, type SelectionOptions } from "./overrides.ts";

/** Tells a command that it is the one in the background; whoever started it listens until the study is under way. */
const DETACHED = "ASSAY_DETACHED";

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
  makeFolders(outRoot);
  const log = resolve(outRoot, detachedLog(name));
  const output = openSync(log, "a");
  const from = statSync(log).size;
  const words = process.argv.slice(1).filter((word) => word !== "--detach");
  const child = spawn(process.execPath, [...process.execArgv, ...words], {
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
  const said = readFileSync(log).subarray(from).toString();
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

/** In the background: says once that the study is under way. */
export function tellParent(): Sink[] {
  if (process.env[DETACHED] === undefined) return [];
  // What runs in the study must not take itself for the one that was detached.
  delete process.env[DETACHED];
  const handle: Sink["handle"] = (event) => {
    if (event.kind === "planned" && process.connected) process.send!({ studyDir: event.studyDir });
  };
  return [{ handle }];
}
