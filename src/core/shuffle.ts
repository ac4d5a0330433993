import type { RandomStream } from "./random.ts";

/**
 * The items in an order drawn from a stream, each order as likely; `most` takes only so many of them. The given
 * list stays as it is. Source: R. Durstenfeld, Comm. ACM 7 (1964), 420.
 */
export function shuffle<T>(items: readonly T[], stream: RandomStream, most = items.length): T[] {
  const order = [...items];
  const next = stream.sequence();
  const count = Math.min(most, order.length);
  for (let i = 0; i < count; i++) {
    const j = i + Math.floor(next() * (order.length - i));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order.slice(0, count);
}
