import { spawnSync } from "node:child_process";
import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { bubblewrap } from "../../../src/sandboxes/bubblewrap/index.ts";
import { chooseForwarder, type Forwarder, forwarderBy } from "../../../src/sandboxes/forwarder.ts";
import { openRelay } from "../../../src/sandboxes/relay.ts";
import { Launched } from "../../support/launch.ts";

const problem = await bubblewrap.problem!();
const hasPerl = spawnSync("/usr/bin/perl", ["-MSocket", "-e", "1"]).status === 0;
const FORWARDERS: [string, Forwarder][] = [["Node", forwarderBy([process.execPath])]];
if (hasPerl) FORWARDERS.push(["Perl", (await chooseForwarder(() => true))!]);
const note = problem ? ` (skipped: ${problem})` : hasPerl ? "" : " (Perl is not installed)";

/** Says much and hears the same, 20 at once; each tells that it has said all before it has heard all. */
const TALK = `
import os, socket, sys, threading
def talk():
    said = os.urandom(3_000_000)
    with socket.create_connection(("127.0.0.1", int(sys.argv[1])), 100) as s:
        def say():
            s.sendall(said)
            s.shutdown(socket.SHUT_WR)
        threading.Thread(target=say).start()
        heard = b"".join(iter(lambda: s.recv(65536), b""))
        if heard == said: os.write(1, b"whole\\n")
talks = [threading.Thread(target=talk) for _ in range(20)]
for one in talks: one.start()
for one in talks: one.join()
sys.exit(7)
`;

describe.skipIf(problem !== undefined).each(FORWARDERS)(`the forwarder by %s${note}`, (_, forwarder) => {
  test("passes on all that is said both ways, also after one side has said all, and ends as its program", async () => {
    const echo = createServer({ allowHalfOpen: true }, (socket) => socket.on("error", () => {}).pipe(socket));
    await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", () => resolve()));
    const { port } = echo.address() as { port: number };
    const relay = await openRelay([{ host: "127.0.0.1", port }], forwarder);
    const { path, as } = relay.mount;
    const talk = ["python3", "-c", TALK, String(port)];
    const namespace = ["--dev-bind", "/", "/", "--unshare-net", "--unshare-pid", "--die-with-parent"];
    const words = ["bwrap", ...namespace, "--tmpfs", "/run", "--bind", path, as, "--", ...relay.wrap(talk)];
    const { code, stdout, stderr } = await new Launched(words, { cwd: "/", env: process.env }).ended;
    expect({ code, stdout, stderr }).toEqual({ code: 7, stdout: "whole\n".repeat(20), stderr: "" });
    await relay.close();
    echo.close();
  });
});
