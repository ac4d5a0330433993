import { Fleet } from "../api/fleet.ts";
import { plural } from "../core/number-text.ts";
import { hideAddress } from "../fleet/address.ts";
import { sleep } from "../host/clock.ts";
import { fleetText } from "./fleet-text.ts";
import { styleFor } from "./terminal.ts";

interface FleetOptions {
  queue?: string;
  json?: boolean;
  watch?: boolean;
}

type Action = "pause" | "resume" | "drain";

const EVERY_MS = 2000;
const CLEAR = "\x1b[H\x1b[2J\x1b[3J";

/** Shows who works for a queue and what is under way, or asks something of its workers. */
export async function fleet(
  action: Action | undefined,
  worker: string | undefined,
  options: FleetOptions,
): Promise<void> {
  if (options.queue !== undefined) hideAddress(options.queue);
  await using opened = await Fleet.open();
  if (action !== undefined) await order(opened, action, { worker, isJson: options.json ?? false });
  else if (options.watch) await watch(opened, options.json ?? false);
  else await show(opened, options.json ?? false);
}

async function show(opened: Fleet, isJson: boolean): Promise<void> {
  const view = await opened.view();
  console.log(isJson ? JSON.stringify(view) : fleetText(view, styleFor(process.stdout)));
}

/** On a terminal in place, elsewhere one after the other; until Ctrl-C, which is no fault. */
async function watch(opened: Fleet, isJson: boolean): Promise<void> {
  const stop = new AbortController();
  const stopped = new Promise<undefined>((resolve) => {
    stop.signal.addEventListener("abort", () => resolve(undefined));
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  for (;;) {
    // A queue that is away is waited for, yet not past Ctrl-C.
    const view = await Promise.race([opened.view(), stopped]);
    if (!view) return;
    if (isJson) console.log(JSON.stringify(view));
    else {
      const text = fleetText(view, styleFor(process.stdout));
      process.stdout.write(process.stdout.isTTY ? `${CLEAR}${text}\n` : `${text}\n\n`);
    }
    await Promise.race([sleep(EVERY_MS, { ref: false }), stopped]);
  }
}

async function order(
  opened: Fleet,
  action: Action,
  { worker, isJson }: { worker: string | undefined; isJson: boolean },
): Promise<void> {
  const workers = await opened.order(action, worker);
  if (isJson) console.log(JSON.stringify({ action, workers }));
  else
    console.log(
      SAID[action](
        worker === undefined ? plural(workers.length, "worker") : workers[0]!,
        worker === undefined,
      ),
    );
}

const SAID: Record<Action, (who: string, isAll: boolean) => string> = {
  pause: (who, isAll) =>
    `asked ${who} to take nothing more; runs in progress continue${isAll ? ", and workers that come later wait too" : ""}`,
  resume: (who) => `asked ${who} to go on`,
  drain: (who) => `asked ${who} to finish what runs, then end`,
};
