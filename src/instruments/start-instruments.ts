import { errorText } from "../core/errors.ts";
import type { BoundInstrument, EndInstrument, InstrumentContext, Measured } from "./instrument.ts";

type Around = Omit<InstrumentContext, "options">;
type Started = { name: string; end: EndInstrument };

/**
 * Starts instruments in order; what comes back ends them in reverse, so that the last one sees the least of the
 * others. Nothing waits for a promise unless one of them gave one. One that fails costs its own metrics and is a
 * warning: what the others and the target measured stands.
 */
export function startInstruments(
  bound: readonly BoundInstrument[],
  ctx: Around,
): EndInstrument | Promise<EndInstrument> {
  const started: Started[] = [];
  for (let i = 0; i < bound.length; i++) {
    const { name } = bound[i]!.instrument;
    const end = startOne(bound[i]!, ctx);
    if (end instanceof Promise) return startRest(bound.slice(i), { started, first: end, ctx });
    if (end) started.push({ name, end });
  }
  return () => endAll(started, ctx);
}

type Start = EndInstrument | undefined | Promise<EndInstrument | undefined>;

function startOne({ instrument, options }: BoundInstrument, ctx: Around): Start {
  const fail = (error: unknown) => tellFailure(instrument.name, error, ctx);
  try {
    const end = instrument.start({ ...ctx, options });
    return end instanceof Promise ? end.catch(fail) : end;
  } catch (error) {
    return fail(error);
  }
}

async function startRest(
  rest: readonly BoundInstrument[],
  { started, first, ctx }: { started: Started[]; first: Promise<EndInstrument | undefined>; ctx: Around },
): Promise<EndInstrument> {
  for (const [i, bound] of rest.entries()) {
    const end = await (i === 0 ? first : startOne(bound, ctx));
    if (end) started.push({ name: bound.instrument.name, end });
  }
  return () => endAll(started, ctx);
}

function endAll(started: Started[], ctx: Around): Measured | Promise<Measured> {
  const measured: Measured = {};
  for (let i = started.length - 1; i >= 0; i--) {
    const given = endOne(started[i]!, ctx);
    if (given instanceof Promise)
      return endRest(given, { rest: started.slice(0, i).reverse(), measured, ctx });
    Object.assign(measured, given);
  }
  return measured;
}

function endOne({ name, end }: Started, ctx: Around): Measured | undefined | Promise<Measured | undefined> {
  const fail = (error: unknown) => tellFailure(name, error, ctx);
  try {
    const given = end();
    return given instanceof Promise ? given.catch(fail) : given;
  } catch (error) {
    return fail(error);
  }
}

async function endRest(
  first: Promise<Measured | undefined>,
  { rest, measured, ctx }: { rest: Started[]; measured: Measured; ctx: Around },
): Promise<Measured> {
  Object.assign(measured, await first);
  for (const started of rest) Object.assign(measured, await endOne(started, ctx));
  return measured;
}

function tellFailure(name: string, error: unknown, { warn }: Around): undefined {
  warn(`instrument ${name} failed: ${errorText(error)}`);
}

/** The words that start a program, as its instruments want them. */
export function measuredCommand(
  argv: string[],
  bound: readonly BoundInstrument[],
  ctx: Pick<InstrumentContext, "outDir" | "iteration">,
): string[] {
  return bound.reduce(
    (words, { instrument, options }) => instrument.command?.(words, { ...ctx, options }) ?? words,
    argv,
  );
}
