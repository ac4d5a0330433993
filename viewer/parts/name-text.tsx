/** A name as programs write them, which is broken behind an underscore where there is no room for all of it. */
export function NameText({ text }: { text: string }) {
  return (
    <>
      {text.split(/(?<=_)(?!_)/).map((part, i) => (
        <>
          {i > 0 && <wbr />}
          {part}
        </>
      ))}
    </>
  );
}
