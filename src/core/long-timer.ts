/** More than this overflows a timer, which then fires at once: 24.8 days. */
const LONGEST_MS = 2 ** 31 - 1;

/** As setTimeout, for any time up to Infinity; gives what stops it. */
export function startTimer(ms: number, act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const wait = (leftMs: number): void => {
    timer = leftMs > LONGEST_MS ? setTimeout(wait, LONGEST_MS, leftMs - LONGEST_MS) : setTimeout(act, leftMs);
  };
  wait(ms);
  return () => clearTimeout(timer);
}
