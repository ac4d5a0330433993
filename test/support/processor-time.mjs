// Preloaded into a command: at its end, notes how much processor time it took.
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

process.on("exit", () => {
  if (!isMainThread) return;
  const { user, system } = process.cpuUsage();
  writeFileSync(process.env.PROCESSOR_FILE, String((user + system) / 1e6));
});
