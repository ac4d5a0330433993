/** The sentence for a test that could not have reached .05, however clear the data. */
export function floorCaution(floor: number, of: string): string[] {
  if (floor <= 0.05) return [];
  return [`${of} can't give a p below ${Number(floor.toPrecision(3))}, however clear the data: run more`];
}
