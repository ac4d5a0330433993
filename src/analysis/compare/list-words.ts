/** `a; b; c and 4 more`. */
export function listWords(words: readonly string[], most = 3): string {
  if (words.length <= most) return words.join("; ");
  return `${words.slice(0, most).join("; ")} and ${words.length - most} more`;
}
