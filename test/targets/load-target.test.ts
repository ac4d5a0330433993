import { describe, expect, test } from "vitest";
import { loadTarget } from "../../src/targets/load-target.ts";
import { TempFolder } from "../support/temp-folder.ts";

const load = (folder: TempFolder, name: string) =>
  loadTarget({ kind: "file", path: `${folder.path}/${name}` });

describe("a target", () => {
  test("that ships is found by its name", async () => {
    expect((await loadTarget({ kind: "shipped", name: "noop" })).name).toBe("noop");
  });

  test.each(["nop", "constructor", "toString", "__proto__"])(
    "that does not ship (%s) is told, with what does",
    async (name) => {
      await expect(loadTarget({ kind: "shipped", name })).rejects.toThrow(`there is no target "${name}".`);
      await expect(loadTarget({ kind: "shipped", name })).rejects.toThrow(
        "A file of your own starts with ./",
      );
    },
  );

  test("in TypeScript loads as it is, with what it imports", async () => {
    using folder = new TempFolder({
      "mine.ts": `import { defineTarget, z } from "assay/plugin";
        import { twice } from "./twice.ts";
        export default defineTarget({ name: "mine", params: z.object({ n: z.number() }), run: ({ params }) => ({ n: twice(params.n) }) });`,
      "twice.ts": "export const twice = (n: number): number => 2 * n;",
    });
    const target = await load(folder, "mine.ts");
    expect(target.run({ params: { n: 4 } } as never, undefined)).toEqual({ n: 8 });
  });

  test.each([
    ["gone.ts", undefined, "does not exist. Paths are relative to the study file."],
    ["broken.ts", "export default {{{", "failed to load: "],
    ["throws.ts", 'throw new Error("no GPU here");', "failed to load: no GPU here. Mend that file"],
    [
      "named.ts",
      "export const run = () => ({});",
      "exports no target: expected export default defineTarget({name, params, run})",
    ],
    ["null.ts", "export default null;", "failed to load"],
    ["number.ts", "export default 5;", "exports no target"],
    ["norun.ts", "export default { name: 'x' };", "got keys name"],
  ])("in a file that is wrong (%s) is one clear error about that file", async (name, text, message) => {
    using folder = new TempFolder(text === undefined ? {} : { [name]: text });
    await expect(load(folder, name)).rejects.toThrow(message);
    await expect(load(folder, name)).rejects.toThrow(expect.objectContaining({ name: "UserError" }));
    await expect(load(folder, name)).rejects.toThrow(`target file ${folder.path}/${name}`);
  });
});
