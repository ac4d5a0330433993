/** The first result of a task that may fail. */
export async function retry(task, { attempts, delayMs, sleep }) {
  for (let attempt = 0; attempt <= attempts; attempt++) {
    try {
      return await task();
    } catch {
      await sleep(delayMs);
    }
  }
}
