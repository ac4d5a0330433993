import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { findStudy } from "../archive/find-study.ts";
import { UserError } from "../core/errors.ts";
import { hideAddress, readAddress } from "../fleet/address.ts";
import { startServer } from "../server/start-server.ts";
import { openInBrowser } from "./open-in-browser.ts";

interface UiOptions {
  port?: number;
  host?: string;
  open?: boolean;
  queue?: string;
  allowControl?: boolean;
  json?: boolean;
}

const DEFAULT_DIR = "bench_runs";
const ROLLOUTS_DIR = "data/rollouts";

/** Serves the live page until Ctrl-C. */
export async function ui(dir: string | undefined, options: UiOptions): Promise<void> {
  const root = folderOf(dir);
  if (options.queue !== undefined) hideAddress(options.queue);
  const { ASSAY_QUEUE } = process.env;
  const queue = ASSAY_QUEUE ? readAddress(ASSAY_QUEUE).label : undefined;
  const server = await startServer({
    root,
    mayControl: options.allowControl ?? false,
    hasFleet: queue !== undefined,
    ...(options.port !== undefined && { port: options.port }),
    ...(options.host !== undefined && { host: options.host }),
  });
  const { url, port, token } = server;
  if (options.json)
    console.log(JSON.stringify({ url, port, token, root, canControl: options.allowControl ?? false }));
  else {
    console.log(`studies below ${root}: ${url}`);
    if (queue !== undefined) console.log(`and the fleet of ${queue}`);
    if (!options.allowControl)
      console.log("it steers no runs; --allow-control lets the page pause and cancel them");
    console.log("Ctrl-C ends it");
  }
  if (options.open) openInBrowser(server.linkForOnce());
  await untilSignal(server);
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
