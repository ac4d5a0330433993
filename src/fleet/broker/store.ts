import type { LeaseAnswer, LeaseRequest } from "../limits/limit.ts";
import type { PurseAnswer, PurseOrder } from "../limits/purse.ts";

/**
 * Small shared facts beside the queues: values and tables of fields. Each call waits until the server answers,
 * through restarts, cuts and times in which it takes no writes.
 */
export interface Store {
  get(key: string): Promise<Buffer | undefined>;
  set(key: string, value: string | Buffer, options?: { lifeMs?: number; isNew?: boolean }): Promise<void>;
  delete(keys: string[]): Promise<void>;
  fields(key: string): Promise<Record<string, string>>;
  /** With `lifeMs` the whole table goes so long after the last such call. */
  setFields(key: string, fields: Record<string, string>, options?: { lifeMs?: number }): Promise<void>;
  deleteFields(key: string, names: string[]): Promise<void>;
  /** Takes a place under limits, or renews it: in one step, by the server's clock. It is a field of each limit's key. */
  lease(request: LeaseRequest): Promise<LeaseAnswer>;
  /** Reserves, renews or settles what a call may cost, of the money and counts under a key: in one step, too. */
  purse(key: string, order: PurseOrder): Promise<PurseAnswer>;
  /** The server's clock: machines need not agree on the time. */
  nowMs(): Promise<number>;
}
