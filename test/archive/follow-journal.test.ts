import { appendFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JournalFollower } from "../../src/archive/follow-journal.ts";
import { aRecord } from "../support/a-study.ts";
import { TempFolder } from "../support/temp-folder.ts";

const lineOf = (id: string, part = {}) => `${JSON.stringify(aRecord({ id, ...part }))}\n`;
const idsOf = (follower: JournalFollower) => follower.read().records.map(({ id }) => id);

describe("following a journal", () => {
  test("gives each record once, however its bytes arrive", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 8 }), { maxLength: 12 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 300 })),
        (names, steps) => {
          using folder = new TempFolder({ "journal.jsonl": "" });
          const path = `${folder.path}/journal.jsonl`;
          const bytes = Buffer.from(names.map((name) => lineOf(name)).join(""));
          const follower = new JournalFollower(folder.path);
          const seen: string[] = [];
          for (let at = 0; at < bytes.length; ) {
            const next = at + steps.next().value;
            appendFileSync(path, bytes.subarray(at, next));
            at = next;
            seen.push(...idsOf(follower));
          }
          expect(seen).toEqual(names);
          expect(follower.offset).toBe(bytes.length);
        },
      ),
      { numRuns: 50 },
    );
  });

  test("waits for the rest of a torn line, and for a journal that is not there yet", () => {
    using folder = new TempFolder();
    const path = `${folder.path}/journal.jsonl`;
    const follower = new JournalFollower(folder.path);
    expect(follower.read()).toMatchObject({ records: [], isReset: false });
    const second = lineOf("b");
    writeFileSync(path, lineOf("a") + second.slice(0, 30));
    expect(idsOf(follower)).toEqual(["a"]);
    expect(idsOf(follower)).toEqual([]);
    appendFileSync(path, second.slice(30));
    expect(idsOf(follower)).toEqual(["b"]);
  });

  test("does not take a repaired tail for another journal", () => {
    using folder = new TempFolder({ "journal.jsonl": `${lineOf("a")}{"id":"to` });
    const path = `${folder.path}/journal.jsonl`;
    const follower = new JournalFollower(folder.path);
    expect(idsOf(follower)).toEqual(["a"]);
    truncateSync(path, lineOf("a").length);
    appendFileSync(path, lineOf("b"));
    expect(follower.read()).toMatchObject({ isReset: false, records: [{ id: "b" }] });
  });

  test("starts over when the journal was cut, replaced or removed, and says so", () => {
    using folder = new TempFolder({ "journal.jsonl": lineOf("a") + lineOf("b") });
    const path = `${folder.path}/journal.jsonl`;
    const follower = new JournalFollower(folder.path);
    expect(idsOf(follower)).toEqual(["a", "b"]);
    truncateSync(path, lineOf("a").length);
    expect(follower.read()).toMatchObject({ isReset: true, records: [{ id: "a" }], from: 0 });
    renameSync(path, `${path}.old`);
    writeFileSync(path, lineOf("a") + lineOf("c") + lineOf("d"));
    expect(follower.read().isReset).toBe(true);
    rmSync(path);
    expect(follower.read()).toMatchObject({ isReset: true, records: [] });
    expect(follower.read().isReset).toBe(false);
  });

  test("passes over lines that are no records, and takes one that is longer than its buffer", () => {
    using folder = new TempFolder({
      "journal.jsonl": `broken\n${lineOf("long", { labels: { log: "x".repeat(3_000_000) } })}{}\n${lineOf("z")}`,
    });
    const follower = new JournalFollower(folder.path);
    const seen: string[] = [];
    for (let more = true; more; ) {
      const { records, hasMore } = follower.read();
      seen.push(...records.map(({ id }) => id));
      more = hasMore;
    }
    expect(seen).toEqual(["long", "z"]);
  });
});
