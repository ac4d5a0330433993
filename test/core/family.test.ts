import { describe, expect, test } from "vitest";
import { checkApi, familyOf, markMember, openFamily, ownMembers } from "../../src/core/family.ts";
import { openSinks } from "../../src/launch/launch-study.ts";
import { searchers } from "../../src/search/searchers/index.ts";
import { loadMember, loadPlugins } from "../../src/targets/load-plugins.ts";
import { TempFolder } from "../support/temp-folder.ts";

const stopper = (name: string, more = "") =>
  `{ ${more} name: "${name}", description: "", options: z.strictObject({}), judge: () => ({ stop: false, why: "-" }) }`;
const file = (name: string, more = "") =>
  `import { defineStopper, z } from "assay/plugin";\nexport default defineStopper(${stopper(name, more)});\n`;

describe("users' files", () => {
  test("add to their families, several in one file, whether the registry was there before or comes later", async () => {
    using folder = new TempFolder({
      "two.ts": `import { defineSearcher, defineSink, random } from "assay/plugin";
export default [
  defineSearcher({ ...random, name: "family-searcher" }),
  defineSink({ name: "family-sink", description: "", open: () => ({ handle() {} }) }),
];`,
    });
    const path = `${folder.path}/two.ts`;
    const declared = await loadPlugins([path]);
    expect(declared.map(({ family, member }) => `${family} ${member.name}`)).toEqual([
      "searcher family-searcher",
      "sink family-sink",
    ]);
    expect(searchers["family-searcher"]!.description).toBe(searchers.random!.description);
    expect(Object.keys(openFamily("sink", { other: {} }))).toEqual(["other", "family-sink"]);
    expect(ownMembers("sink", [path])).toHaveLength(1);
    expect(ownMembers("sink", ["elsewhere.ts"])).toEqual([]);
  });

  test("for another version of the plugin API are refused, with the remedy", async () => {
    using folder = new TempFolder({ "later.ts": file("family-later", "api: 2,") });
    await expect(loadPlugins([`${folder.path}/later.ts`])).rejects.toThrow(
      /later\.ts.*the stopper "family-later" is for version 2 of the plugin API.*expected version 1.*Update Assay/s,
    );
    const at = { family: "stopper", from: "old.ts" } as const;
    const served = { current: 4, oldest: 3 };
    expect(() => checkApi({ name: "a", api: 3 }, at, served)).not.toThrow();
    expect(() => checkApi({ name: "a" }, at, served)).toThrow(/version 1 .*3 to 4.*Update the plugin/s);
    expect(() => checkApi({ name: "a", api: 1.5 }, at)).toThrow(/version 1.5/);
  });

  test("can't take a name that ships, nor one that another file has", async () => {
    using folder = new TempFolder({
      "shipped.ts": `import { defineSearcher, random } from "assay/plugin";\nexport default defineSearcher({ ...random });\n`,
      "one.ts": file("family-same"),
      "other.ts": file("family-same"),
    });
    const load = (name: string) => loadPlugins([`${folder.path}/${name}`]);
    await expect(load("shipped.ts")).rejects.toThrow(/"random", which ships with Assay/);
    await load("one.ts");
    await load("one.ts");
    await expect(load("other.ts")).rejects.toThrow(/two files declare the stopper "family-same".*one\.ts/s);
  });

  test("that export something else are told what is expected", async () => {
    using folder = new TempFolder({
      "nothing.ts": "export const x = 1;\n",
      "half.ts": `import { defineReporter } from "assay/plugin";\nexport default defineReporter({ name: "half" } as never);\n`,
      "stopper.ts": file("family-alone"),
    });
    const path = (name: string) => `${folder.path}/${name}`;
    await expect(loadPlugins([path("nothing.ts")])).rejects.toThrow(
      /exports nothing that Assay knows.*defineReporter/s,
    );
    await expect(loadPlugins([path("half.ts")])).rejects.toThrow(/declares a reporter without render/);
    await expect(loadMember("reporter", path("stopper.ts"))).rejects.toThrow(/exports no reporter/);
    await expect(loadPlugins([path("missing.ts")])).rejects.toThrow(
      /plugin file .*missing\.ts does not exist/,
    );
  });

  test("an instrument that nobody marked is known by its start", () => {
    expect(familyOf({ start() {} })).toBe("instrument");
    expect(familyOf(markMember("sink", { start() {} }))).toBe("sink");
    expect(familyOf({})).toBeUndefined();
  });
});

describe("a user's sink", () => {
  test("that throws is told of once and hears nothing more", () => {
    const heard: string[] = [];
    const told: string[] = [];
    const [sink] = openSinks(
      [
        {
          ...{ name: "moody", description: "" },
          open: () => ({
            handle({ kind }) {
              heard.push(kind);
              if (kind === "paused") throw new Error("not now");
            },
          }),
        },
      ],
      { name: "s", studyDir: "/nowhere" },
      (text) => told.push(text),
    );
    for (const kind of ["resumed", "paused", "resumed"] as const) sink!.handle({ kind, by: "me" });
    sink!.close?.();
    expect(heard).toEqual(["resumed", "paused"]);
    expect(told).toEqual(["the sink moody failed and hears nothing more: not now"]);
  });
});
