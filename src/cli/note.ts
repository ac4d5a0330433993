import { appendNote, readNotes, writerName } from "../archive/notes.ts";
import { findStudy, latestRecords } from "../archive/read-records.ts";
import { UserError } from "../core/errors.ts";
import { type Note, type NoteLine, type Subject, standingNotes } from "../core/note.ts";
import { countText, numberText } from "../core/number-text.ts";
import { titleOf } from "../core/study-folder.ts";
import { suggestion } from "../core/suggest.ts";
import { viewNotes } from "../read/view-notes.ts";
import type { NotesView } from "../reporters/study-view.ts";
import { pickRun } from "./show.ts";
import { printable, styleFor } from "./terminal.ts";

interface NoteOptions {
  run?: string;
  turn?: number;
  task?: string;
  verdict?: string;
  tag?: string[];
  untag?: string[];
  clear?: boolean;
  by?: string;
  outRoot?: string;
  json?: boolean;
}

/** Writes down what somebody says of a study, a task, a run or a turn; with nothing to say, prints what people said. */
export function note(name: string, text: string | undefined, options: NoteOptions): void {
  const studyDir = findStudy(name, options.outRoot);
  const subject = subjectOf(studyDir, options);
  const by = options.by ?? writerName();
  const said = saidBy(studyDir, { ...subject, by }, { text, options });
  if (said) appendNote(studyDir, { at: new Date().toISOString(), by, ...subject, ...said });
  const view = viewNotes(studyDir);
  const isAbout = (one: Note) =>
    (subject.run === undefined || one.run === subject.run) &&
    (subject.task === undefined || one.task === subject.task) &&
    (subject.turn === undefined || one.turn === subject.turn);
  const shown = { ...view, notes: view.notes.filter(isAbout) };
  if (options.json) console.log(JSON.stringify(shown));
  else if (said) console.log(`noted on ${subjectText(subject, titleOf(studyDir))}, by ${printable(by)}`);
  else console.log(notesText(shown, titleOf(studyDir)));
}

type Said = Pick<NoteLine, "verdict" | "note" | "tags" | "untags">;

function saidBy(
  studyDir: string,
  mine: Subject & { by: string },
  { text, options }: { text: string | undefined; options: NoteOptions },
): Said | undefined {
  const { verdict, tag, untag, clear } = options;
  if (clear) {
    const before = standingNotes(readNotes(studyDir)).find(
      (one) => one.by === mine.by && one.run === mine.run && one.task === mine.task && one.turn === mine.turn,
    );
    return { verdict: null, note: null, untags: before?.tags ?? [] };
  }
  const said: Said = {
    ...(verdict !== undefined && { verdict }),
    ...(text !== undefined && { note: text }),
    ...(tag && { tags: tag }),
    ...(untag && { untags: untag }),
  };
  return Object.keys(said).length === 0 ? undefined : said;
}

function subjectOf(studyDir: string, { run, turn, task }: NoteOptions): Subject {
  if (run === undefined && turn !== undefined)
    throw new UserError("--turn needs --run", { expected: "the run whose turn it is" });
  if (run !== undefined && task !== undefined)
    throw new UserError("a note is on a run or on a task", { expected: "--run or --task, not both" });
  if (run !== undefined)
    return { run: pickRun(run, [studyDir]).record.id, ...(turn !== undefined && { turn }) };
  if (task === undefined) return {};
  const tasks = new Set(latestRecords(studyDir).flatMap((record) => record.task ?? []));
  if (!tasks.has(task))
    throw new UserError(`${titleOf(studyDir)} has no task "${task}"`, {
      remedy: suggestion(task, [...tasks]),
    });
  return { task };
}

function subjectText({ run, turn, task }: Subject, study: string): string {
  const what = run ?? (task === undefined ? `the study ${study}` : `task ${task}`);
  return printable(turn === undefined ? what : `${what}, turn ${turn}`);
}

function notesText({ notes, agreement }: NotesView, study: string): string {
  if (notes.length === 0) return "nobody has noted anything here yet";
  const style = styleFor(process.stdout);
  const lines = notes.flatMap((one) => {
    const words = [one.verdict, ...one.tags.map((tag) => `#${tag}`)].flatMap((word) => word ?? []);
    const head = `${style.bold(subjectText(one, study))}  ${printable(words.join(" "))}`.trimEnd();
    const text = (one.note ?? "").split("\n").filter((line) => line !== "");
    return [
      `${head}  ${style.dim(printable(`${one.by}, ${one.at.slice(0, 16).replace("T", " ")}`))}`,
      ...text.map((line) => `  ${printable(line)}`),
    ];
  });
  return [...lines, ...agreementLines(agreement)].join("\n");
}

function agreementLines(agreement: NotesView["agreement"]): string[] {
  if (!agreement) return [];
  const { shared, alpha, pairs, apart } = agreement;
  return [
    "",
    `Krippendorff's alpha: ${alpha.known ? numberText(alpha.value) : `unknown, because ${alpha.why}`} (${countText(shared)} judged by two or more, ${countText(apart.length)} apart)`,
    ...pairs.map(
      ({ a, b, common, kappa }) =>
        `Cohen's kappa of ${printable(a)} and ${printable(b)}: ${kappa.known ? numberText(kappa.value) : `unknown, because ${kappa.why}`} (${countText(common)} in common)`,
    ),
  ];
}
