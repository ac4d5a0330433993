import type { Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { appendNote, writerName } from "../archive/notes.ts";
import type { NoteLine } from "../core/note.ts";
import { noteLook } from "../read/past.ts";
import { viewNotes } from "../read/view-notes.ts";
import type { Served } from "./app.ts";
import { notFromPage } from "./security.ts";

/** A note's text may have 20,000 characters, of up to six bytes each where JSON escapes them. */
const MOST_NOTE_BYTES = 200_000;
const MOST_LOOK_BYTES = 10_000;
const KEYS = ["run", "file", "turn", "task", "verdict", "note", "tags", "untags", "view", "address"] as const;

/** What people say of runs, tasks and turns, to read and to add to. */
export function addNotes(app: Hono, served: Served): void {
  const { shelf, followers, views, mayNote } = served;
  addLooks(app, served);
  app.get("/api/notes", (c) => {
    const dir = shelf.find(c.req.query("study") ?? "");
    return dir === undefined ? c.notFound() : c.json(viewNotes(dir));
  });
  app.get("/api/judge", async (c) => {
    const id = c.req.query("study") ?? "";
    const dir = shelf.find(id);
    if (dir === undefined) return c.notFound();
    return c.body(await views.get({ kind: "judge", id, dir }), 200, { "Content-Type": "application/json" });
  });
  app.post("/api/note", bodyLimit({ maxSize: MOST_NOTE_BYTES }), async (c) => {
    const refusal = notFromPage(c.req.raw);
    if (refusal !== undefined) return c.text(refusal, 403);
    if (!mayNote) return c.text("This page only reads, so it takes no notes.\n", 403);
    const sent = ((await c.req.json().catch(() => undefined)) ?? {}) as Record<string, unknown>;
    const dir = typeof sent.study === "string" ? shelf.find(sent.study) : undefined;
    if (dir === undefined) return c.notFound();
    const said = Object.fromEntries(
      KEYS.flatMap((key) => (sent[key] === undefined ? [] : [[key, sent[key]]])),
    );
    appendNote(dir, { ...said, at: new Date().toISOString(), by: writerOf(c, sent.by) } as NoteLine);
    await followers.find(sent.study as string)?.refresh();
    return c.json(viewNotes(dir));
  });
}

/** The page says when somebody has seen the answer that so many runs give; what the study has more of is no look. */
function addLooks(app: Hono, { shelf, followers }: Served): void {
  app.post("/api/look", bodyLimit({ maxSize: MOST_LOOK_BYTES }), async (c) => {
    const refusal = notFromPage(c.req.raw);
    if (refusal !== undefined) return c.text(refusal, 403);
    const { study, runs } = ((await c.req.json().catch(() => undefined)) ?? {}) as Record<string, unknown>;
    const dir = typeof study === "string" ? shelf.find(study) : undefined;
    const card = dir && (await followers.find(study as string)?.refresh());
    if (dir === undefined || !card) return c.notFound();
    const { ok, stopped, failed, cancelled } = card.counts;
    if (
      !Number.isSafeInteger(runs) ||
      (runs as number) < 1 ||
      (runs as number) > ok + stopped + failed + cancelled
    )
      return c.json({ error: "Expected {study, runs}: a number of runs that have ended." }, 400);
    noteLook(dir, runs as number);
    return c.json({});
  });
}

/** Whoever holds the key may say who they are; without a word they are the user who started the page. */
function writerOf(_: Context, by: unknown): string {
  return typeof by === "string" && by.trim() !== "" ? by.trim() : writerName();
}
