import { UserError } from "../core/errors.ts";
import type { InstrumentRef } from "../core/study.ts";
import { suggestion } from "../core/suggest.ts";
import type { Instrument } from "./instrument.ts";
import { timing } from "./timing.ts";

export const instruments: Readonly<Record<string, Instrument>> = { timing };

export function checkInstruments(refs: InstrumentRef[]): void {
  for (const { name } of refs) {
    if (!Object.hasOwn(instruments, name)) {
      throw new UserError(`there is no instrument "${name}"`, {
        remedy: suggestion(name, Object.keys(instruments)),
      });
    }
  }
}

/** Starts all in order; what comes back ends them in reverse, so that the first one sees the least of the others. */
export function startInstruments(refs: InstrumentRef[]): () => Record<string, number> {
  const ends = refs.map(({ name, options }) => instruments[name]!.start(options));
  return () => Object.assign({}, ...ends.reverse().map((end) => end()));
}
