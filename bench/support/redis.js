import { spawn } from "node:child_process";
import { createServer } from "node:net";

/** A Redis of one's own that stands in the foreground; `keeps` what it has over a restart. */
export function spawnRedis({ port, dir, keeps = false }) {
  const own = ["--port", String(port), "--bind", "127.0.0.1", "--dir", dir];
  const words = [...own, "--save", "", "--appendonly", keeps ? "yes" : "no"];
  return spawn("redis-server", words, { stdio: "ignore" });
}

/** A port that nobody listens on. */
export function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
