/** A sentence in which commands stand between backticks, as they do in a terminal. */
export function Prose({ text }: { text: string }) {
  const parts = text.split("`");
  // An odd one is a letter like any other.
  const rest = parts.length % 2 === 0 ? `\`${parts.pop()}` : "";
  return (
    <>
      {parts.map((part, i) => (i % 2 === 1 ? <code>{part}</code> : part))}
      {rest}
    </>
  );
}
