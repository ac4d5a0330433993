import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { dockerEngine } from "../../../src/sandboxes/containers/docker.ts";
import { rootsFolder } from "../../../src/sandboxes/containers/left.ts";
import { removeLeftBehind } from "../../../src/sandboxes/containers/left-behind.ts";
import { podmanEngine } from "../../../src/sandboxes/containers/podman.ts";
import { ownerTag } from "../../../src/sandboxes/owner-tag.ts";
import { MissingProgramError } from "../../../src/sandboxes/sandbox.ts";
import { hashTree } from "../../../src/targets/coding/tasks/hash-tree.ts";
import { BASE_IMAGE as image, testedEngines } from "../../support/base-image.ts";
import { processesWith } from "../../support/processes.ts";
import { SandboxedFolder } from "../../support/sandboxed.ts";
import { waitFor } from "../../support/wait-for.ts";

const jiti = `${process.cwd()}/node_modules/.bin/jiti`;
const engines = { docker: dockerEngine, podman: podmanEngine };

for (const { title, sandbox, isUsable } of await testedEngines())
  describe.skipIf(!isUsable)(`a container of ${title}`, () => {
    /** Of this box alone: other tests have containers at the same time. */
    const containersOf = (box: SandboxedFolder) =>
      spawnSync(sandbox.name, ["ps", "--all", "--quiet", "--filter", `volume=${box.path}`], {
        encoding: "utf8",
      }).stdout;

    /** As at the start of the next runner. */
    const removeAgain = () =>
      removeLeftBehind(engines[sandbox.name as keyof typeof engines], { isAgain: true });

    /** Of this process, and where they are still mounted. */
    const ownRoots = () =>
      [
        existsSync(rootsFolder()) ? readdirSync(rootsFolder()) : [],
        readFileSync("/proc/mounts", "utf8").split("\n"),
      ]
        .flat()
        .filter((line) => line.includes(ownerTag()));

    test("runs a program on the folders, without a network, and goes", async () => {
      using box = new SandboxedFolder(sandbox);
      const script = "echo $KEY > made; cat made; ls /sys/class/net; touch /etc/new || exit 3";
      const result = await box.run(script, { image, env: { KEY: "value" } });
      expect(result).toMatchObject({ stdout: "value\nlo\n", exitCode: 3 });
      await waitFor("its container to go", () => containersOf(box) === "");
    });

    test("ends at its time limit, also where it ignores TERM, and when it is cancelled", async () => {
      using box = new SandboxedFolder(sandbox);
      const result = await box.runLate("trap '' TERM; echo on; sleep 600", ({ stdout }) => stdout !== "", {
        image,
      });
      expect(result).toMatchObject({ ended: "timeout" });
      const control = new AbortController();
      const running = box.run("touch begun; sleep 600", { image, signal: control.signal });
      await waitFor("it to begin", () => existsSync(`${box.path}/begun`));
      control.abort();
      expect(await running).toMatchObject({ ended: "cancelled" });
      expect(containersOf(box)).toBe("");
    });

    test("of an image that is not there is a failure of the machine", async () => {
      using box = new SandboxedFolder(sandbox);
      await expect(box.run("true", { image: "localhost/no-such-image-of-assay:1" })).rejects.toThrow(
        `${sandbox.name} pull`,
      );
    });

    test("without the program is told apart from a program that fails or says the same", async () => {
      using box = new SandboxedFolder(sandbox);
      await expect(box.execute({ argv: ["no-such-program"], image })).rejects.toThrow(MissingProgramError);
      expect(await box.run("exit 127", { image })).toMatchObject({ exitCode: 127 });
      const liar = "echo 'Error: no such image' >&2; exit 125";
      expect(await box.run(liar, { image })).toMatchObject({ exitCode: 125 });
      const other = "echo 'ERROR (catatonit:2): failed to exec pid1' >&2; exit 1";
      expect(await box.run(other, { image })).toMatchObject({ exitCode: 1 });
    });

    test("is held to its memory", async () => {
      using box = new SandboxedFolder(sandbox);
      const result = await box.run("head -c 300m /dev/zero | tail", { image, memoryMb: 64 });
      expect(result).not.toMatchObject({ exitCode: 0 });
      const first = await box.run("exec tail /dev/zero", { image, memoryMb: 64 });
      expect(first).toMatchObject({ ended: "memory" });
    });

    test("that is a whole machine keeps what changed, as its user, and another one starts from it", async () => {
      using box = new SandboxedFolder(sandbox);
      const machine = { keeps: true };
      const first = await box.run("pwd; id -u; echo two > /etc/two; rm /etc/group", { image, machine });
      expect(first).toMatchObject({ stdout: "/\n0\n", exitCode: 0 });
      expect(first.left?.changes).toEqual(expect.arrayContaining(["A /etc/two", "D /etc/group"]));
      const seen = await box.run("cat /etc/two; ls /etc/group", { image: first.left!.image, machine });
      expect(seen).toMatchObject({ stdout: "two\n", exitCode: 2 });
      expect(seen.left).toBeUndefined();
      await sandbox.images!.remove(first.left!.image);
    });

    test("starts from what another one left, as often as it is asked, and nothing is left of any of them", async () => {
      using box = new SandboxedFolder(sandbox);
      writeFileSync(`${box.outside}/secret`, "");
      const script = `mkdir /made; echo a > /made/a; rm -r /var/tmp; mkdir /var/tmp; ln -s ${box.outside} /link`;
      const { left } = await box.run(script, { image, machine: { keeps: true } });
      const images = sandbox.images!;
      const again = { image: left!.image, machine: { keeps: false } };
      const look = "cat /made/*; ls -A /var/tmp; echo b > /made/b; rm /made/a";
      for (const _ of [1, 2]) expect((await box.run(look, again)).stdout).toBe("a\n");
      await images.copyOut(left!.image, "/made", `${box.outside}/made`);
      expect(readdirSync(`${box.outside}/made`)).toEqual(["a"]);
      // A link of the container's leads to its own files, never to this machine's.
      await images.copyOut(left!.image, "/link", `${box.outside}/copied`);
      expect(readdirSync(`${box.outside}/copied`)).toEqual([]);
      const late = await box.runLate(
        `touch ${box.path}/begun; sleep 600`,
        () => existsSync(`${box.path}/begun`),
        again,
      );
      expect(late.ended).toBe("timeout");
      expect(await images.remove(left!.image)).toBe(true);
      await waitFor("its containers to go", () => containersOf(box) === "");
      await waitFor("its roots to go", () => ownRoots().length === 0);
    });

    test("starts in the image's work folder, also where no file of it is there, and the image goes when nobody has it", async () => {
      using box = new SandboxedFolder(sandbox);
      const dir = `${box.outside}/image`;
      mkdirSync(dir);
      writeFileSync(`${dir}/Dockerfile`, `FROM ${image}\nWORKDIR /not/made\n`);
      const wanted = { build: { dir, hash: hashTree(dir) }, timeoutMs: 600_000, network: false };
      const built = await sandbox.images!.prepare(wanted, { signal: new AbortController().signal });
      const machine = { keeps: true };
      const first = await box.run("pwd; rmdir /not/made", { image: built.name, machine });
      expect(first).toMatchObject({ stdout: "/not/made\n", exitCode: 0 });
      const left = first.left?.image ?? built.name;
      const again = await box.run("pwd", { image: left, machine: { keeps: false } });
      expect(again).toMatchObject({ stdout: "/not/made\n", exitCode: 0 });
      if (first.left) await sandbox.images!.remove(first.left.image);
      const names = async () => (await sandbox.images!.list()).map(({ name }) => name);
      expect(await names()).toContainEqual(expect.stringContaining(built.name));
      const holder = `assay-test-${process.pid}`;
      spawnSync(sandbox.name, ["create", "--name", holder, built.name, "true"]);
      expect(await sandbox.images!.remove(built.name, { isUnused: true })).toBe(false);
      spawnSync(sandbox.name, ["rm", holder]);
      expect(await sandbox.images!.remove(built.name, { isUnused: true })).toBe(true);
      expect(await names()).not.toContainEqual(expect.stringContaining(built.name));
    });

    test("reaches its models by their address here, and nothing else", async () => {
      using box = new SandboxedFolder(sandbox);
      const server = createServer((_, answer) => answer.end("the model"));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      const get = (to: number) =>
        `exec 3<>/dev/tcp/127.0.0.1/${to} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3`;
      const ask = (to: number) =>
        box.execute({
          argv: ["bash", "-c", get(to)],
          image,
          reach: [{ host: "127.0.0.1", port }],
        });
      expect((await ask(port)).stdout).toContain("the model");
      expect((await ask(port + 1)).exitCode).not.toBe(0);
      server.close();
    });

    test("of a runner that was killed goes when the next one starts", async () => {
      using box = new SandboxedFolder(sandbox);
      writeFileSync(
        `${box.outside}/runner.ts`,
        `import { ${sandbox.name} as sandbox } from "${process.cwd()}/src/sandboxes/containers/index.ts";
const work = ${JSON.stringify(box.path)};
const run = (script, image, keeps) => sandbox.execute({ argv: ["sh", "-c", script], cwd: work, env: {},
  writable: [{ path: work }], readable: [], network: false, timeoutMs: 0, memoryMb: 0, diskMb: 0, outputBytes: 1000,
  stdoutPath: "/dev/null", stderrPath: "/dev/null", signal: new AbortController().signal, image, machine: { keeps } });
const { left } = await run("touch /root/made", "${image}", true);
await run(\`touch \${work}/begun; sleep 600\`, left.image, false);`,
      );
      const runner = spawn(jiti, [`${box.outside}/runner.ts`], { stdio: "ignore" });
      const ended = new Promise((resolve) => runner.once("exit", resolve));
      await waitFor("the container", () => existsSync(`${box.path}/begun`));
      runner.kill("SIGKILL");
      await ended;
      expect(containersOf(box)).not.toBe("");
      await removeAgain();
      expect(containersOf(box)).toBe("");
      expect(readFileSync("/proc/mounts", "utf8")).not.toContain(`.${runner.pid}.`);
    });

    test("for a build goes when that is cancelled, or when the next runner starts after one that was killed", async () => {
      using box = new SandboxedFolder(sandbox);
      // Nobody else's programs have these words.
      const [here, there] = [1, 2].map((number) => `600.${number}${process.pid}`) as [string, string];
      const wanted = (seconds: string) => {
        const dir = `${box.outside}/${seconds}`;
        mkdirSync(dir);
        writeFileSync(`${dir}/Dockerfile`, `FROM ${image}\nRUN sleep ${seconds}\n`);
        return { build: { dir, hash: hashTree(dir) }, timeoutMs: 600_000, network: false };
      };
      /** What a build has under way: its programs, and its containers by what their engine keeps of them. */
      const madeOf = (seconds: string, pid: number) => {
        const note = `grep -l '[.]${pid}[.]' "$(podman info --format '{{.Store.GraphRoot}}')"/*-containers/*/userdata/buildah.json`;
        const list = `docker ps --all --no-trunc | grep -F 'sleep ${seconds}'`;
        const { stdout } = spawnSync("sh", ["-c", sandbox.name === "podman" ? note : list]);
        return { programs: processesWith(`sleep\0${seconds}\0`).length, containers: `${stdout}` };
      };
      const some = { programs: 1, containers: expect.stringContaining("e") };
      /** A daemon ends and removes them when it is done with something else. */
      const goes = (seconds: string, pid: number) =>
        waitFor("a build to go", () => {
          const { programs, containers } = madeOf(seconds, pid);
          return programs === 0 && containers === "";
        });
      const control = new AbortController();
      const building = sandbox.images!.prepare(wanted(here), { signal: control.signal });
      writeFileSync(
        `${box.outside}/runner.ts`,
        `import { ${sandbox.name} as sandbox } from "${process.cwd()}/src/sandboxes/containers/index.ts";
await sandbox.images.prepare(${JSON.stringify(wanted(there))}, { signal: new AbortController().signal });`,
      );
      const runner = spawn(jiti, [`${box.outside}/runner.ts`], { stdio: "ignore" });
      const ended = new Promise((resolve) => runner.once("exit", resolve));
      const hasBegun = (seconds: string, pid: number) => madeOf(seconds, pid).programs > 0;
      await waitFor("both builds", () => hasBegun(here, process.pid) && hasBegun(there, runner.pid!));
      runner.kill("SIGKILL");
      await ended;
      expect(madeOf(there, runner.pid!)).toEqual(some);
      await removeAgain();
      await goes(there, runner.pid!);
      expect(madeOf(here, process.pid)).toEqual(some);
      control.abort();
      await expect(building).rejects.toThrow("aborted");
      await goes(here, process.pid);
    });

    test("runs twice at once from one image", async () => {
      using one = new SandboxedFolder(sandbox);
      using two = new SandboxedFolder(sandbox);
      const machine = { keeps: false };
      const run = (box: SandboxedFolder, word: string) =>
        box.run(`echo ${word} > /root/word; cat /root/word > ${box.path}/word`, { image, machine });
      await Promise.all([run(one, "one"), run(two, "two")]);
      expect([one, two].map(({ path }) => readFileSync(`${path}/word`, "utf8"))).toEqual(["one\n", "two\n"]);
    });
  });
