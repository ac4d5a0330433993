import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { podman } from "../../../src/sandboxes/containers/index.ts";
import { SandboxError } from "../../../src/sandboxes/sandbox.ts";
import { rollout } from "../../../src/targets/coding/index.ts";
import { hashTree } from "../../../src/targets/coding/tasks/hash-tree.ts";
import { BASE_IMAGE as image, testedEngine } from "../../support/base-image.ts";
import { fixture } from "../../support/fixture.ts";
import { isAlive, processesWith } from "../../support/processes.ts";
import { SandboxedFolder } from "../../support/sandboxed.ts";
import { SmallDisk } from "../../support/small-disk.ts";
import { TempFolder } from "../../support/temp-folder.ts";

const { note, isUsable } = await testedEngine();
const signal = new AbortController().signal;

const before = { ...process.env };
afterEach(() => {
  for (const name of ["PATH", "CONTAINERS_STORAGE_CONF"])
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
});

/** A program called podman that does something else where `condition` holds for its words, and is podman otherwise. */
function standIn(folder: TempFolder, condition: string, script: string): void {
  const real = spawnSync("sh", ["-c", "command -v podman"], { encoding: "utf8" }).stdout.trim();
  folder.write("bin/podman", `#!/bin/sh\nif ${condition}; then\n${script}\nfi\nexec ${real} "$@"\n`);
  chmodSync(`${folder.path}/bin/podman`, 0o755);
  process.env.PATH = `${folder.path}/bin:${before.PATH}`;
}

function build(folder: TempFolder, dockerfile: string, { network = false, timeoutMs = 600_000 } = {}) {
  folder.write("image/Dockerfile", dockerfile);
  const dir = `${folder.path}/image`;
  return podman.images!.prepare({ build: { dir, hash: hashTree(dir) }, timeoutMs, network }, { signal });
}

describe.skipIf(!isUsable)(`images and containers that others remove meanwhile${note}`, () => {
  test.each([
    `localhost/other:1: image not known`,
    `retrieving label for image "97d3a1": reading image "97d3a1": locating image with ID "97d3a1": identifier is not an image`,
    `removing image 97d3a1: container 5c2b using image could not be removed: container 5c2b does not exist in database: no such container`,
  ])("keep none from being listed and removed: %s", async (words) => {
    using folder = new TempFolder();
    const fails = `[ ! -e ${folder.path}/once ] && case " $* " in *" images "*|*" rmi "*) true ;; *) false ;; esac`;
    const name = (await build(folder, `FROM ${image}\nLABEL test=${process.pid}${words.length}\n`)).name;
    standIn(folder, fails, `touch ${folder.path}/once; echo 'Error: ${words}' >&2; exit 125`);
    expect((await podman.images!.list()).map(({ name }) => name)).toContain(`localhost/${name}`);
    rmSync(`${folder.path}/once`);
    expect(await podman.images!.remove(name)).toBe(true);
    expect(existsSync(`${folder.path}/once`)).toBe(true);
  });

  test("are gone where they are the very one that is asked for", async () => {
    using folder = new TempFolder();
    standIn(
      folder,
      "true",
      `echo asked >> ${folder.path}/calls; echo 'Error: none:1: image not known' >&2; exit 1`,
    );
    expect(await podman.images!.remove("none:1")).toBe(false);
    expect(readFileSync(`${folder.path}/calls`, "utf8")).toBe("asked\n");
  });
});

describe.skipIf(!isUsable)(`a Dockerfile${note}`, () => {
  test("that needs a network where it has none can't be built, and the reason is told", async () => {
    using folder = new TempFolder();
    const text = `FROM ${image}\nRUN bash -c 'exec 3<>/dev/tcp/192.0.2.1/80'\n`;
    await expect(build(folder, text)).rejects.toThrow(/can't be built: .*(unreachable|exit status 1)/s);
  });

  test("that would fill the disk is ended before it has", async (context) => {
    using folder = new TempFolder();
    using disk = new SmallDisk(`${folder.path}/disk`, "1500m");
    context.skip(disk.refusal !== undefined, disk.refusal);
    folder.write(
      "storage.conf",
      `[storage]\ndriver = "overlay"\ngraphroot = "${disk.dir}/root"\nrunroot = "${disk.dir}/run"\n`,
    );
    process.env.CONTAINERS_STORAGE_CONF = `${folder.path}/storage.conf`;
    const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "assay-tests");
    const tar = readdirSync(cache).find((name) => /^base-.*\.tar$/.test(name));
    const imported = spawnSync("podman", ["import", "--quiet", join(cache, tar!), image], {
      encoding: "utf8",
    });
    expect(imported.stderr).toBe("");
    const text = `FROM ${image}\nRUN head -c 900m /dev/zero > /large; sleep 600\n`;
    await expect(build(folder, text)).rejects.toThrow("it would have filled the disk");
  });
});

const TASK = {
  "task/task.toml": "[environment]\nallow_internet = false\n",
  "task/instruction.md": "Write on.\n",
  "task/environment/Dockerfile": `FROM ${image}\nWORKDIR /app\nRUN echo off > lamp\nLABEL test=${process.pid}\n`,
  "task/solution/solve.sh": "echo on > lamp\n",
  "task/tests/test.sh":
    "grep -qx on lamp && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt\n",
};

const roll = (folder: TempFolder, params: object) =>
  rollout.run(
    {
      params: rollout.params.parse({ sandbox: "podman", ...params }),
      ...{ seed: 1, task: "task", repeat: 0, iteration: 0, baseDir: folder.path, outDir: null },
      ...{ signal, series: () => {}, warn: () => {} },
    },
    undefined,
  );

describe.skipIf(!isUsable)(`a rollout in a container${note}`, () => {
  test("whose image is removed under the study is missing once, and the next try builds it again", async () => {
    using folder = new TempFolder(TASK);
    expect(await roll(folder, { agent: "oracle" })).toMatchObject({ solved: 1 });
    const name = `assay-task:${hashTree(`${folder.path}/task/environment`)}`;
    expect(await podman.images!.remove(name)).toBe(true);
    await expect(roll(folder, { agent: "oracle" })).rejects.toMatchObject({ owner: "infrastructure" });
    expect(await roll(folder, { agent: "oracle" })).toMatchObject({ solved: 1 });
  });

  test("and another one of the same image at once, which nobody has built: it is built once", async () => {
    using folder = new TempFolder({ ...TASK, "task/environment/new": String(Math.random()) });
    standIn(
      folder,
      `case " $* " in *" build "*) true ;; *) false ;; esac`,
      `echo "$@" >> ${folder.path}/builds`,
    );
    const [one, two] = await Promise.all([roll(folder, { agent: "oracle" }), roll(folder, { agent: "nop" })]);
    expect([one, two]).toMatchObject([{ solved: 1 }, { solved: 0 }]);
    expect(readFileSync(`${folder.path}/builds`, "utf8").trim().split("\n")).toHaveLength(1);
  });

  test("whose machine the agent ruined, so that no test can start there, is not solved", async () => {
    using folder = new TempFolder(TASK);
    const ruins = ["rm -rf /usr /bin", "cd /; rm -r /app; touch /app"];
    const ruined = ruins.map((script) => roll(folder, { agent: ["sh", "-c", script] }));
    expect(await Promise.all(ruined)).toMatchObject([{ score: 0 }, { score: 0 }]);
  });

  test("of a second launch builds nothing", async () => {
    using folder = new TempFolder();
    await using project = await fixture("coding");
    const tasks = ["one", "two"];
    for (const name of tasks)
      for (const [path, text] of Object.entries({
        ...TASK,
        "task/environment/mark": `${name} ${Math.random()}`,
      }))
        project.write(path.replace("task/", `tasks/${name}/`), text);
    standIn(
      folder,
      `case " $* " in *" build "*) true ;; *) false ;; esac`,
      `echo "$@" >> ${folder.path}/builds`,
    );
    project.env = { PATH: process.env.PATH! };
    const builds = () => readFileSync(`${folder.path}/builds`, "utf8").trim().split("\n").length;
    for (const study of ["first", "second"]) {
      const list = tasks.map((name) => `tasks/${name}`).join(", ");
      project.write(
        "study.yaml",
        `study: ${study}\ntarget: rollout\ntasks: [${list}]\nparams: { agent: oracle, sandbox: podman }\n`,
      );
      const ran = await project.assay("run", "study.yaml");
      expect(ran, ran.stderr).toMatchObject({ code: 0 });
      expect(project.records(study).map(({ metrics }) => metrics.solved)).toEqual([1, 1]);
      expect(builds()).toBe(2);
    }
  });

  test.each([
    ["125", "Error: writing blob: no space left on device"],
    ["126", "Error: crun: cannot set limits: OCI permission denied"],
    ["127", "Error: OCI runtime attempted to invoke a command that was not found"],
    ["1", "ERROR (catatonit:2): failed to exec pid1: Cannot allocate memory"],
  ])("is missing, by the infrastructure's fault, where the engine ends with %s", async (code, words) => {
    using folder = new TempFolder(TASK);
    const isRun = `case " $* " in *" run --init "*) true ;; *) false ;; esac`;
    standIn(folder, isRun, `echo '${words}' >&2; exit ${code}`);
    await expect(roll(folder, { agent: ["touch", "x"] })).rejects.toMatchObject({ owner: "infrastructure" });
    using box = new SandboxedFolder(podman);
    await expect(box.run("true", { image })).rejects.toThrow(SandboxError);
  });
});

/** As a guest in any image, and as root of its own: both are held. */
const WAYS = [
  ["a guest", {}],
  ["at home", { machine: { keeps: false } }],
] as const;

describe.skipIf(!isUsable).each(WAYS)(`a container keeps in %s${note}`, (_, way) => {
  test("who goes up, away by a whole path or by a link", async () => {
    using box = new SandboxedFolder(podman);
    writeFileSync(`${box.outside}/secret.txt`, "secret");
    symlinkSync(box.outside, `${box.path}/folder`);
    symlinkSync(`${box.outside}/secret.txt`, `${box.path}/file`);
    const { stdout } = await box.run(
      `cd ${box.path}
      cat ../outside/secret.txt ${box.outside}/secret.txt /proc/1/root${box.outside}/secret.txt folder/secret.txt file
      echo x > ../made.txt; echo x > ${box.outside}/made.txt; echo x > file; echo x > folder/made.txt
      ln ../outside/secret.txt hard && echo linked; ls -A ${homedir()}/.cache ${process.cwd()}; true`,
      { image, ...way },
    );
    expect(stdout).toBe("");
    expect(readdirSync(box.outside)).toEqual(["secret.txt"]);
    expect(readFileSync(`${box.outside}/secret.txt`, "utf8")).toBe("secret");
    expect(existsSync(`${box.outside}/../made.txt`)).toBe(false);
  });

  test("who writes to the kernel or its devices, and who would like other powers", async () => {
    using box = new SandboxedFolder(podman);
    const settings = [
      "/proc/sys/kernel/hostname",
      "/proc/sys/vm/swappiness",
      "/proc/sysrq-trigger",
      "/sys/kernel/x",
    ];
    const tries = [
      ...settings.map((path) => `echo 1 > ${path}`),
      ...["mount -t tmpfs none /usr", "umount /proc", "mount -o remount,rw /proc/sys", "mknod disk b 8 0"],
      ...[
        "unshare -Urm true",
        "nsenter -t 1 -m true",
        "echo 0 > /proc/1/oom_score_adj && echo -1000 > /proc/1/oom_score_adj",
      ],
    ];
    const script = tries.map((line) => `if (${line}) 2>/dev/null; then echo '${line}'; fi`).join("\n");
    const { stdout } = await box.run(`${script}\nls /dev; grep -E '^(CapEff|NoNewPrivs)' /proc/self/status`, {
      image,
      ...way,
    });
    const lines = stdout.trim().split("\n");
    expect(lines.filter((line) => /^(sd|vd|nvme|loop|kvm|mem|kmsg|vsock)/.test(line))).toEqual([]);
    expect(lines.filter((line) => tries.includes(line))).toEqual([]);
    expect(lines).toContain("NoNewPrivs:\t1");
    const powers = BigInt(`0x${lines.find((line) => line.startsWith("CapEff"))!.split("\t")[1]}`);
    const [admin, ptrace, module, net] = [21n, 19n, 16n, 12n].map((bit) => (powers >> bit) & 1n);
    expect([admin, ptrace, module, net]).toEqual([0n, 0n, 0n, 0n]);
  });

  test("who sees or ends processes of the machine, its secrets or its services", async () => {
    using box = new SandboxedFolder(podman);
    let calls = 0;
    const server = createServer((socket) => {
      calls++;
      socket.end();
    });
    await new Promise<void>((resolve) => server.listen(0, () => resolve()));
    const { port } = server.address() as { port: number };
    const { stdout } = await box.run(
      `(kill -9 ${process.pid}) 2>/dev/null && echo killed
      for host in 127.0.0.1 10.88.0.1 host.containers.internal; do timeout 5 bash -c "exec 3<>/dev/tcp/$host/${port}" 2>/dev/null && echo called; done
      ls /run/podman /run/docker.sock /var/run/docker.sock /var/lib/containers /root/.ssh 2>/dev/null
      tr '\\0' '\\n' < /proc/1/environ | grep -E 'KEY|TOKEN|SECRET'; ls /proc | grep -c '^[0-9]'`,
      { image, ...way },
    );
    server.close();
    expect(Number(stdout)).toBeLessThan(10);
    expect(calls).toBe(0);
    expect(isAlive(process.pid)).toBe(true);
  });

  test("who keeps things in /tmp for the next one, or leaves a daemon without any sign of where it came from", async () => {
    using box = new SandboxedFolder(podman);
    // Nobody else's programs have these words.
    const seconds = `600.3${process.pid}`;
    const daemon = `(env -i sh -c ': > ${box.path}/started; sleep ${seconds}; :' <&- >&- 2>&- &)`;
    const { stdout } = await box.run(
      `${daemon}; until [ -e ${box.path}/started ]; do :; done; for dir in /tmp /var/tmp /dev/shm; do echo > $dir/kept; done; ls /tmp`,
      { image, ...way },
    );
    expect(stdout).toContain("kept");
    expect(processesWith(`sleep\0${seconds}\0`)).toEqual([]);
    const next = await box.run("ls -A /tmp /var/tmp /dev/shm", { image, ...way });
    expect(next.stdout).not.toContain("kept");
  });
});
