/** Numbers that were measured: an array, or a typed array where there are many. */
export type Sample = ArrayLike<number>;

/**
 * Why a sample can't be used, or undefined if it can: too few values, or one that is not a finite number.
 * A missing run must be left out by whoever knows why it is missing; here it must not turn into a number.
 */
export function sampleProblem(xs: Sample, atLeast: number, name = "the sample"): string | undefined {
  if (xs.length < atLeast) {
    if (xs.length === 0) return `${name} is empty`;
    return `${name} has ${count(xs.length, "value")} and this needs at least ${atLeast}`;
  }
  for (let i = 0; i < xs.length; i++) {
    if (!Number.isFinite(xs[i])) return `value ${i + 1} of ${xs.length} of ${name} is ${xs[i]}, not a number`;
  }
  return undefined;
}

/** As sampleProblem, for two samples; `paired` asks for equal lengths too. */
export function pairProblem(xs: Sample, ys: Sample, atLeast: number, paired = false): string | undefined {
  const problem =
    sampleProblem(xs, atLeast, "the first sample") ?? sampleProblem(ys, atLeast, "the second sample");
  if (problem) return problem;
  if (paired && xs.length !== ys.length) {
    return `pairs need two samples of one length, and these have ${xs.length} and ${ys.length} values`;
  }
  return undefined;
}

/** Whether every value is the same, so that the spread is zero and says nothing. */
export function allEqual(xs: Sample): boolean {
  for (let i = 1; i < xs.length; i++) if (xs[i] !== xs[0]) return false;
  return true;
}

/** "1 value", "2 values". */
function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}
