import "../../support/in-memory.ts";
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { directory } from "../../../src/sandboxes/directory.ts";
import { SandboxedFolder } from "../../support/sandboxed.ts";

test("the sandbox directory says that it isolates nothing", () => {
  expect(directory.isolates).toEqual([]);
});

test("the sandbox directory lets a program read and write whatever its user may", async () => {
  using box = new SandboxedFolder(directory);
  writeFileSync(`${box.outside}/theirs.txt`, "theirs");
  expect((await box.run("cat ../outside/theirs.txt; echo x > ../outside/made.txt")).stdout).toBe("theirs");
  expect(existsSync(`${box.outside}/made.txt`)).toBe(true);
});

test("the sandbox directory lets a program call the machine by its own address", async () => {
  using box = new SandboxedFolder(directory);
  const server = createServer((socket) => socket.end("hello"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.address() as { port: number };
  const call = `import socket; print(socket.create_connection(("127.0.0.1", ${port}), 100).recv(9))`;
  expect(await box.execute({ argv: ["python3", "-c", call] })).toMatchObject({ stdout: "b'hello'\n" });
  await new Promise((resolve) => server.close(resolve));
});

test("the sandbox directory lets a program end other processes of its user", async () => {
  using box = new SandboxedFolder(directory);
  const other = spawn("sleep", ["600"]);
  const ended = new Promise((resolve) => other.once("exit", (_, signal) => resolve(signal)));
  await box.run(`kill -9 ${other.pid}`);
  expect(await ended).toBe("SIGKILL");
});

test("the sandbox directory refuses to show a folder under another name", async () => {
  using box = new SandboxedFolder(directory);
  const moved = box.run("true", { writable: [{ path: box.path, as: "/app" }] });
  await expect(moved).rejects.toThrow(`can't show ${box.path} as /app`);
  expect((await box.run("true", { writable: [{ path: box.path, as: box.path }] })).exitCode).toBe(0);
});

test("two programs at once end without each other", async () => {
  using box = new SandboxedFolder(directory);
  using other = new SandboxedFolder(directory);
  const control = new AbortController();
  const long = other.run("sleep 600", { signal: control.signal });
  expect(await box.run("sleep 600 & echo done > done.txt")).toMatchObject({ exitCode: 0 });
  expect(readFileSync(`${box.path}/done.txt`, "utf8")).toBe("done\n");
  control.abort();
  expect(await long).toMatchObject({ ended: "cancelled" });
});
