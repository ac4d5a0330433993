import "../../support/in-memory.ts";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Server } from "node:net";
import { homedir } from "node:os";
import { describe, expect, test } from "vitest";
import { bubblewrap } from "../../../src/sandboxes/bubblewrap/index.ts";
import { MissingProgramError } from "../../../src/sandboxes/sandbox.ts";
import { isAlive, processesWith } from "../../support/processes.ts";
import { SandboxedFolder, skipNote } from "../../support/sandboxed.ts";
import { TempFolder } from "../../support/temp-folder.ts";

const note = await skipNote(bubblewrap);

describe.skipIf(note !== "")(`the sandbox bubblewrap${note}`, () => {
  test("tells how each of many programs ended, also while its own process has much else to do", async () => {
    const boxes = Array.from({ length: 24 }, () => new SandboxedFolder(bubblewrap));
    const codes = boxes.map(async (box) => {
      const { exitCode } = await box.run("exit 3");
      // The ends of others are met late, several at once.
      for (const untilMs = performance.now() + 5; performance.now() < untilMs; );
      return exitCode;
    });
    expect(await Promise.all(codes)).toEqual(boxes.map(() => 3));
    for (const box of boxes) box[Symbol.dispose]();
  });
});

describe.skipIf(note !== "")(`a program that is not there, for the sandbox bubblewrap${note}`, () => {
  test.each(["no-such-program", "/opt/no-such-program"])("is told beforehand: %s", async (name) => {
    using box = new SandboxedFolder(bubblewrap);
    const moved = { writable: [{ path: box.path, as: "/app" }] };
    for (const more of [{}, moved])
      await expect(box.execute({ argv: [name], ...more })).rejects.toThrow(MissingProgramError);
    writeFileSync(`${box.path}/own.sh`, "#!/bin/sh\nexit 4\n", { mode: 0o755 });
    for (const path of ["./own.sh", "/app/own.sh"])
      expect(await box.execute({ argv: [path], ...moved })).toMatchObject({ exitCode: 4 });
  });
});

describe.skipIf(note !== "")(`the sandbox bubblewrap keeps in${note}`, () => {
  test("who goes up, or away by a whole path", async () => {
    using box = new SandboxedFolder(bubblewrap);
    writeFileSync(`${box.outside}/secret.txt`, "secret");
    const { stdout } = await box.run(`
      cat ../outside/secret.txt ${box.outside}/secret.txt /proc/1/root${box.outside}/secret.txt
      echo x > ../made.txt; echo x > ${box.outside}/made.txt; ls -A ..; ls -A ${homedir()} /root /home /work /mnt /srv /sys`);
    expect(stdout.split("\n").filter((line) => !/^(|work|made.txt)$/.test(line))).toEqual([]);
    expect(readdirSync(box.outside)).toEqual(["secret.txt"]);
    expect(readdirSync(`${box.outside}/..`)).not.toContain("made.txt");
  });

  test("who follows a link out, soft or hard", async () => {
    using box = new SandboxedFolder(bubblewrap);
    writeFileSync(`${box.outside}/secret.txt`, "secret");
    symlinkSync(box.outside, `${box.path}/folder`);
    symlinkSync(`${box.outside}/secret.txt`, `${box.path}/file`);
    const { stdout, exitCode } = await box.run(`
      cat folder/secret.txt file; echo x > file; echo x > folder/made.txt
      ln /etc/passwd hard && exit 1; ln ../outside/secret.txt hard && exit 1; exit 0`);
    expect(stdout).toBe("");
    expect(exitCode).toBe(0);
    expect(readFileSync(`${box.outside}/secret.txt`, "utf8")).toBe("secret");
    expect(readdirSync(box.outside)).toEqual(["secret.txt"]);
  });

  test("who writes to the system, its devices or its kernel", async () => {
    using box = new SandboxedFolder(bubblewrap);
    const places = [
      "/x",
      "/usr/x",
      "/etc/x",
      "/etc/passwd",
      "/opt/x",
      "/var/x",
      "/run/x",
      "/dev/x",
      "/proc/x",
    ];
    const settings = ["/proc/sys/kernel/hostname", "/proc/sys/vm/swappiness", "/proc/sysrq-trigger"];
    const script = [...places, ...settings]
      .map((path) => `true 2>/dev/null >> ${path} && echo ${path}`)
      .join("\n");
    expect((await box.run(`${script}\n:`)).stdout).toBe("");
    const devices = (await box.run("ls /dev")).stdout.split("\n");
    expect(devices.filter((name) => /^(sd|vd|nvme|loop|kvm|mem|kmsg|fuse|vsock)/.test(name))).toEqual([]);
  });

  test("who would like other powers", async () => {
    using box = new SandboxedFolder(bubblewrap);
    const { stdout } = await box.run("grep -E '^(CapEff|CapBnd|NoNewPrivs)' /proc/self/status");
    expect(stdout).toBe(`CapEff:\t${"0".repeat(16)}\nCapBnd:\t${"0".repeat(16)}\nNoNewPrivs:\t1\n`);
    const tries =
      "mount -t tmpfs none /usr; umount /etc; mount -o remount,rw /; mknod disk b 8 0; chroot . ; nsenter -t 1 -m true";
    const script = tries.split(";").map((command) => `${command} 2>/dev/null && echo "${command}"`);
    expect(await box.run(`${script.join("\n")}\nexit 0`)).toMatchObject({ stdout: "", exitCode: 0 });
    expect((await box.run("ls /usr/bin/env /etc/passwd")).exitCode).toBe(0);
  });

  test("who makes a namespace inside to undo what covers the kernel's settings", async () => {
    using box = new SandboxedFolder(bubblewrap);
    const script =
      "umount /proc/sys; umount /etc/shadow; mount -t proc none /proc; true >> /proc/sys/vm/swappiness && echo written; cat /etc/shadow";
    const { stdout } = await box.run(
      `unshare -Urmpf --mount-proc sh -c '${script}'; unshare -Urm sh -c '${script}'`,
    );
    expect(stdout).toBe("");
  });

  test("who looks for secrets of the machine, also where root runs it", async () => {
    using box = new SandboxedFolder(bubblewrap);
    const { stdout } = await box.run(`
      cat /etc/shadow /etc/gshadow /etc/ssh/ssh_host_*_key /proc/1/environ | tr '\\0' '\\n' | grep -v '^ASSAY'
      ls /etc/ssl/private/* ~/.ssh /root/.ssh; find /root /home /var /tmp /opt -name .bash_history -o -name id_rsa -o -name credentials.json`);
    expect(
      stdout
        .split("\n")
        .filter((line) => !/^(PATH|LANG|HOME|PWD|TMPDIR|TERM|PAGER|GIT_PAGER)=|^$/.test(line)),
    ).toEqual([]);
  });

  test("who sees or ends processes of the machine", async () => {
    using box = new SandboxedFolder(bubblewrap);
    const { stdout } = await box.run(
      `kill -9 ${process.pid} && echo killed; kill -9 -1; ls /proc | grep -c '^[0-9]'`,
    );
    expect(Number(stdout || "0")).toBeLessThan(10);
    expect(isAlive(process.pid)).toBe(true);
  });

  test("who calls the machine by its own address, unless it may", async () => {
    using box = new SandboxedFolder(bubblewrap);
    let calls = 0;
    const server = createServer((socket) => {
      calls++;
      socket.end("hello");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
    const { port } = server.address() as { port: number };
    const call = `import socket; print(socket.create_connection(("127.0.0.1", ${port}), 100).recv(9))`;
    const refused = await box.execute({ argv: ["python3", "-c", call] });
    expect(refused).toMatchObject({ exitCode: 1, stdout: "", stderr: expect.stringContaining("refused") });
    expect(calls).toBe(0);
    const allowed = await box.execute({ argv: ["python3", "-c", call], network: true });
    expect(allowed).toMatchObject({ exitCode: 0, stdout: "b'hello'\n" });
    await new Promise((resolve) => server.close(resolve));
  });

  test("who calls anybody but those whom it may reach", async () => {
    using box = new SandboxedFolder(bubblewrap);
    const hello = () => createHttpServer((asked, answer) => answer.end(`hello ${asked.headers.host}`));
    const [gateway, far, other] = [hello(), hello(), hello()];
    const portOf = async (server: Server, host: string) => {
      await new Promise<void>((resolve) => server.listen(0, host, () => resolve()));
      return (server.address() as { port: number }).port;
    };
    const reach = [
      { host: "127.0.0.1", port: await portOf(gateway, "127.0.0.1") },
      // No loopback that programs know of: it goes by the proxy.
      { host: "127.0.0.2", port: await portOf(far, "127.0.0.2") },
    ];
    const unreached = await portOf(other, "127.0.0.1");
    const call = `
import sys, urllib.request
for url in sys.argv[1:]:
    try: print(urllib.request.urlopen(url, timeout=100).read().decode())
    except Exception as error: print(error)
`;
    const addresses = [
      ...reach.map(({ host, port }) => `http://${host}:${port}/v1`),
      `http://127.0.0.1:${unreached}/`,
      `http://127.0.0.3:${unreached}/`,
    ];
    const { exitCode, stdout } = await box.execute({ argv: ["python3", "-c", call, ...addresses], reach });
    expect(stdout.trim().split("\n")).toEqual([
      `hello 127.0.0.1:${reach[0]!.port}`,
      `hello 127.0.0.2:${reach[1]!.port}`,
      expect.stringContaining("refused"),
      expect.stringContaining("403"),
    ]);
    expect(exitCode).toBe(0);
    expect((await box.run("exit 7", { reach })).exitCode).toBe(7);
    // Nobody answers questions for names, and nobody should wait for that.
    expect((await box.run("cat /etc/resolv.conf", { reach })).stdout).toContain("timeout:0");
    expect((await box.run("kill -KILL $$", { reach })).exitCode).toBe(
      (await box.run("kill -KILL $$")).exitCode,
    );
    expect(
      (await box.runLate("echo up; sleep 1000", ({ stdout }) => stdout === "up\n", { reach })).ended,
    ).toBe("timeout");
    for (const server of [gateway, far, other]) server.close();
  });

  test("who keeps things in /tmp for the next one", async () => {
    using box = new SandboxedFolder(bubblewrap);
    expect((await box.run("echo kept > /tmp/kept; echo kept > /var/tmp/more; ls /tmp")).stdout).toContain(
      "kept",
    );
    const { stdout } = await box.run("ls -A /tmp /var/tmp /dev/shm");
    expect(stdout).not.toContain("kept");
    expect(existsSync("/tmp/kept")).toBe(false);
  });

  test("who leaves a daemon without any sign of where it came from", async () => {
    using box = new SandboxedFolder(bubblewrap);
    const script = `env -i setsid sh -c 'echo > started; sleep 600; :' ${box.path} <&- >&- 2>&- & while [ ! -e started ]; do :; done`;
    expect(await box.run(script)).toMatchObject({ exitCode: 0 });
    expect(processesWith(`\0${box.path}\0`)).toEqual([]);
  });
});

describe.skipIf(note !== "")(`the sandbox bubblewrap shows${note}`, () => {
  test("folders under other names, read-only where it is asked to", async () => {
    using box = new SandboxedFolder(bubblewrap);
    using tests = new TempFolder({ "test.sh": "echo tested; pwd" });
    mkdirSync(`${box.path}/src`);
    const result = await box.execute({
      argv: ["/bin/sh", "/tests/test.sh"],
      cwd: `${box.path}/src`,
      writable: [{ path: box.path, as: "/app" }],
      readable: [{ path: tests.path, as: "/tests" }],
    });
    expect(result).toMatchObject({ exitCode: 0, stdout: "tested\n/app/src\n" });
    const writing = {
      writable: [{ path: box.path, as: "/app" }],
      readable: [{ path: tests.path, as: "/tests" }],
    };
    const { stdout } = await box.run(
      `true >> /tests/x && echo written; true >> /app/y && echo fine; ls ${box.path}`,
      writing,
    );
    expect(stdout).toBe("fine\n");
    expect(existsSync(`${box.path}/y`)).toBe(true);
  });

  test("what may only be read within what may be written", async () => {
    using box = new SandboxedFolder(bubblewrap);
    const given = `${box.path}/given.txt`;
    writeFileSync(given, "as given");
    const options = {
      readable: [
        { path: given },
        { path: box.path },
        { path: "/" },
        { path: "/tmp" },
        { path: "/usr/bin/env" },
      ],
    };
    const { stdout } = await box.run("echo x > given.txt; cat given.txt; echo y > other.txt", options);
    expect(stdout).toBe("as given");
    expect(readFileSync(`${box.path}/other.txt`, "utf8")).toBe("y\n");
  });

  test("what SANDBOX_READABLE names, and says so where a program is hidden", async () => {
    using box = new SandboxedFolder(bubblewrap);
    using tools = new TempFolder({ "bin/tool": "#!/bin/sh\necho works\n" });
    const env = { PATH: `${tools.path}/bin:/usr/bin:/bin` };
    chmodSync(`${tools.path}/bin/tool`, 0o755);
    await expect(box.execute({ argv: ["tool"], env })).rejects.toThrow(
      `the program tool is at ${tools.path}/bin/tool, which the sandbox hides. Name its folder in SANDBOX_READABLE.`,
    );
    process.env.SANDBOX_READABLE = tools.path;
    try {
      expect(await box.execute({ argv: ["tool"], env })).toMatchObject({ stdout: "works\n", exitCode: 0 });
    } finally {
      delete process.env.SANDBOX_READABLE;
    }
  });

  test("nothing of a hard link's other name, but the file itself", async () => {
    using box = new SandboxedFolder(bubblewrap);
    writeFileSync(`${box.outside}/shared.txt`, "one file, two names");
    linkSync(`${box.outside}/shared.txt`, `${box.path}/shared.txt`);
    expect((await box.run("cat shared.txt")).stdout).toBe("one file, two names");
  });

  test("its own failure as one of the machine", async () => {
    using box = new SandboxedFolder(bubblewrap);
    await expect(box.run("true", { writable: [{ path: box.path, as: "/proc/nowhere" }] })).rejects.toThrow(
      /^bubblewrap failed: bwrap: /,
    );
  });
});
