const MOST = 20_000;

/** The same function, which looks at each text once: prompts repeat what they said before. Answers must not be changed. */
export function remember<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= MOST) known.clear();
    const answer = read(text);
    known.set(text, answer);
    return answer;
  };
}
