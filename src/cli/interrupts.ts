import { constants } from "node:os";
import { Preemption } from "../core/preemption.ts";
import { prose, room } from "./terminal.ts";

type Interrupt = "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGQUIT";

/** 128 + n as shells have it; TERM counts as interrupted. */
const EXIT_CODES: Record<Interrupt, number> = {
  SIGINT: 128 + constants.signals.SIGINT,
  SIGTERM: 128 + constants.signals.SIGINT,
  SIGHUP: 128 + constants.signals.SIGHUP,
  SIGQUIT: 128 + constants.signals.SIGQUIT,
};

export interface Interrupts {
  stop: AbortController;
  kill: AbortController;
  /** The first signal that came. */
  readonly signal: Interrupt | undefined;
  /** Of a command that was interrupted, by a signal or from outside. */
  readonly exitCode: number;
  release(): void;
}

interface Manners {
  /** Those that at first only launch nothing more. */
  gentle?: readonly Interrupt[];
  ending?: string;
}

/**
 * First Ctrl-C: launch nothing more. TERM: ask what runs to end, and end it after its grace. Second Ctrl-C, a closed terminal (HUP) or Ctrl-\ (QUIT): end what runs and
 * record it. Third Ctrl-C: leave at once. HUP and TERM come in numbers (a closing terminal's shell and the kernel both
 * send one), so no second one of these cuts the ending short.
 */
export function listenForInterrupts({
  gentle = ["SIGINT"],
  ending = "ending what runs",
}: Manners = {}): Interrupts {
  const stop = new AbortController();
  const kill = new AbortController();
  let first: Interrupt | undefined;
  const onSignal = (signal: Interrupt) => {
    first ??= signal;
    if (kill.signal.aborted) {
      if (signal === "SIGINT" || signal === "SIGQUIT") process.exit(EXIT_CODES[first]);
    } else if (stop.signal.aborted || !gentle.includes(signal)) {
      stop.abort();
      // TERM is what a machine says that is wanted back.
      kill.abort(signal === "SIGTERM" ? new Preemption() : undefined);
      process.stderr.write(`\n${ending}\n`);
    } else {
      stop.abort();
      process.stderr.write(
        `\n${prose("finishing the runs in progress; press Ctrl-C again to end them now", room(process.stderr))}\n`,
      );
    }
  };
  const signals = Object.keys(EXIT_CODES) as Interrupt[];
  for (const signal of signals) process.on(signal, onSignal);
  return {
    stop,
    kill,
    get signal() {
      return first;
    },
    get exitCode() {
      return EXIT_CODES[first ?? "SIGINT"];
    },
    release: () => {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
