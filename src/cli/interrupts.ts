/** First Ctrl-C: launch nothing more. Second: end what runs. Third: leave at once. */
export function listenForInterrupts() {
  const stop = new AbortController();
  const kill = new AbortController();
  const onSignal = (signal: NodeJS.Signals) => {
    if (kill.signal.aborted) process.exit(130);
    if (stop.signal.aborted || signal === "SIGTERM") {
      stop.abort();
      kill.abort();
      process.stderr.write("\nending what runs\n");
    } else {
      stop.abort();
      process.stderr.write("\nletting what runs finish; Ctrl-C again ends it now\n");
    }
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, onSignal);
  const release = () => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, onSignal);
  };
  return { stop, kill, release };
}
