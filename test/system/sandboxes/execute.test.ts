import "../../support/in-memory.ts";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { bubblewrap } from "../../../src/sandboxes/bubblewrap/index.ts";
import { directory } from "../../../src/sandboxes/directory.ts";
import { SandboxError } from "../../../src/sandboxes/sandbox.ts";
import { processesWith } from "../../support/processes.ts";
import { SandboxedFolder, usable } from "../../support/sandboxed.ts";
import { SmallDisk } from "../../support/small-disk.ts";
import { waitFor } from "../../support/wait-for.ts";

const python = (code: string) => `python3 -c '${code}'`;
/** Twice forked, in a session of its own, its output closed: as daemons do. */
const DAEMON = python(`
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for n in (0, 1, 2): os.close(n)
        open("started", "w").write("x")
        time.sleep(600)
    os._exit(0)
while not os.path.exists("started"): time.sleep(0.01)
`);

const UNTIL_STARTED = "while [ ! -e started ]; do sleep 0.01; done";

describe.each(await usable([directory, bubblewrap]))("a program in the sandbox $name", (sandbox) => {
  /** Gives it a mark of its own in the environment, by which what it left could be found. */
  const leftBy = (box: SandboxedFolder) => processesWith(`BOX=${box.path}`);
  const marked = (box: SandboxedFolder) => ({ env: { BOX: box.path } });

  test("prints to files, ends with its code and leaves its files", async () => {
    using box = new SandboxedFolder(sandbox);
    const result = await box.run("echo out; echo err >&2; pwd > made.txt; exit 3");
    expect(result).toMatchObject({ stdout: "out\n", stderr: "err\n", exitCode: 3, omittedBytes: 0 });
    expect(result.ended).toBeUndefined();
    expect(readFileSync(`${box.path}/made.txt`, "utf8")).toBe(`${box.path}\n`);
  });

  test("gets its own environment and nothing of ours", async () => {
    using box = new SandboxedFolder(sandbox);
    process.env.ASSAY_TEST_API_KEY = "secret";
    const { stdout } = await box.run("env", { env: { GIVEN: "a b\nc", HOME: "/h" } });
    delete process.env.ASSAY_TEST_API_KEY;
    expect(stdout).not.toContain("secret");
    expect(stdout).toContain("GIVEN=a b\nc\n");
    expect(stdout).toContain("HOME=/h\n");
    expect(stdout).toMatch(/^PATH=/m);
  });

  test("has a home and a place for temporary files, the latter gone afterwards", async () => {
    using box = new SandboxedFolder(sandbox);
    const { stdout } = await box.run('echo "$HOME"; f=$(mktemp) && echo "$f"; dirname "$f"; echo "$TMPDIR"');
    const [home, made, folder, tmp] = stdout.trim().split("\n");
    expect(home).toBe(box.path);
    expect(folder).toBe(tmp);
    expect(existsSync(made!)).toBe(false);
  });

  test("has none of the files that we were started with", async () => {
    using box = new SandboxedFolder(sandbox);
    const list = `import os
for n in os.listdir("/proc/self/fd"):
    try: print(os.readlink("/proc/self/fd/" + n))
    except OSError: pass`;
    const { stdout } = await box.execute({ argv: ["python3", "-c", list] });
    const files = [...new Set(stdout.trim().split("\n"))];
    expect(files.filter((file) => !file.includes("assay-io") && !file.startsWith("/proc/"))).toEqual([
      "/dev/null",
    ]);
  });

  test("may open its output by name, as scripts do", async () => {
    using box = new SandboxedFolder(sandbox);
    const result = await box.run("echo one > /dev/stdout; echo two | tee /dev/stderr > /dev/null");
    expect(result).toMatchObject({ stdout: "one\n", stderr: "two\n", exitCode: 0 });
  });

  test("that is not there is a failure of the machine, not a result", async () => {
    using box = new SandboxedFolder(sandbox);
    await expect(box.execute({ argv: ["no-such-program"] })).rejects.toThrow(SandboxError);
    await expect(box.execute({ argv: ["./no-such-program"] })).rejects.toThrow("was not found");
    await expect(box.run("true", { stdoutPath: "/no/such/folder/x" })).rejects.toThrow("could not be kept");
  });

  test("whose interpreter is missing ends with 127", async () => {
    using box = new SandboxedFolder(sandbox);
    await box.run("printf '#!/no/such/interpreter\\n' > script; chmod +x script");
    expect(await box.execute({ argv: ["./script"] })).toMatchObject({ exitCode: 127 });
  });

  test("that a signal ends has no exit code", async () => {
    using box = new SandboxedFolder(sandbox);
    expect(await box.run("kill -SEGV $$")).toMatchObject({ exitCode: null });
  });

  test("is ended at its time limit, also where it ignores being asked", async () => {
    using box = new SandboxedFolder(sandbox);
    const script = "trap '' TERM; echo started; while :; do sleep 0.05; done";
    const result = await box.runLate(script, ({ stdout }) => stdout !== "", marked(box));
    expect(result).toMatchObject({ ended: "timeout", exitCode: null, stdout: "started\n" });
    expect(leftBy(box)).toEqual([]);
  });

  test("is asked first at its time limit and may leave things in order", async () => {
    using box = new SandboxedFolder(sandbox);
    const script = "trap 'echo tidied > last; exit 5' TERM; while :; do sleep 0.05; done";
    // Where the machine stands still for the second that a program has, it is killed before it could.
    const result = await box.runLate(script, () => existsSync(`${box.path}/last`));
    expect(result).toMatchObject({ ended: "timeout" });
    expect(readFileSync(`${box.path}/last`, "utf8")).toBe("tidied\n");
  });

  test("is ended when it is cancelled, before or while it runs", async () => {
    using box = new SandboxedFolder(sandbox);
    const control = new AbortController();
    const running = box.run("touch begun; sleep 600", { signal: control.signal, ...marked(box) });
    await waitFor("it to begin", () => existsSync(`${box.path}/begun`));
    control.abort();
    expect(await running).toMatchObject({ ended: "cancelled", exitCode: null });
    expect(leftBy(box)).toEqual([]);
    rmSync(`${box.path}/begun`);
    expect(await box.run("touch begun", { signal: control.signal })).toMatchObject({ ended: "cancelled" });
    expect(existsSync(`${box.path}/begun`)).toBe(false);
  });

  test.each([
    ["in the background", "sleep 600 & sleep 600 &"],
    ["that forked twice into a session of its own", DAEMON],
    ["with an empty environment", `env -i sh -c ': > started; sleep 600; :' "$BOX" & ${UNTIL_STARTED}`],
  ])("leaves no process %s", async (_, script) => {
    using box = new SandboxedFolder(sandbox);
    expect(await box.run(script, marked(box))).toMatchObject({ exitCode: 0 });
    expect(leftBy(box)).toEqual([]);
    // Also by what it was called with.
    expect(processesWith(`\0${box.path}\0`)).toEqual([]);
  });

  test("that multiplies is ended with all that came out of it", async () => {
    using box = new SandboxedFolder(sandbox);
    // Each one becomes two, in sessions of their own, up to some hundred.
    const script =
      "n=$((${N:-0} + 1)); export N=$n; [ $n -gt 7 ] || { setsid sh ./bomb & setsid sh ./bomb & }; sleep 600";
    await box.run(`cat > bomb <<'END'\n${script}\nEND`);
    const result = await box.run("sh ./bomb", { timeoutMs: 700, ...marked(box) });
    expect(result).toMatchObject({ ended: "timeout", exitCode: null });
    expect(leftBy(box)).toEqual([]);
  });

  test("that makes one process after the other is ended, and told apart", async () => {
    using box = new SandboxedFolder(sandbox);
    // Where the kernel refuses one more before it is seen, the rest stays until it is.
    const result = await box.run("(while :; do sleep 600 & done); exec sleep 600", marked(box));
    expect(result).toMatchObject({ ended: "processes", exitCode: null });
    expect(leftBy(box)).toEqual([]);
  });

  test("that prints without end has a small file with its beginning and its end", async () => {
    using box = new SandboxedFolder(sandbox);
    const script = "echo begin; head -c 200000000 /dev/zero | tr '\\0' x; echo end; yes | head -c 300000 >&2";
    const { stdout, omittedBytes, exitCode } = await box.run(script, { outputBytes: 10_000 });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^begin\nx+\n\(\d+ bytes omitted\)\nx+end\n$/);
    expect(stdout.length).toBeLessThan(10_100);
    expect(omittedBytes).toBe(200_000_010 - 10_000 + 300_000 - 10_000);
  });

  test("that takes too much memory is ended, and told apart", async () => {
    using box = new SandboxedFolder(sandbox);
    const eat = python("import time\nb = bytearray(150 << 20)\nb[:] = b[:]\ntime.sleep(600)");
    expect(await box.run(eat, { memoryMb: 100, ...marked(box) })).toMatchObject({
      ended: "memory",
      exitCode: null,
    });
    expect(leftBy(box)).toEqual([]);
    expect(await box.run("exec node -e 0", { memoryMb: 200 })).toMatchObject({ exitCode: 0 });
  });

  test("whose processes together take too much memory is ended, shared pages counted once", async () => {
    using box = new SandboxedFolder(sandbox);
    const share = (work: string) =>
      python(`import os, time
b = bytearray(40 << 20)
b[:] = b[:]
for i in range(4):
    if os.fork() == 0:
        ${work}
        os._exit(0)
for i in range(4): os.wait()`);
    expect(await box.run(share("time.sleep(0.5)"), { memoryMb: 120 })).toMatchObject({ exitCode: 0 });
    const own = "c = bytearray(40 << 20); c[:] = c[:]; time.sleep(600)";
    expect(await box.run(share(own), { memoryMb: 120 })).toMatchObject({ ended: "memory" });
  });

  test("that fills its disk is ended, and told apart, wherever it writes", async () => {
    using box = new SandboxedFolder(sandbox);
    const fill = (where: string) =>
      `for i in $(seq 60); do head -c 1000000 /dev/zero > ${where}/$i; done; sleep 600`;
    expect(await box.run(fill("."), { diskMb: 20 })).toMatchObject({ ended: "disk", exitCode: null });
    await box.run("rm -f ./*");
    expect(await box.run(fill('"$TMPDIR"'), { diskMb: 20 })).toMatchObject({ ended: "disk" });
    const atOnce = await box.run("head -c 400000000 /dev/zero > one", { diskMb: 20 });
    expect(atOnce).toMatchObject({ ended: "disk" });
    expect(statSync(`${box.path}/one`).size).toBeLessThan(60_000_000);
    await box.run("rm one");
    expect((await box.run("head -c 1000000 /dev/zero > two", { diskMb: 20 })).ended).toBeUndefined();
  });

  test("without a limit may fill a disk, but not the machine's memory", async (context) => {
    using box = new SandboxedFolder(sandbox);
    using disk = new SmallDisk(`${box.outside}/disk`, "700m");
    if (disk.refusal !== undefined) return context.skip(disk.refusal);
    const place = { cwd: disk.dir, writable: [{ path: disk.dir }] };
    expect(await box.run("head -c 1000000 /dev/zero > small; sleep 0.6", place)).toMatchObject({
      exitCode: 0,
    });
    const filling = await box.run("head -c 600000000 /dev/zero > large; sleep 600", place);
    expect(filling).toMatchObject({ ended: "disk" });
  });

  test("may leave folders that nobody may enter", async () => {
    using box = new SandboxedFolder(sandbox);
    const script = 'mkdir -p "$TMPDIR/a/b" && touch "$TMPDIR/a/b/c" && chmod 000 "$TMPDIR/a/b" "$TMPDIR/a"';
    const deep = python(`import os
os.chdir(os.environ["TMPDIR"])
for i in range(2000):
    os.mkdir("long-name")
    os.chdir("long-name")`);
    expect(await box.run(`${script}; echo "$TMPDIR"`)).toMatchObject({ exitCode: 0 });
    expect(await box.run(deep)).toMatchObject({ exitCode: 0 });
  });
});
