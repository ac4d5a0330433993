import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { pullStudy } from "../../src/api/pull-study.ts";
import { pushStudy } from "../../src/api/push-study.ts";
import type { RunRecord } from "../../src/core/run.ts";
import { type Depot, openDepot } from "../../src/depots/depot.ts";
import { readPushes, sha256 } from "../../src/depots/push.ts";
import { aRecord, aStudy, aStudyFile, axis } from "../support/a-study.ts";
import { cuttingProxy, s3Environment, startS3 } from "../support/s3-server.ts";
import { startSsh } from "../support/ssh-server.ts";
import { TempFolder } from "../support/temp-folder.ts";

const study = aStudy({ name: "fit", axes: [axis("x", 1, 2, 3, 4)] });
const idOf = (x: number) => `x${x}__seed1__baseline__${String(x).padStart(12, "0")}`;
const recordOf = (x: number, part: Partial<RunRecord> = {}) =>
  aRecord({ id: idOf(x), params: { x }, metrics: { y: x * x }, ...part });

/** A machine with a folder of results: what it has of the study. */
class Machine {
  readonly folder: TempFolder;
  readonly dir: string;
  readonly outRoot: string;

  constructor(xs: number[] = []) {
    this.folder = new TempFolder();
    onTestFinished(() => this.folder[Symbol.dispose]());
    this.outRoot = `${this.folder.path}/bench_runs`;
    this.dir = `${this.outRoot}/fit`;
    if (xs.length > 0) this.run(...xs.map((x) => recordOf(x)));
  }

  run(...records: RunRecord[]): void {
    this.folder.write("bench_runs/fit/study.json", JSON.stringify(aStudyFile({ name: "fit", study })));
    const before = this.read("journal.jsonl");
    const lines = records.map((record) => `${JSON.stringify(record)}\n`);
    this.folder.write("bench_runs/fit/journal.jsonl", before + lines.join(""));
    for (const { id, startedAtMs } of records)
      this.folder.write(`bench_runs/fit/runs/${id}/stdout.txt`, `${id} at ${startedAtMs}\n`);
  }

  push(depot: Depot, hasFiles = true) {
    return pushStudy(this.dir, depot, { hasFiles });
  }

  pull(depot: Depot, hasFiles = true) {
    return pullStudy("fit", depot, { outRoot: this.outRoot, hasFiles });
  }

  read(name: string): string {
    return existsSync(`${this.dir}/${name}`) ? readFileSync(`${this.dir}/${name}`, "utf8") : "";
  }

  get xs(): number[] {
    const lines = this.read("journal.jsonl").split("\n").slice(0, -1);
    return lines.map((text) => (JSON.parse(text) as RunRecord).params.x as number);
  }
}

/** Every kind of place, as people write it. */
const PLACES: Record<string, () => Promise<Depot>> = {
  folder: async () => openDepot(`${new Machine().folder.path}/team`),
  s3: async () => {
    const s3 = await startS3();
    onTestFinished(() => s3[Symbol.asyncDispose]());
    for (const [name, value] of Object.entries(s3.env)) vi.stubEnv(name, value);
    return openDepot("s3://runs/team");
  },
  ssh: async () => {
    const ssh = await startSsh();
    vi.stubEnv("ASSAY_SSH", ssh.env.ASSAY_SSH);
    const depot = await openDepot(ssh.address(`${ssh.dir}/team/assay`));
    onTestFinished(async () => {
      depot.close();
      await ssh[Symbol.asyncDispose]();
    });
    return depot;
  },
};

describe.each(Object.keys(PLACES))("a place of the kind %s", (kind) => {
  test("gives back what was pushed, sends nothing twice, and merges parts of a study", async () => {
    const depot = await PLACES[kind]!();
    const [ada, bo, cy] = [new Machine([1, 2]), new Machine([2, 3]), new Machine()];
    const large = randomBytes(300_000);
    ada.folder.write(`bench_runs/fit/runs/${idOf(1)}/out/model.bin`, large);
    ada.folder.write("bench_runs/fit/notes.jsonl", `{"at":"2026-01-02","by":"ada","note":"good"}\n`);
    expect(await ada.push(depot)).toMatchObject({ study: "fit", runs: 2, sent: 4, known: 0 });
    expect(await ada.push(depot)).toMatchObject({ sent: 0, known: 4 });
    expect(await readPushes(depot)).toHaveLength(1);
    // Both did the second run, with the same record.
    await bo.push(depot);
    expect(await cy.pull(depot)).toMatchObject({ runs: 3, added: 3, fetched: 3, pushes: 2 });
    expect(cy.xs.sort()).toEqual([1, 2, 3]);
    expect(readFileSync(`${cy.dir}/runs/${idOf(1)}/out/model.bin`).equals(large)).toBe(true);
    expect(cy.read("notes.jsonl")).toContain("good");
    expect(await cy.pull(depot)).toMatchObject({ added: 0, fetched: 0, known: 3 });
    expect(existsSync(`${cy.dir}/.pull`)).toBe(false);
    expect(existsSync(`${cy.dir}/lock.json`)).toBe(false);
  });

  test("keeps what two machines push at the same time", async () => {
    const depot = await PLACES[kind]!();
    const machines = [1, 2, 3, 4].map((x) => new Machine([x]));
    await Promise.all(machines.map((machine) => machine.push(depot)));
    const reader = new Machine();
    expect(await reader.pull(depot)).toMatchObject({ runs: 4, fetched: 4, pushes: 4 });
    expect(reader.xs.sort()).toEqual([1, 2, 3, 4]);
  });
});

describe("a push", () => {
  test("of records only is enough to compare; files may follow", async () => {
    const depot = await PLACES.folder!();
    const [ada, bo] = [new Machine([1, 2]), new Machine()];
    expect(await ada.push(depot, false)).toMatchObject({ sent: 2 });
    expect(await bo.pull(depot)).toMatchObject({ runs: 2, fetched: 0 });
    await ada.push(depot);
    expect(await bo.pull(depot, false)).toMatchObject({ fetched: 0 });
    expect(await bo.pull(depot)).toMatchObject({ fetched: 2, added: 0 });
  });

  test("takes the place of the one before that it holds, and of no other", async () => {
    const depot = await PLACES.folder!();
    const [ada, bo] = [new Machine([1]), new Machine([3])];
    await ada.push(depot);
    await bo.push(depot);
    ada.run(recordOf(2));
    await ada.push(depot);
    expect((await readPushes(depot)).map(({ push }) => push.runs)).toEqual([1, 2]);
  });

  test("leaves out what a crash tore, and what is still running", async () => {
    const depot = await PLACES.folder!();
    const ada = new Machine([1]);
    writeFileSync(`${ada.dir}/journal.jsonl`, `${ada.read("journal.jsonl")}{"id":"x2`);
    ada.folder.write(`bench_runs/fit/runs/${idOf(2)}/stdout.txt`, "half");
    await ada.push(depot);
    const bo = new Machine();
    await bo.pull(depot);
    expect(bo.xs).toEqual([1]);
    expect(readdirSync(`${bo.dir}/runs`)).toEqual([idOf(1)]);
  });

  test("through a network that breaks arrives whole", async () => {
    await using s3 = await startS3();
    using proxy = await cuttingProxy(s3.port, { afterBytes: 100_000, times: 3, from: "client" });
    for (const [name, value] of Object.entries(s3Environment(proxy.port))) vi.stubEnv(name, value);
    const ada = new Machine([1]);
    ada.folder.write(`bench_runs/fit/runs/${idOf(1)}/out/model.bin`, randomBytes(400_000));
    const depot = await openDepot("s3://runs/team");
    await ada.push(depot);
    expect(proxy.cuts).toBe(3);
    expect(await new Machine().pull(depot)).toMatchObject({ fetched: 1 });
  });
});

describe("a pull", () => {
  test("that was cut goes on with what is missing", async () => {
    const depot = await PLACES.folder!();
    await new Machine([1, 2, 3]).push(depot);
    const bo = new Machine();
    const stop = new AbortController();
    const onProgress = ({ done }: { done: number }) => done === 1 && stop.abort(new Error("Ctrl-C"));
    const request = { outRoot: bo.outRoot, hasFiles: true, signal: stop.signal, onProgress };
    await expect(pullStudy("fit", depot, request)).rejects.toThrow("Ctrl-C");
    expect(bo.xs).toEqual([]);
    expect(existsSync(`${bo.dir}/lock.json`)).toBe(false);
    const again = await bo.pull(depot);
    expect(again.known).toBeGreaterThan(0);
    expect(again.fetched + again.known).toBe(3);
    expect(bo.xs).toEqual([1, 2, 3]);
  });

  test("brings the files of the try that counts, and keeps those of the other", async () => {
    const depot = await PLACES.folder!();
    const [ada, bo] = [new Machine(), new Machine()];
    ada.run(recordOf(1, { startedAtMs: 2000 }));
    bo.run(recordOf(1, { startedAtMs: 1000 }));
    await ada.push(depot);
    await bo.pull(depot);
    expect(bo.read(`runs/${idOf(1)}/stdout.txt`)).toContain("at 2000");
    expect(bo.read(`runs/${idOf(1)}/earlier/1/stdout.txt`)).toContain("at 1000");
    await bo.push(depot);
    expect(await ada.pull(depot)).toMatchObject({ added: 1, fetched: 0 });
    expect(ada.read(`runs/${idOf(1)}/stdout.txt`)).toContain("at 2000");
  });

  test("refuses a bundle that is not what it was, and a push that was changed", async () => {
    const root = `${new Machine().folder.path}/team`;
    const depot = await openDepot(root);
    const ada = new Machine([1]);
    await ada.push(depot);
    for (const [below, wrong] of [
      ["bundles/fit", "of another content"],
      ["pushes/fit", "{}"],
    ] as const) {
      for (const name of readdirSync(`${root}/${below}`)) writeFileSync(`${root}/${below}/${name}`, wrong);
      const bo = new Machine();
      await expect(bo.pull(depot)).rejects.toThrow("is damaged");
      expect(bo.xs).toEqual([]);
      if (below === "bundles/fit") {
        await pushStudy(ada.dir, depot, { hasFiles: true, isAll: true });
        expect(await new Machine().pull(depot)).toMatchObject({ runs: 1, fetched: 1 });
      }
    }
  });

  test("places nothing outside of the folder, whatever a push says", async () => {
    const root = `${new Machine().folder.path}/team`;
    const depot = await openDepot(root);
    await new Machine([1]).push(depot);
    for (const path of ["runs/../../../escaped", "lock.json", "journal.jsonl"]) {
      const [name] = readdirSync(`${root}/pushes/fit`);
      const push = JSON.parse(readFileSync(`${root}/pushes/fit/${name}`, "utf8"));
      const [file] = Object.values(push.files);
      const text = JSON.stringify({ ...push, files: { [path]: file } });
      rmSync(`${root}/pushes/fit/${name}`);
      writeFileSync(`${root}/pushes/fit/${sha256(text)}.json`, text);
      await expect(new Machine().pull(depot)).rejects.toThrow(/leaves its folder|no folder of runs/);
    }
  });

  test("of what nobody pushed names what there is", async () => {
    const depot = await PLACES.folder!();
    await new Machine([1]).push(depot);
    await expect(pullStudy("fti", depot, { hasFiles: true })).rejects.toThrow(/has no study "fti".*fit/s);
  });

  test("into a search whose order it would change is refused", async () => {
    const depot = await PLACES.folder!();
    const [ada, bo] = [new Machine(), new Machine()];
    ada.run(recordOf(1, { startedAtMs: 2000 }), recordOf(3));
    bo.run(recordOf(1, { startedAtMs: 1000 }), recordOf(2));
    bo.folder.write("bench_runs/fit/sweep.db", "");
    await ada.push(depot);
    await expect(bo.pull(depot)).rejects.toThrow("is a search");
  });
});

describe("a place", () => {
  test("that is none is refused with what it could be", async () => {
    await expect(openDepot("ftp://host/x")).rejects.toThrow(
      "s3://bucket/prefix, ssh://user@host/path, or a folder",
    );
    await expect(openDepot("ssh://host")).rejects.toThrow("ssh://user@host/path");
    await expect(openDepot("ssh://-oProxyCommand=x/y")).rejects.toThrow("ssh://user@host/path");
  });

  test("that ssh can't reach says what ssh said", async () => {
    vi.stubEnv("ASSAY_SSH", "/no/such/ssh");
    const depot = await openDepot("ssh://nobody@host/x");
    await expect(depot.list("pushes/")).rejects.toThrow(/can't be reached \(spawn .*ENOENT/);
  });
});
