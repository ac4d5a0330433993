import { type ChildProcess, spawn } from "node:child_process";
import { freePort } from "./free-port.ts";

const MOST_TRIES = 5;

/**
 * Starts a Redis or a Postgres that stays in the foreground. It says itself when it is ready: whoever asked its port
 * instead might be answered by another one.
 */
export async function launchServer([program, ...words]: string[]): Promise<ChildProcess> {
  const child = spawn(program!, words, { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (text) => {
        said = `${said}${text}`.slice(-4000);
        if (/ready to accept connections/i.test(said)) resolve();
      });
    child.once("error", reject);
    child.once("close", () => reject(new Error(`${program} did not start: ${said}`)));
  });
  return child;
}

/** Starts on a free port; on another one where that was taken meanwhile. */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await start(await freePort());
    } catch (error) {
      if (tries === MOST_TRIES || !/already in use/i.test(String(error))) throw error;
    }
  }
}

/** Ends it as a crash would. */
export async function killServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}
