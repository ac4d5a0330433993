import { useState } from "preact/hooks";
import { type Note, type NoteLine, type Subject, subjectKey } from "../../src/core/note.ts";
import { useApp } from "../app-context.ts";
import { useFeed } from "./use-feed.ts";

const KEY = "assay-writer";

type Said = Pick<NoteLine, "verdict" | "note" | "tags" | "untags" | "view" | "address">;

export interface Notes {
  /** What anybody says of it, the reader's own included. */
  notes: Note[];
  mine: Note | undefined;
  /** Verdicts and tags in use in this study. */
  verdicts: string[];
  tags: string[];
  writer: string;
  mayWrite: boolean;
  /** Resolves to what was wrong, or to nothing. */
  say(said: Said): Promise<string | undefined>;
  rename(writer: string): void;
}

/** What people say of one thing, and how the reader adds to it. */
export function useNotes(subject: Subject): Notes {
  const { source, session, route } = useApp();
  const feed = useFeed(source, route.study);
  const [own, setOwn] = useState(stored);
  const writer = own || (session?.writer ?? "");
  const all = feed.notes.notes;
  const key = subjectKey(subject);
  const notes = all.filter((note) => subjectKey(note) === key);
  return {
    notes,
    mine: notes.find(({ by }) => by === writer),
    verdicts: [...new Set([...VERDICTS, ...all.flatMap(({ verdict }) => verdict ?? [])])].slice(0, 12),
    tags: [...new Set(all.flatMap(({ tags }) => tags))].sort(),
    writer,
    mayWrite: source.live !== null && session?.mayNote === true,
    say: async (said) => {
      try {
        const view = await source.live!.addNote({ study: route.study, by: writer, ...subject, ...said });
        feed.takeNotes(view);
        return undefined;
      } catch (problem) {
        return (problem as Error).message;
      }
    },
    rename: (name) => {
      setOwn(name);
      try {
        if (name === "") localStorage.removeItem(KEY);
        else localStorage.setItem(KEY, name);
      } catch {
        // Then it lasts as long as the page.
      }
    },
  };
}

const VERDICTS = ["pass", "fail", "unsure"];

function stored(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}
