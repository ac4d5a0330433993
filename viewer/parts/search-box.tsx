import { useEffect, useRef, useState } from "preact/hooks";

interface SearchBoxProps {
  label: string;
  value: string;
  placeholder: string;
  onChange: (value: string) => void;
  isWide?: boolean;
}

/** A text field that `/` leads to; what is typed counts once the reader pauses. */
export function SearchBox({ label, value, placeholder, onChange, isWide }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  useEffect(() => {
    if (value !== sent.current) setText(value);
    sent.current = value;
  }, [value]);
  useEffect(() => {
    if (text === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text;
      onChange(text);
    }, 120);
    return () => clearTimeout(timer);
  }, [text, onChange]);
  return (
    <input
      class={isWide ? "search wide" : "search"}
      type="search"
      data-search
      aria-label={label}
      placeholder={placeholder}
      spellcheck={false}
      autocomplete="off"
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || text === "") return;
        // Browsers empty the field without a word to the page.
        sent.current = "";
        setText("");
        onChange("");
      }}
    />
  );
}
