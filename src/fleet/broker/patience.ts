const TICK_MS = 100;

/**
 * Calls `onEnd` after so much time in which an answer could have been heard. A machine or program that stood still
 * meanwhile says nothing about the server: such a time counts as one tick, and what came in it is heard first.
 * Returns what ends the wait.
 */
export function startPatience(ms: number, onEnd: () => void): () => void {
  let ticks = Math.ceil(ms / TICK_MS);
  const timer = setInterval(() => {
    if (--ticks > 0) return;
    clearInterval(timer);
    setImmediate(onEnd);
  }, TICK_MS);
  return () => clearInterval(timer);
}
