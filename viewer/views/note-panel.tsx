import { useId, useState } from "preact/hooks";
import type { Note, Subject } from "../../src/core/note.ts";
import { type Notes, useNotes } from "../state/use-notes.ts";
import { momentText } from "../text/time-text.ts";
import { visibleText } from "../text/visible-text.ts";

/** What people say of a run, a task, a turn or the study, and what the reader adds. */
export function NotePanel({ subject, label }: { subject: Subject; label: string }) {
  const notes = useNotes(subject);
  const others = notes.notes.filter((note) => note !== notes.mine || !notes.mayWrite);
  if (!notes.mayWrite && others.length === 0) return null;
  return (
    <section class="notes" aria-label={label}>
      {notes.mayWrite && <Editor key={notes.writer} notes={notes} />}
      {others.length > 0 && (
        <ul class="said">
          {others.map((note) => (
            <li key={note.by}>
              <SaidNote note={note} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** What one person says. */
export function SaidNote({ note }: { note: Note }) {
  return (
    <>
      {note.verdict !== null && <Verdict word={note.verdict} />}
      {note.tags.map((tag) => (
        <span key={tag} class="tag">
          {visibleText(tag)}
        </span>
      ))}
      {note.note !== null && <span class="note-text">{visibleText(note.note)}</span>}
      <span class="who">
        {visibleText(note.by)}, {momentText(Date.parse(note.at))}
      </span>
    </>
  );
}

function Verdict({ word }: { word: string }) {
  const kind = { pass: " good", fail: " bad" }[word] ?? "";
  return <span class={`badge${kind}`}>{visibleText(word)}</span>;
}

function Editor({ notes }: { notes: Notes }) {
  const { mine, writer } = notes;
  const [told, setTold] = useState<string | null>(null);
  const say: Notes["say"] = async (said) => {
    const problem = await notes.say(said);
    setTold(problem ?? null);
    return problem;
  };
  return (
    <div class="editor">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would add a frame and no meaning */}
      <div class="verdicts" role="group" aria-label="Your verdict">
        {notes.verdicts.map((word, i) => (
          <button
            key={word}
            type="button"
            class={`button ${word}`}
            aria-pressed={mine?.verdict === word}
            {...(i < 3 && { "data-key": String(i + 1), title: `Key ${i + 1}` })}
            onClick={() => say({ verdict: mine?.verdict === word ? null : word })}
          >
            {visibleText(word)}
          </button>
        ))}
      </div>
      <Tags notes={notes} say={say} />
      <Text notes={notes} say={say} />
      <Writer name={writer} rename={notes.rename} />
      {told && (
        <p class="bad" role="alert">
          {told}
        </p>
      )}
    </div>
  );
}

type Saying = Pick<Notes, "say"> & { notes: Notes };

function Tags({ notes, say }: Saying) {
  const [text, setText] = useState("");
  const list = useId();
  const add = async () => {
    const tags = text.split(",").flatMap((tag) => tag.trim() || []);
    if (tags.length > 0 && (await say({ tags })) === undefined) setText("");
  };
  return (
    <div class="tags">
      {notes.mine?.tags.map((tag) => (
        <span key={tag} class="tag">
          {visibleText(tag)}
          <button type="button" aria-label={`Remove tag ${tag}`} onClick={() => say({ untags: [tag] })}>
            ×
          </button>
        </span>
      ))}
      <input
        class="search"
        aria-label="Add a tag"
        placeholder="Add a tag"
        list={list}
        autocomplete="off"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Enter" && add()}
        onBlur={add}
      />
      <datalist id={list}>
        {notes.tags.map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
    </div>
  );
}

function Text({ notes, say }: Saying) {
  const before = notes.mine?.note ?? "";
  const [draft, setDraft] = useState<string | null>(null);
  const save = async () => {
    const note = (draft ?? "").trim() === "" ? null : draft;
    if ((await say({ note })) === undefined) setDraft(null);
  };
  if (draft === null)
    return (
      <div class="own-note">
        {before !== "" && <p class="note-text">{visibleText(before)}</p>}
        <button type="button" class="link" onClick={() => setDraft(before)}>
          {before === "" ? "Write a note" : "Edit your note"}
        </button>
      </div>
    );
  return (
    <div class="own-note open">
      <textarea
        aria-label="Your note"
        rows={3}
        value={draft}
        // biome-ignore lint/a11y/noAutofocus: the reader has just asked for it
        autoFocus
        onInput={(event) => setDraft(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
          if (event.key === "Escape") setDraft(null);
        }}
      />
      <span class="note-buttons">
        <button type="button" class="button primary" onClick={save}>
          Save
        </button>
        <button type="button" class="button" onClick={() => setDraft(null)}>
          Discard
        </button>
      </span>
    </div>
  );
}

function Writer({ name, rename }: { name: string; rename: (name: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen)
    return (
      <span class="writer">
        as{" "}
        <button type="button" class="link" title="Write under another name" onClick={() => setOpen(true)}>
          {visibleText(name)}
        </button>
      </span>
    );
  return (
    <span class="writer">
      <input
        class="search"
        aria-label="Your name"
        placeholder="Your name"
        value={name}
        onChange={(event) => {
          rename(event.currentTarget.value.trim());
          setOpen(false);
        }}
      />
    </span>
  );
}
