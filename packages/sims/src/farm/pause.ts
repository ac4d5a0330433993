/** Lets the rest of the process have a turn, and ends a run that should end. */
export async function pause(signal: AbortSignal): Promise<void> {
  await new Promise((resume) => setImmediate(resume));
  signal.throwIfAborted();
}
