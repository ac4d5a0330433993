/** Which observations stand for all: the best half, and the rest evenly by rank. In the order of the observations. */
export function representatives(losses: readonly number[], most: number): number[] {
  const order = losses.map((_, i) => i);
  if (losses.length <= most) return order;
  order.sort((i, j) => losses[i]! - losses[j]! || i - j);
  const half = Math.floor(most / 2);
  const chosen = order.slice(0, half);
  const rest = order.slice(half);
  for (let k = 0; k < most - half; k++) chosen.push(rest[Math.floor((k * rest.length) / (most - half))]!);
  return chosen.sort((i, j) => i - j);
}
