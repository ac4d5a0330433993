/** Who asks something dear, such as all processes, leaves most of its core to those it waits for. */
const REST = 3;
const LONGEST_REST_MS = 100;

type Answer<T> = T | undefined | false | null | 0 | "";

/** Asks until the answer is truthy, and gives it. The deadline is for broken programs, not for slow machines. */
export async function waitFor<T>(
  what: string,
  ask: () => Answer<T> | Promise<Answer<T>>,
  { deadlineMs = 240_000, everyMs = 5 } = {},
): Promise<T> {
  const start = performance.now();
  for (;;) {
    const asked = performance.now();
    const answer = await ask();
    const restMs = Math.min(LONGEST_REST_MS, REST * (performance.now() - asked));
    if (answer) return answer as T;
    if (performance.now() - start > deadlineMs)
      throw new Error(`waited ${deadlineMs} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, Math.max(everyMs, restMs)));
  }
}
