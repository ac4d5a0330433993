// Preloaded into the runner: at its end, notes the most memory that it ever had.
import { readFileSync, writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

process.on("exit", () => {
  if (!isMainThread) return;
  const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"))[1];
  writeFileSync(process.env.PEAK_FILE, String(Number(kilobytes) / 1000));
});
