import { describe, expect, test } from "vitest";
import { askDocker } from "../../../src/sandboxes/docker/docker-client.ts";
import { docker } from "../../../src/sandboxes/docker/index.ts";
import { MissingProgramError } from "../../../src/sandboxes/sandbox.ts";
import { SandboxedFolder, skipNote } from "../../support/sandboxed.ts";

const note = await skipNote(docker);

describe.skipIf(note !== "")(`a container${note}`, () => {
  const image = "debian:bookworm-slim";
  /** Of this box alone: other tests have containers at the same time. */
  const containersOf = async (box: SandboxedFolder) =>
    (await askDocker("ps", "--all", "--quiet", "--filter", `volume=${box.path}`)).stdout;

  test("runs a program on the folders, without a network, and goes", async () => {
    expect((await askDocker("pull", "--quiet", image)).isOk).toBe(true);
    using box = new SandboxedFolder(docker);
    const script = "echo $KEY > made; cat made; ls /sys/class/net; : >> /etc/passwd || exit 3";
    const result = await box.run(script, { image, env: { KEY: "value" } });
    expect(result).toMatchObject({ stdout: "value\nlo\n", exitCode: 3 });
    expect(await containersOf(box)).toBe("");
  });

  test("ends at its time limit and when it is cancelled", async () => {
    using box = new SandboxedFolder(docker);
    expect(await box.run("trap '' TERM; sleep 600", { image, timeoutMs: 2000 })).toMatchObject({
      ended: "timeout",
    });
    const control = new AbortController();
    const running = box.run("sleep 600", { image, signal: control.signal });
    control.abort();
    expect(await running).toMatchObject({ ended: "cancelled" });
    expect(await containersOf(box)).toBe("");
  });

  test("of an image that is not there is a failure of the machine", async () => {
    using box = new SandboxedFolder(docker);
    await expect(box.run("true", { image: "no-such-image-of-assay:1" })).rejects.toThrow("docker pull");
  });

  test("without the program is told apart from a program that fails", async () => {
    using box = new SandboxedFolder(docker);
    await expect(box.execute({ argv: ["no-such-program"], image })).rejects.toThrow(MissingProgramError);
    expect(await box.run("exit 127", { image })).toMatchObject({ exitCode: 127 });
  });
});
