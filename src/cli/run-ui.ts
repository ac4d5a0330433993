import type { StudySummary } from "../core/sink.ts";
import { type RunningServer, startServer } from "../server/start-server.ts";
import { untilSignal } from "./ui.ts";

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
