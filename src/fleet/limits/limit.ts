/** A bound on runs that carry a label, over the whole fleet. */
export interface Limit {
  label: string;
  /** Runs at the same time. */
  concurrent?: number;
  /** Runs that begin within any minute. */
  perMinute?: number;
}

/** One asks to begin, or to go on with, something that limits are about: for all of them at once, or for none. */
export interface LeaseRequest {
  limits: readonly Limit[];
  /** Who asks: the same again is the same place, never a second one. */
  holder: string;
  /** Who says nothing for so long has lost its place. */
  lifeMs: number;
  /** It goes on whatever the answer, so it is counted even where it had lost its place. */
  isRenewal?: boolean;
}

export interface LeaseAnswer {
  isGranted: boolean;
  /** When the rate allows the next one; 0 where that depends on others who hold a place. */
  waitMs: number;
}

/** The state of a label's bucket stands beside the places of its holders. */
export const BUCKET = "bucket";

export interface Bucket {
  size: number;
  perMs: number;
}

/**
 * A token bucket that gives at most `perMinute` in any minute: it holds a second's worth, and what a full one gives
 * at once is taken off the rate at which it fills.
 */
export function bucketOf(perMinute: number): Bucket {
  const size = Math.max(1, Math.floor(perMinute / 60));
  return { size, perMs: (perMinute - size + 1) / 60_000 };
}

/** Each limit as the servers' programs take it; 0 is no bound. */
export function plainLimit({ concurrent = 0, perMinute }: Limit): {
  most: number;
  size: number;
  perMs: number;
} {
  return { most: concurrent, ...(perMinute === undefined ? { size: 0, perMs: 0 } : bucketOf(perMinute)) };
}
