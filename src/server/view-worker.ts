import { parentPort } from "node:worker_threads";
import { UserError } from "../core/errors.ts";
import { computeView, type ViewRequest } from "./compute-view.ts";

export interface ViewOrder {
  number: number;
  request: ViewRequest;
}

export type ViewAnswer =
  | { number: number; json: string }
  | { number: number; message: string; isUsers: boolean };

/** Computes views in a thread of its own, so that the event stream never waits for statistics. */
parentPort!.on("message", async ({ number, request }: ViewOrder) => {
  let answer: ViewAnswer;
  try {
    answer = { number, json: JSON.stringify((await computeView(request)) ?? null) };
  } catch (error) {
    const message =
      error instanceof UserError ? error.message : String(error instanceof Error ? error.stack : error);
    answer = { number, message, isUsers: error instanceof UserError };
  }
  parentPort!.postMessage(answer);
});
