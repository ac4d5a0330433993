import type { Socket } from "node:net";

/** One JSON value a line, both ways. */
export function readLines<T>(socket: Socket, receive: (value: T) => void): void {
  let rest = "";
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop()!;
    for (const line of lines) receive(JSON.parse(line) as T);
  });
}

export function writeLine(socket: Socket, value: unknown): void {
  if (!socket.destroyed) socket.write(`${JSON.stringify(value)}\n`);
}
