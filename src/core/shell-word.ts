/** A word as a POSIX shell takes it literally: plain ones as they are, others in single quotes. */
export function shellWord(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
