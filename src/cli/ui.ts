import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { findStudy } from "../archive/read-records.ts";
import { UserError } from "../core/errors.ts";
import type { StudySummary } from "../core/sink.ts";
import { hideAddress, readAddress } from "../fleet/address.ts";
import type { FrontProxy } from "../server/security.ts";
import { type RunningServer, startServer } from "../server/start-server.ts";

const OPENERS: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

interface UiOptions {
  port?: number;
  host?: string;
  open?: boolean;
  queue?: string;
  allowControl?: boolean;
  readOnly?: boolean;
  proxyUser?: string;
  publicUrl?: string;
  json?: boolean;
}

const DEFAULT_DIR = "bench_runs";
const ROLLOUTS_DIR = "data/rollouts";

/** Serves the live page until Ctrl-C. */
export async function ui(dirs: readonly string[], options: UiOptions): Promise<void> {
  const [root = folderOf(undefined), ...named] = dirs.map(folderOf);
  // Without a word all studies of this project are shown, those of rollouts files, too.
  const rollouts = resolve(ROLLOUTS_DIR);
  const others = dirs.length === 0 && root !== rollouts && existsSync(rollouts) ? [rollouts] : named;
  const proxy = proxyOf(options);
  if (options.queue !== undefined) hideAddress(options.queue);
  const { ASSAY_QUEUE } = process.env;
  const queue = ASSAY_QUEUE ? readAddress(ASSAY_QUEUE).label : undefined;
  const server = await startServer({
    root,
    mayControl: options.allowControl ?? false,
    rerun: async (studyDir) => (await import("./detach.ts")).rerunBroken(studyDir),
    mayNote: !options.readOnly,
    ...(others.length > 0 && { others }),
    ...(proxy && { proxy }),
    hasFleet: queue !== undefined,
    ...(options.port !== undefined && { port: options.port }),
    ...(options.host !== undefined && { host: options.host }),
  });
  const { url, port, token } = server;
  const roots = [root, ...others];
  if (options.json)
    console.log(
      JSON.stringify({
        ...{ url, port, ...(proxy ? {} : { token }), root, roots },
        canControl: options.allowControl ?? false,
      }),
    );
  else {
    console.log(`studies below ${roots.join(", ")}: ${url}`);
    if (proxy) console.log(`for the proxy: http://127.0.0.1:${port}, users by ${proxy.header}`);
    if (queue !== undefined) console.log(`and the fleet of ${queue}`);
    if (!options.allowControl && !proxy && !options.readOnly)
      console.log("it steers no runs; --allow-control lets the page pause and cancel them");
    console.log("Ctrl-C ends it");
  }
  if (options.open) openInBrowser(server.linkForOnce());
  await untilSignal(server);
}

/** Who trusts a header must know who sets it, so nothing may be changed through it. */
function proxyOf({ proxyUser, publicUrl, allowControl, open }: UiOptions): FrontProxy | undefined {
  if (proxyUser === undefined && publicUrl === undefined) return undefined;
  if (proxyUser === undefined || publicUrl === undefined)
    throw new UserError("--proxy-user and --public-url go together", {
      remedy: "assay ui --proxy-user X-Forwarded-User --public-url https://lab.example.com/assay",
    });
  if (allowControl || open)
    throw new UserError(`--${allowControl ? "allow-control" : "open"} and --proxy-user exclude each other`, {
      remedy: "A page behind a proxy only reads; start another one for yourself.",
    });
  if (!/^[A-Za-z0-9-]+$/.test(proxyUser))
    throw new UserError("--proxy-user", {
      expected: "a header's name, such as X-Forwarded-User",
      got: proxyUser,
    });
  if (!URL.canParse(publicUrl) || !/^https?:\/\/[^@?#]+$/.test(publicUrl))
    throw new UserError("--public-url", {
      expected: "an address such as https://lab.example.com/assay",
      got: publicUrl,
    });
  return { header: proxyUser, url: new URL(publicUrl), secret: process.env.ASSAY_PROXY_SECRET || undefined };
}

/** A folder that is not there yet is served all the same, where it is the usual one: a study may come. */
function folderOf(dir: string | undefined): string {
  if (dir === undefined && !existsSync(DEFAULT_DIR) && existsSync(ROLLOUTS_DIR)) return resolve(ROLLOUTS_DIR);
  if (dir === undefined || dir === DEFAULT_DIR) return resolve(DEFAULT_DIR);
  if (existsSync(dir)) return resolve(dir);
  try {
    return findStudy(dir);
  } catch {
    throw new UserError(`the folder ${dir} does not exist`, {
      remedy: "Name a folder with studies, or a study; the default is bench_runs.",
    });
  }
}

/** Ends the server at the first Ctrl-C, which is no fault: exit code 0. */
export function untilSignal(server: { close(): Promise<void> }): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, end);
      server.close().then(resolve, resolve);
    };
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, end);
  });
}

/** Opens an address in the user's browser; where there is none, the printed link is what remains. */
function openInBrowser(url: string): void {
  const [program, ...words] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(program!, [...words, url], { stdio: "ignore", detached: true });
  child.on("error", () => process.stderr.write("no browser could be started; open the link by hand\n"));
  child.unref();
}

/** The live page of a study that this process is about to run: its own user may steer it. */
export async function startUi(studyDir: string): Promise<RunningServer> {
  const server = await startServer({
    root: studyDir,
    isSingle: true,
    mayControl: true,
    hasFleet: Boolean(process.env.ASSAY_QUEUE),
  });
  process.stderr.write(`live page: ${server.url}\n`);
  return server;
}

/** On a terminal the page stays until Ctrl-C, to be looked at; a script goes on at once. */
export async function endUi(server: RunningServer, { stopped }: StudySummary): Promise<void> {
  if (!process.stderr.isTTY || stopped === "interrupted") {
    await server.settle();
    return server.close();
  }
  process.stderr.write(`the page stays until Ctrl-C: ${server.url}\n`);
  await untilSignal(server);
}
