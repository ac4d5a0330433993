import { describe, expect, test } from "vitest";
import { containerWords } from "../../src/sandboxes/containers/container-words.ts";
import { dockerEngine } from "../../src/sandboxes/containers/docker.ts";
import { docker } from "../../src/sandboxes/containers/index.ts";
import type { SandboxedProgram } from "../../src/sandboxes/sandbox.ts";
import { SandboxedFolder, usable } from "../support/sandboxed.ts";
import { TempFolder } from "../support/temp-folder.ts";

const program = (folder: string): SandboxedProgram => ({
  argv: ["sh", "-c", "echo $KEY"],
  cwd: `${folder}/repo/src`,
  env: {},
  writable: [{ path: `${folder}/repo`, as: "/app" }],
  readable: [{ path: `${folder}/a,b` }],
  network: false,
  timeoutMs: 0,
  memoryMb: 512,
  diskMb: 0,
  stdoutPath: "",
  stderrPath: "",
  outputBytes: 0,
  signal: new AbortController().signal,
});
const container = { name: "assay-1", source: { image: "debian:12" }, tmp: "/tmp", user: "7:8", env: {} };

describe("what docker is told", () => {
  test("takes away the network, other powers, memory and everything but the folders", () => {
    using folder = new TempFolder({ "repo/src/a": "", "a,b/c": "" });
    const env = { KEY: "secret", HOME: "/app", PATH: "/bin" };
    const words = containerWords(dockerEngine, program(folder.path), { ...container, env });
    expect(words).toEqual([
      ...[
        "run",
        "--init",
        "--pull",
        "never",
        "--name",
        "assay-1",
        "--label",
        "assay.sandbox",
        "--entrypoint",
        "",
      ],
      ...["--network", "none", "--user", "7:8", "--read-only", "--cap-drop", "ALL"],
      ...["--mount", "type=bind,src=/tmp,dst=/tmp", "--mount", "type=bind,src=/tmp,dst=/var/tmp"],
      ...["--security-opt", "no-new-privileges", "--pids-limit", "4096", "--ulimit", "core=0"],
      ...["--memory", "512m", "--memory-swap", "512m"],
      ...["--mount", `type=bind,"src=${folder.path}/a,b","dst=${folder.path}/a,b",readonly`],
      ...["--mount", `type=bind,src=${folder.path}/repo,dst=/app`, "--workdir", "/app/src"],
      ...["--env", "KEY", "--env", "HOME=/app", "--env", "PATH=/bin"],
      ...["debian:12", "sh", "-c", "echo $KEY"],
    ]);
    expect(words.join(" ")).not.toContain("secret");
  });

  test("leaves the network and the memory where nothing is asked", () => {
    using folder = new TempFolder({ "repo/src/a": "", "a,b/c": "" });
    const words = containerWords(
      dockerEngine,
      { ...program(folder.path), network: true, memoryMb: 0 },
      container,
    );
    expect(words.join(" ")).toContain("--network bridge");
    expect(words).not.toContain("--memory");
  });
});

test("the sandbox docker wants an image", async () => {
  using box = new SandboxedFolder(docker);
  await expect(box.run("true")).rejects.toThrow("needs an image");
});

const isUsable = (await usable([docker])).length > 0;

test.runIf(!isUsable)("the sandbox docker says why it can't be used, and what to do", async () => {
  expect(await docker.problem!()).toMatch(/not installed. On Debian|can't be used \(.*\)\. Start it/s);
});
