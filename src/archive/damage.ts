let tell = (_text: string): void => {};
const told = new Set<string>();

/** Names who hears of what can't be used in a study's folder; nobody does until then. */
export function listenForDamage(listener: (text: string) => void): void {
  tell = listener;
}

/** Tells it once, however often a command comes across it. */
export function reportDamage(text: string): void {
  if (told.has(text)) return;
  told.add(text);
  tell(text);
}
