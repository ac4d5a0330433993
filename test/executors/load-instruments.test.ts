import { describe, expect, test } from "vitest";
import { loadInstruments } from "../../src/executors/load-instruments.ts";
import { TempFolder } from "../support/temp-folder.ts";

const module = { kind: "shipped", name: "noop" } as const;
const program = { kind: "command", argv: ["ls"], cwd: "/", watch: [] } as const;
const load = (name: string, options = {}, part = {}) =>
  loadInstruments({ instruments: [{ name, options }], plugins: [], target: module, ...part });

const OWN = `import { defineInstrument, z } from "assay/plugin";
export default defineInstrument({ name: "own", description: "", options: z.strictObject({ by: z.number().default(2) }), start: () => () => ({}) });`;

describe("instruments", () => {
  test("have defaults, and names by which other tools know them", async () => {
    expect((await load("psutil"))[0]).toMatchObject({
      instrument: { name: "resources" },
      options: { interval_ms: 200, max_samples: 1000 },
    });
    expect((await load("cprofile", { top_n: 5 }))[0]).toMatchObject({
      instrument: { name: "cpu-profile" },
      options: { top_n: 5 },
    });
  });

  test.each([
    ["resuorces", {}, 'there is no instrument "resuorces". Did you mean "resources"?'],
    ["resources", { interval: 5 }, 'has no option "interval". Did you mean "interval_ms"?'],
    [
      "resources",
      { interval_ms: "fast" },
      'option interval_ms of the instrument resources: expected a number, got "fast"',
    ],
    ["resources", { interval_ms: 1 }, "expected a number of at least 10, got 1"],
    ["timing", { top_n: 5 }, 'the instrument timing has no option "top_n". It takes none.'],
  ])("%s with %o is one clear error", async (name, options, message) => {
    await expect(load(name, options)).rejects.toThrow(message);
  });

  test("that look into a module are refused for a program", async () => {
    await expect(load("heap", {}, { target: program })).rejects.toThrow("can't look into a program");
    await expect(load("resources", {}, { target: program })).resolves.toHaveLength(1);
  });

  test("of the user's are files, named as instruments or as plugins", async () => {
    using folder = new TempFolder({ "own.ts": OWN });
    const path = `${folder.path}/own.ts`;
    expect((await load(path, { by: 3 }))[0]).toMatchObject({
      instrument: { name: "own" },
      options: { by: 3 },
    });
    expect((await load("own", {}, { plugins: [path] }))[0]).toMatchObject({ options: { by: 2 } });
  });

  test.each([
    ["export default { name: 'x' };", "exports no instrument: expected export default defineInstrument"],
    ["export default {", "failed to load"],
    ["throw new Error('not today');", "failed to load: not today"],
  ])("a broken file is one clear error about it: %s", async (text, message) => {
    using folder = new TempFolder({ "broken.ts": text });
    const path = `${folder.path}/broken.ts`;
    await expect(load(path)).rejects.toThrow(message);
    await expect(load(path)).rejects.toThrow(path);
  });
});
