import { afterEach, describe, expect, test, vi } from "vitest";
import { UserError } from "../../src/core/errors.ts";
import { bubblewrap } from "../../src/sandboxes/bubblewrap/index.ts";
import { chooseSandbox } from "../../src/sandboxes/choose-sandbox.ts";
import { docker } from "../../src/sandboxes/containers/index.ts";

describe("the choice of a sandbox", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  test("follows a name, then SANDBOX_BACKEND, then what works", async () => {
    vi.stubEnv("SANDBOX_BACKEND", "directory");
    vi.spyOn(bubblewrap, "problem").mockResolvedValue(undefined);
    expect((await chooseSandbox("bubblewrap")).name).toBe("bubblewrap");
    expect((await chooseSandbox("auto")).name).toBe("directory");
    vi.stubEnv("SANDBOX_BACKEND", "");
    expect((await chooseSandbox("auto")).name).toBe("bubblewrap");
    vi.stubEnv("SANDBOX_BACKEND", "auto");
    expect((await chooseSandbox("")).name).toBe("bubblewrap");
  });

  test("warns where nothing better than a directory is left", async () => {
    vi.stubEnv("SANDBOX_BACKEND", "");
    vi.spyOn(bubblewrap, "problem").mockResolvedValue("it is not installed");
    const warnings: string[] = [];
    expect((await chooseSandbox("auto", { warn: (text) => warnings.push(text) })).name).toBe("directory");
    expect(warnings).toEqual([
      expect.stringMatching(/isolates no files and no network.*it is not installed/),
    ]);
  });

  test.each(["modal", "memory", "toString"])("refuses %s, and tells what there is", async (name) => {
    vi.stubEnv("SANDBOX_BACKEND", name);
    const refusal = await chooseSandbox("auto").catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(UserError);
    expect((refusal as Error).message).toMatch(
      new RegExp(
        `^SANDBOX_BACKEND: expected auto, directory, bubblewrap, docker, podman, got "${name}"\\. Cloud sandboxes`,
      ),
    );
  });

  test("tells why a sandbox can't be used, and what to do", async () => {
    vi.spyOn(docker, "problem").mockResolvedValue("the engine sleeps. Wake it.");
    await expect(chooseSandbox("docker")).rejects.toThrow(
      "sandbox: the sandbox docker can't be used here: the engine sleeps. Wake it. Or choose another one",
    );
  });
});
