/** Without those that nobody knows. */
export function labelsOf(labels: Record<string, string | null>): Record<string, string> {
  const entries = Object.entries(labels).filter((entry): entry is [string, string] => entry[1] !== null);
  return Object.fromEntries(entries);
}
