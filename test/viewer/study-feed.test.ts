import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Glance, StudyView } from "../../src/reporters/study-view.ts";
import type { Hears, LiveSource, Source } from "../../viewer/source/source.ts";
import { StudyFeed } from "../../viewer/state/study-feed.ts";
import { runs } from "./runs-fixture.ts";

/** A source that a test speaks for. */
function scriptedSource() {
  let hears: Hears = {};
  const asked = { study: 0, runs: 0 };
  const live = {
    glance: async () => ({ question: "Which?", records: 7, before: null }),
    follow: (_: string | null, given: Hears) => {
      hears = given;
      return () => {
        hears = {};
      };
    },
  } as Partial<LiveSource> as LiveSource;
  const source: Source = {
    study: async () => ({ name: `view ${++asked.study}` }) as StudyView,
    runs: async () => {
      asked.runs++;
      return runs;
    },
    run: async () => null,
    notes: async () => ({ notes: [], views: [], agreement: null }),
    judgement: async () => null,
    left: () => 0,
    live,
    comparison: null,
  };
  return { source, asked, say: () => hears };
}

describe("a study that is followed", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("shows what was shown last until the answer comes, and never again after it", async () => {
    const { source } = scriptedSource();
    const before = { name: "before" } as StudyView;
    let answer = (_: StudyView) => {};
    source.study = () => new Promise((resolve) => (answer = resolve));
    source.live!.glance = async () => ({ question: "Which?", records: 7, before });
    const feed = new StudyFeed(source, "s");
    feed.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(feed).toMatchObject({ view: { name: "before" }, isBefore: true, question: "Which?", records: 7 });
    answer({ name: "now" } as StudyView);
    await vi.advanceTimersByTimeAsync(0);
    expect(feed).toMatchObject({ view: { name: "now" }, isBefore: false });

    let glance = (_: Glance) => {};
    source.live!.glance = () => new Promise((resolve) => (glance = resolve));
    source.study = async () => ({ name: "now" }) as StudyView;
    const late = new StudyFeed(source, "s");
    late.start();
    await vi.advanceTimersByTimeAsync(0);
    glance({ question: "Which?", records: 7, before });
    await vi.advanceTimersByTimeAsync(0);
    expect(late).toMatchObject({ view: { name: "now" }, isBefore: false });
  });

  test("asks for the table first where a reader came for it, and for the answer first elsewhere", async () => {
    for (const withRuns of [true, false]) {
      const { source } = scriptedSource();
      const order: string[] = [];
      const { study, runs: table } = source;
      source.study = (id) => {
        order.push("study");
        return study(id);
      };
      source.runs = (id) => {
        order.push("runs");
        return table(id);
      };
      const feed = new StudyFeed(source, "s");
      feed.start({ withRuns });
      await feed.loadRuns();
      expect(order).toEqual(withRuns ? ["runs", "study"] : ["study", "runs"]);
    }
  });

  test("takes many rows in with one redraw", async () => {
    const { source, say } = scriptedSource();
    const feed = new StudyFeed(source, "s");
    feed.start();
    await feed.loadRuns();
    const before = feed.rowsVersion;
    for (let i = 0; i < 1000; i++) say().rows?.([{ run: `new${i}`, score: i }]);
    expect(feed.store!.count).toBe(6);
    await vi.advanceTimersByTimeAsync(300);
    expect(feed.store!.count).toBe(1006);
    expect(feed.rowsVersion).toBe(before + 1);
  });

  test("keeps rows that come while the table is on its way", async () => {
    const { source, say } = scriptedSource();
    const feed = new StudyFeed(source, "s");
    feed.start();
    const loading = feed.loadRuns();
    say().rows?.([{ run: "early", score: 1 }]);
    await loading;
    expect(feed.store!.rowOf("early")).toBe(6);
  });

  test("asks for its findings again once, however often they change", async () => {
    const { source, asked, say } = scriptedSource();
    const feed = new StudyFeed(source, "s");
    feed.start();
    await vi.advanceTimersByTimeAsync(0);
    for (let i = 0; i < 50; i++) say().stale?.();
    await vi.advanceTimersByTimeAsync(5000);
    expect(asked.study).toBe(2);
    expect(feed.view!.name).toBe("view 2");
  });

  test("asks again for a study that could not be had, though no event comes, until it is left", async () => {
    const { source, asked, say } = scriptedSource();
    const view = source.study;
    const missing = async () => {
      asked.study++;
      throw new Error("Nothing here has that name.");
    };
    source.study = missing;
    const feed = new StudyFeed(source, "s");
    feed.start();
    await vi.advanceTimersByTimeAsync(100);
    expect(feed).toMatchObject({ view: null, error: "Nothing here has that name." });
    source.study = view;
    await vi.advanceTimersByTimeAsync(5000);
    expect(feed).toMatchObject({ view: { name: "view 2" }, error: null });
    source.study = missing;
    say().reset?.();
    feed.stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked.study).toBe(3);
  });

  test("reads everything anew when the server is heard again", async () => {
    const { source, asked, say } = scriptedSource();
    const feed = new StudyFeed(source, "s");
    feed.start();
    await feed.loadRuns();
    say().connection?.(false);
    expect(feed.isConnected).toBe(false);
    say().connection?.(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toEqual({ study: 2, runs: 2 });
  });

  test("forgets its runs when they are others, and loses none that is told meanwhile", async () => {
    const { source, asked, say } = scriptedSource();
    const feed = new StudyFeed(source, "s");
    feed.start();
    await feed.loadRuns();
    say().rows?.([{ run: "of before", score: 1 }]);
    say().reset?.();
    expect(feed.store).toBeNull();
    say().rows?.([{ run: "of after", score: 2 }]);
    await vi.advanceTimersByTimeAsync(500);
    expect(asked).toEqual({ study: 2, runs: 2 });
    expect(feed.store!.rowOf("of after")).toBe(6);
    expect(feed.store!.rowOf("of before")).toBeUndefined();
  });

  test("asks again for a table that could not be had, as of a study that is being begun afresh", async () => {
    const { source, say } = scriptedSource();
    const { runs: give } = source;
    source.runs = () => Promise.reject(new Error("Nothing here has that name."));
    const feed = new StudyFeed(source, "s");
    feed.start();
    await feed.loadRuns();
    expect(feed.error).toBe("Nothing here has that name.");
    source.runs = give;
    say().stale?.();
    await vi.advanceTimersByTimeAsync(3000);
    expect(feed.error).toBeNull();
    expect(feed.store!.count).toBe(6);
  });

  test("asks again for a table that could not be had, though no event comes", async () => {
    const { source, asked } = scriptedSource();
    const { runs: give } = source;
    source.runs = () => Promise.reject(new Error("The server does not answer."));
    const feed = new StudyFeed(source, "s");
    feed.start();
    await feed.loadRuns();
    source.runs = give;
    await vi.advanceTimersByTimeAsync(3000);
    expect(feed).toMatchObject({ error: null, store: { count: 6 } });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toEqual({ study: 2, runs: 1 });
  });

  test("takes no table that was asked for before everything changed", async () => {
    const { source, say } = scriptedSource();
    const tables: ((table: typeof runs) => void)[] = [];
    source.runs = () => new Promise((resolve) => tables.push(resolve));
    const feed = new StudyFeed(source, "s");
    feed.start();
    feed.loadRuns();
    say().reset?.();
    expect(tables).toHaveLength(2);
    tables[0]!(runs);
    await vi.advanceTimersByTimeAsync(0);
    expect(feed.store).toBeNull();
    tables[1]!(runs);
    await vi.advanceTimersByTimeAsync(0);
    expect(feed.store!.count).toBe(6);
  });

  test("tells nobody anything once it has ended", async () => {
    const { source, say } = scriptedSource();
    const feed = new StudyFeed(source, "s");
    feed.start();
    await feed.loadRuns();
    say().rows?.([{ run: "late", score: 1 }]);
    feed.stop();
    const { version } = feed;
    await vi.advanceTimersByTimeAsync(5000);
    expect(feed.version).toBe(version);
  });
});
