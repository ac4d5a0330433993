import { describe, expect, test } from "vitest";
import { checkNote, type NoteLine, parseNotes, savedViews, standingNotes } from "../../src/core/note.ts";

const line = (said: Partial<NoteLine>): NoteLine => ({ at: "2026-01-01T00:00:00Z", by: "ada", ...said });

describe("what people say of a study", () => {
  test("is, of each person and thing, what their lines add up to", () => {
    const notes = standingNotes([
      line({ run: "a", verdict: "pass", tags: ["loop", "slow"] }),
      line({ run: "a", by: "bo", verdict: "fail" }),
      line({ run: "a", note: "why", untags: ["slow"], at: "2026-01-02T00:00:00Z" }),
      line({ run: "a", turn: 3, tags: ["here"] }),
      line({ note: "the study" }),
      line({ task: "t", verdict: "pass" }),
      line({ task: "t", verdict: null }),
    ]);
    expect(notes).toEqual([
      { ...line({ run: "a", at: "2026-01-02T00:00:00Z" }), verdict: "pass", tags: ["loop"], note: "why" },
      { ...line({ run: "a", by: "bo" }), verdict: "fail", tags: [], note: null },
      { ...line({ run: "a", turn: 3 }), verdict: null, tags: ["here"], note: null },
      { ...line({}), verdict: null, tags: [], note: "the study" },
    ]);
  });

  test("passes over torn lines, lines of another shape and empty ones", () => {
    const good = line({ run: "a", verdict: "pass" });
    const text = `${JSON.stringify(good)}\n\n{"at": 1}\nnull\n{"at":"x","by":"y","tags":"no list"}\n{"at":"2026`;
    expect(parseNotes(text)).toEqual([good]);
  });

  test("names views; a name that is given again stands for the new one, and one taken back for none", () => {
    const views = savedViews([
      line({ view: "slow", address: "tab=runs" }),
      line({ view: "gone", address: "tab=tasks" }),
      line({ view: "slow", address: "tab=charts", by: "bo" }),
      line({ view: "gone", address: null }),
    ]);
    expect(views.map(({ name, address, by }) => [name, address, by])).toEqual([["slow", "tab=charts", "bo"]]);
  });

  test.each([
    ["says nothing", line({ run: "a" }), /says nothing/],
    ["has an empty verdict", line({ verdict: " " }), /verdict of a note is empty/],
    ["is longer than anybody reads", line({ note: "x".repeat(20_001) }), /too long/],
    ["is on a turn of no run", line({ turn: 1, note: "x" }), /belongs to a run/],
    ["has a number for a tag", line({ tags: [1 as unknown as string] }), /not a note/],
    ["has too many tags", line({ tags: Array.from({ length: 51 }, (_, i) => `t${i}`) }), /too many tags/],
  ])("is refused where it %s", (_, wrong, message) => {
    expect(() => checkNote(wrong)).toThrow(message);
  });
});
