import { describe, expect, test } from "vitest";
import { chooseItems } from "../../src/core/dataset.ts";

const rows = Array.from({ length: 20 }, (_, i) => ({
  line: i + 1,
  fields: { id: `q${i}`, level: i % 2 === 0 ? "easy" : "hard", n: i },
}));
const path = "data.jsonl";

describe("items of a dataset", () => {
  test("are named by id, by another field, or by their number", () => {
    expect([...chooseItems(rows, { path }).keys()].slice(0, 2)).toEqual(["q0", "q1"]);
    expect([...chooseItems(rows, { path, id: "n" }).keys()].slice(0, 2)).toEqual(["0", "1"]);
    const unnamed = rows.map(({ line, fields: { n } }) => ({ line, fields: { n } }));
    expect([...chooseItems(unnamed, { path }).keys()].slice(0, 2)).toEqual(["1", "2"]);
  });

  test("are chosen by a condition over their fields, and drawn the same way each time", () => {
    const hard = chooseItems(rows, { path, where: "level == 'hard' and n > 4" });
    expect([...hard.keys()]).toEqual(["q5", "q7", "q9", "q11", "q13", "q15", "q17", "q19"]);
    const drawn = [...chooseItems(rows, { path, sample: 5 }).keys()];
    expect(drawn).toHaveLength(5);
    expect([...chooseItems(rows, { path, sample: 5 }).keys()]).toEqual(drawn);
    expect([...chooseItems(rows, { path, sample: 5, sampleSeed: 7 }).keys()]).not.toEqual(drawn);
    const order = drawn.map((name) => Number(name.slice(1)));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  test("that can't be told apart, have no name or are not there are mistakes", () => {
    expect(() => chooseItems(rows, { path, id: "level" })).toThrow('items 1 and 3 are both named "easy"');
    expect(() => chooseItems(rows, { path, id: "title" })).toThrow(
      'item 1 has no name: expected a text or number in the field "title", got the fields id, level, n',
    );
    expect(() => chooseItems(rows, { path, where: "n > 99" })).toThrow('no item satisfies "n > 99"');
    expect(() => chooseItems(rows, { path, where: "levle == 1" })).toThrow('"levle"');
    expect(() => chooseItems(rows, { path, sample: 21 })).toThrow("at most 20");
    expect(() => chooseItems([], { path })).toThrow("no item");
  });
});
