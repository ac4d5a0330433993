import { describe, expect, it } from "vitest";
import { type Database, loadSqlite } from "../../src/farm/database/database.ts";
import { compareDigests, expectDigest, readDigest, StepLog } from "../../src/farm/step-log.ts";
import { type StepSummary, step } from "../../src/farm/world/step.ts";
import { createWorld } from "../../src/farm/world/world.ts";

const STEPS = 60;
const OPTIONS = { flushEvery: 7, resourcesEvery: 20 };
const open = await loadSqlite();

function logged(options = OPTIONS): { db: Database; told: StepSummary[] } {
  const db = open(":memory:");
  const log = new StepLog(db, options);
  const world = createWorld({}, 42);
  const told = Array.from({ length: STEPS }, () => {
    const summary = step(world);
    log.record(world, summary);
    return summary;
  });
  log.flush();
  return { db, told };
}

const expected = (options = OPTIONS) => expectDigest(createWorld({}, 42), STEPS, options);

describe("a log of every step", () => {
  it("holds what the world did, step by step", () => {
    const { db, told } = logged();
    const counts = (sql: string) => new Map(db.prepare(sql).raw().all() as unknown as [number, number][]);
    const states = counts("SELECT step, count(*) FROM agent_states GROUP BY step");
    const energy = counts("SELECT step, sum(energy) FROM agent_states GROUP BY step");
    const births = counts("SELECT step, count(*) FROM births GROUP BY step");
    const starved = counts("SELECT step, count(*) FROM deaths WHERE cause = 1 GROUP BY step");
    const aged = counts("SELECT step, count(*) FROM deaths WHERE cause = 2 GROUP BY step");
    const resources = counts("SELECT step, sum(amount) FROM resources GROUP BY step");
    for (const summary of told) {
      const at = summary.step;
      expect([states.get(at), energy.get(at)]).toEqual([summary.population, summary.energy]);
      expect(births.get(at) ?? 0).toBe(summary.births);
      expect([starved.get(at) ?? 0, aged.get(at) ?? 0]).toEqual([summary.starved, summary.aged]);
      expect(resources.get(at)).toBe(at % 20 === 0 ? summary.resources : undefined);
    }
    expect([...births.values()].length).toBeGreaterThan(0);
    const rows = db.prepare("SELECT * FROM steps ORDER BY step").raw().all();
    expect(rows).toEqual(told.map((summary) => rowOf(summary)));
  });

  it("has the digest that the world alone foretells, however its transactions are cut", () => {
    for (const flushEvery of [1, 7, 60, 1000]) {
      const options = { flushEvery, resourcesEvery: 20 };
      expect(readDigest(logged(options).db)).toEqual(expected(options));
    }
    expect(readDigest(logged({ flushEvery: 7, resourcesEvery: 0 }).db).resources!.rows).toBe(0);
  });

  it.each([
    [
      "a lost row",
      "DELETE FROM agent_states WHERE rowid = 500",
      /^agent_states has \d+ rows, \d+ were logged$/,
    ],
    ["a lost last step", "DELETE FROM steps WHERE step = 60", /^steps has 59 rows, 60 were logged$/],
    [
      "a changed value",
      "UPDATE births SET parent = parent + 1 WHERE rowid = 2",
      /^births .* not the same content$/,
    ],
    ["a row twice", "INSERT INTO deaths SELECT * FROM deaths WHERE rowid = 1", /^deaths has/],
    [
      "two rows exchanged",
      "UPDATE agent_states SET rowid = -rowid WHERE rowid IN (3, 4); UPDATE agent_states SET rowid = 7 + rowid WHERE rowid < 0",
      /^agent_states .* not the same content$/,
    ],
    ["a lost table's rows", "DELETE FROM resources", /^resources has 0 rows/],
  ])("is not taken for complete with %s", (_name, damage, message) => {
    const { db } = logged();
    expect(compareDigests(expected(), readDigest(db))).toBeNull();
    db.exec(damage);
    expect(compareDigests(expected(), readDigest(db))).toMatch(message);
  });
});

function rowOf({
  step: at,
  population,
  births,
  starved,
  aged,
  resources,
  energy,
  ...flows
}: StepSummary): number[] {
  const { regrown, gathered, spent, lost } = flows;
  return [at, population, births, starved, aged, resources, energy, regrown, gathered, spent, lost];
}
