import type { ZodType, z } from "zod";
import { type Member, markMember } from "../core/family.ts";
import type { Params } from "../core/params.ts";

/** What an instrument gets: its options, and what it measures. */
export interface InstrumentContext<O = unknown> {
  options: O;
  /** The run's folder for files; null when the study keeps none. */
  outDir: string | null;
  /** The process at the root of what is measured; undefined when that is this thread. */
  pid: number | undefined;
  /** 0 for the first measured iteration; always 0 around a whole run. */
  iteration: number;
  /** Says what a reader of the results should keep in mind. */
  warn(text: string): void;
}

export type Measured = Record<string, number | null>;
export type EndInstrument = () => Measured | Promise<Measured>;

/** Measures something around the body of a run, never inside it: the clock is read between its start and its end. */
export interface Instrument<S extends ZodType = ZodType> extends Member {
  description: string;
  /** A zod object with defaults and descriptions; without one the instrument takes no options. */
  options?: S;
  /** Around each measured iteration (the default), or once around all of a run's. */
  around?: "iteration" | "run";
  /** Modules only, unless it says that it can measure a program from outside, or that it looks into Python. */
  measures?: "modules" | "anything" | "python";
  /** The words that start a program, changed so that it can be measured. */
  command?(argv: string[], ctx: Omit<InstrumentContext<z.output<S>>, "pid" | "warn">): string[];
  /** Called before the body; what it returns is called after it and gives metrics, with units in their names. */
  start(ctx: InstrumentContext<z.output<S>>): EndInstrument | Promise<EndInstrument>;
}

/** Declares an instrument: `export default defineInstrument({...})`. */
export function defineInstrument<S extends ZodType>(instrument: Instrument<S>): Instrument<S> {
  return markMember("instrument", instrument);
}

/** An instrument with its options checked. */
export interface BoundInstrument {
  instrument: Instrument;
  options: Params;
}
