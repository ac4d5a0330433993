import { appendFileSync, renameSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Followers } from "../../src/server/followers.ts";
import { type RunningServer, startServer } from "../../src/server/start-server.ts";
import { studyEvents } from "../../src/server/study-events.ts";
import { StudyShelf } from "../../src/server/study-shelf.ts";
import { aRecord, aStudy, aStudyFile } from "../support/a-study.ts";
import { askRaw, EventReader } from "../support/live-page.ts";
import { TempFolder } from "../support/temp-folder.ts";
import { waitFor } from "../support/wait-for.ts";

const SEEDS = 3000;
let folder: TempFolder;
let server: RunningServer;
let journal: string;

beforeEach(async () => {
  const seeds = Array.from({ length: SEEDS }, (_, i) => i);
  const file = aStudyFile({ study: aStudy({ seeds }), total: SEEDS });
  folder = new TempFolder({ "s/study.json": JSON.stringify(file), "s/journal.jsonl": "" });
  journal = `${folder.path}/s/journal.jsonl`;
  server = await startServer({ root: folder.path });
});

afterEach(async () => {
  await server.close();
  folder[Symbol.dispose]();
});

const idOf = (seed: number) => `seed${seed}__${String(seed).padStart(12, "0")}`;
const idsUpTo = (end: number) => Array.from({ length: end }, (_, i) => idOf(i));
const linesOf = (from: number, to: number, part = {}) =>
  idsUpTo(to)
    .slice(from)
    .map((id, i) => `${JSON.stringify(aRecord({ id, seed: from + i, metrics: { x: 1 }, ...part }))}\n`)
    .join("");
const follow = (headers = {}) => new EventReader(server, "/api/events?study=s", headers);
const placeOf = (reader: EventReader) => waitFor("the place", () => reader.lastId);

test("a glance at a study tells how many records it has, before any of them is read", async () => {
  const glance = async () => {
    const headers = { Authorization: `Bearer ${server.token}` };
    return JSON.parse((await askRaw(server.port, "/api/glance?study=s", { headers })).text);
  };
  expect(await glance()).toEqual({ question: null, records: 0, before: null });
  appendFileSync(journal, linesOf(0, 3000, { reason: "x".repeat(500) }));
  expect(await glance()).toMatchObject({ records: 3000, before: null });
});

describe("the events of a study", () => {
  test("tell each run that ends once, in order, with the cells of the table of runs", async () => {
    using reader = follow();
    await placeOf(reader);
    for (let at = 0; at < 1000; at += 100) appendFileSync(journal, linesOf(at, at + 100));
    await waitFor("all runs", () => reader.runs.length >= 1000);
    expect(reader.runs).toEqual(idsUpTo(1000));
    const [row] = reader.named("rows")[0]!.data.rows;
    expect(row).toMatchObject({ run: idOf(0), seed: 0, status: "ok", x: 1, wall_time: 1.5 });
    await waitFor("the card", () => reader.named("card").at(-1)!.data.counts.ok === 1000);
    await waitFor("the findings to be called stale", () => reader.named("stale").length > 0);
    const table = JSON.parse(
      (
        await askRaw(server.port, "/api/runs?study=s", {
          headers: { Authorization: `Bearer ${server.token}` },
        })
      ).text,
    );
    const names = table.columns.map(({ name }: { name: string }) => name);
    expect(Object.keys(row).every((name) => names.includes(name))).toBe(true);
  });

  test("go on after a lost connection without losing or repeating a run", async () => {
    let place: string;
    let before: string[];
    {
      using first = follow();
      await placeOf(first);
      appendFileSync(journal, linesOf(0, 700));
      await waitFor("the first runs", () => first.runs.length === 700);
      place = first.lastId!;
      before = first.runs;
    }
    appendFileSync(journal, linesOf(700, 2900));
    using second = follow({ "Last-Event-ID": place });
    await waitFor("the missed runs", () => before.length + second.runs.length >= 2900);
    appendFileSync(journal, linesOf(2900, SEEDS));
    await waitFor("the newest runs", () => before.length + second.runs.length >= SEEDS);
    expect([...before, ...second.runs]).toEqual(idsUpTo(SEEDS));
    expect(second.named("reset")).toEqual([]);
  });

  test("begin where the newest table of runs ended, so that no run falls between", async () => {
    appendFileSync(journal, linesOf(0, 10));
    const headers = { Authorization: `Bearer ${server.token}` };
    await askRaw(server.port, "/api/studies", { headers });
    const { text } = await askRaw(server.port, "/api/runs?study=s", { headers });
    expect(JSON.parse(text).count).toBe(10);
    appendFileSync(journal, linesOf(10, 20));
    using reader = follow();
    await waitFor("what came after the table", () => reader.runs.length >= 10);
    expect(reader.runs).toEqual(idsUpTo(20).slice(10));
  });

  test("begin where a reader's own table ended, also where others had theirs later", async () => {
    const askTable = () =>
      askRaw(server.port, "/api/runs?study=s", { headers: { Authorization: `Bearer ${server.token}` } });
    using other = follow();
    await placeOf(other);
    appendFileSync(journal, linesOf(0, 10));
    await waitFor("the first runs", () => other.runs.length === 10);
    await askTable();
    appendFileSync(journal, linesOf(10, 20));
    await waitFor("the next runs", () => other.runs.length === 20);
    // Somebody else's table has these; the first reader's has not.
    await askTable();
    using late = follow();
    await placeOf(late);
    await waitFor("what the first table lacks", () => late.runs.length >= 10);
    expect(late.runs).toEqual(idsUpTo(20).slice(10));
  });

  test("hold a torn line back until it is whole", async () => {
    using reader = follow();
    await placeOf(reader);
    const [first, second] = [linesOf(0, 1), linesOf(1, 2)];
    appendFileSync(journal, first + second.slice(0, 40));
    await waitFor("the first run", () => reader.runs.length === 1);
    appendFileSync(journal, second.slice(40));
    await waitFor("the second run", () => reader.runs.length === 2);
    expect(reader.runs).toEqual(idsUpTo(2));
  });

  test("say when the journal is another one, also to a reader that was away", async () => {
    appendFileSync(journal, linesOf(0, 5));
    let place: string;
    {
      using reader = follow();
      place = await placeOf(reader);
      renameSync(journal, `${journal}.old`);
      writeFileSync(journal, linesOf(0, 2, { metrics: { x: 2 } }));
      await waitFor("the reset", () => reader.named("reset").length === 1);
      appendFileSync(journal, linesOf(2, 3));
      await waitFor("what comes after it", () => reader.runs.includes(idOf(2)));
    }
    using back = follow({ "Last-Event-ID": place });
    await waitFor("the reset", () => back.named("reset").length === 1);
    expect(back.runs).toEqual([]);
    using strange = follow({ "Last-Event-ID": "nonsense\u00e4" });
    await placeOf(strange);
    expect(strange.named("reset")).toEqual([]);
  });

  test("are the same for several readers", async () => {
    using one = follow();
    using two = follow();
    await Promise.all([placeOf(one), placeOf(two)]);
    appendFileSync(journal, linesOf(0, 50));
    await waitFor("both", () => one.runs.length === 50 && two.runs.length === 50);
    expect(two.runs).toEqual(one.runs);
  });
});

test("a table that was asked for before anything was read misses no run, and most are not told again", async () => {
  const many = linesOf(0, SEEDS, { warnings: ["w".repeat(1000)] });
  const [first, rest] = [many.slice(0, 2_500_000), many.slice(2_500_000)];
  appendFileSync(journal, first);
  const followers = new Followers(new StudyShelf(folder.path), { mayControl: false });
  const follower = followers.find("s")!;
  follower.noteSnapshot();
  // The table is made of the runs until now; these end before the follower has looked.
  appendFileSync(journal, rest);
  const card = await follower.refresh();
  expect(card.counts.ok).toBe(SEEDS);
  const { offset } = follower.start;
  expect(offset).toBeLessThanOrEqual(first.length);
  expect(offset).toBeGreaterThan(first.length - 1_100_000);
  expect(many[offset - 1]).toBe("\n");
  followers.close();
});

test("a reader that has left is followed for no longer", async () => {
  const followers = new Followers(new StudyShelf(folder.path), { mayControl: false });
  const follower = followers.find("s")!;
  const channels = await Promise.all([1, 2].map(() => studyEvents(follower, { from: undefined })));
  expect(followers.hasReaders).toBe(true);
  channels[0]!.close();
  expect(followers.hasReaders).toBe(true);
  await channels[1]!.response.body!.cancel();
  expect(followers.hasReaders).toBe(false);
});

describe("the events of all studies", () => {
  test("tell the cards, then what has changed, and which studies came and went", async () => {
    using reader = new EventReader(server, "/api/events");
    await waitFor("the cards", () => reader.named("cards")[0]?.data.length === 1);
    appendFileSync(
      journal,
      linesOf(0, 3, { outcome: { status: "failed", owner: "agent", reason: "exit 3" } }),
    );
    const { data } = await waitFor("the change", () =>
      reader.named("card").find(({ data }) => data.counts.failed === 3),
    );
    expect(data).toMatchObject({ id: "s", state: "stopped", canControl: false });
    expect(data.newestFailures).toHaveLength(3);
    expect(data.newestFailures[0]).toMatchObject({ id: idOf(2), reason: "exit 3" });
    folder.write("later/journal.jsonl", linesOf(0, 1));
    await waitFor("the new study", () => reader.named("cards").some(({ data }) => data.length === 2));
  });
});
