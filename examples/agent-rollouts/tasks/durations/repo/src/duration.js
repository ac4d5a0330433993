/** Milliseconds. */
export function parseDuration(text) {
  return Number.parseFloat(text) * 1000;
}
