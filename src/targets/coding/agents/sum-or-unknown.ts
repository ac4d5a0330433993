/** The sum over all parts; unknown where there is no part, where one lacks a number, or where some may be missing. */
export function sumOrUnknown(
  parts: readonly (readonly (number | undefined)[])[],
  isWhole: boolean,
): number | null {
  if (!isWhole || parts.length === 0) return null;
  let sum = 0;
  for (const number of parts.flat()) {
    if (number === undefined) return null;
    sum += number;
  }
  return sum;
}
