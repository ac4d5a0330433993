import type { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { askRunner } from "../api/ask-runner.ts";
import { isControlRequest } from "../core/live-state.ts";
import { runnerOf } from "../read/runner-of.ts";
import type { Served } from "./app.ts";
import { notFromPage } from "./security.ts";

const MOST_BODY_BYTES = 10_000;
const CONTROL_SHAPE =
  'Expected {study, action: "pause" | "resume" | "cancel" | "adjust" | "rerun"}, with "run" to cancel one run, with "jobs" (a whole number), "costUsd" or "wallMs" (above 0) to adjust.';

/** Asking a runner for something takes more than being able to read: the page itself must have sent it. */
export function addControl(app: Hono, { shelf, mayControl, rerun }: Served): void {
  app.post("/api/control", bodyLimit({ maxSize: MOST_BODY_BYTES }), async (c) => {
    const refusal = notFromPage(c.req.raw);
    if (refusal !== undefined) return c.text(refusal, 403);
    if (!mayControl)
      return c.text("This page only reads. Start it with `assay ui --allow-control` to steer runs.\n", 403);
    const { study, ...order } = ((await c.req.json().catch(() => undefined)) ?? {}) as Record<
      string,
      unknown
    >;
    const request = { ...order, by: "from the page" };
    if (typeof study !== "string" || !isControlRequest(request)) return c.json({ error: CONTROL_SHAPE }, 400);
    const dir = shelf.find(study);
    if (dir === undefined) return c.notFound();
    if (request.action === "rerun" && rerun && !(await runnerOf(dir))) {
      await rerun(dir);
      return c.json({ taken: true });
    }
    return c.json({ taken: await askRunner(dir, request) });
  });
}
