import type { Note } from "../../src/core/note.ts";
import { countText, numberText, percentText } from "../../src/core/number-text.ts";
import type { NotesView } from "../../src/reporters/study-view.ts";
import { useApp } from "../app-context.ts";
import { PlainTable } from "../parts/plain-table.tsx";
import { useLoaded } from "../state/use-loaded.ts";
import { filterWord } from "../table/parse-filter.ts";
import { visibleText } from "../text/visible-text.ts";
import { NotePanel, SaidNote } from "./note-panel.tsx";

const SHOWN = 30;

/** All that people wrote about a study, how far they agree, and room for a note on the whole of it. */
export function NotesSection({ view }: { view: NotesView }) {
  const { session } = useApp();
  const ofParts = view.notes.filter(({ run, task }) => run !== undefined || task !== undefined);
  if (view.notes.length === 0 && session?.mayNote !== true) return null;
  return (
    <section aria-labelledby="notes-title">
      <h2 id="notes-title">
        Notes {view.notes.length > 0 && <span class="count">{countText(view.notes.length)}</span>}
      </h2>
      <NotePanel subject={{}} label="Notes on this study" />
      {ofParts.length > 0 && (
        <ul class="said">
          {ofParts
            .toSorted((a, b) => (a.at < b.at ? 1 : -1))
            .slice(0, SHOWN)
            .map((note) => (
              <li key={`${note.by} ${note.run} ${note.file} ${note.turn} ${note.task}`}>
                <SubjectLink note={note} />
                <SaidNote note={note} />
              </li>
            ))}
        </ul>
      )}
      {ofParts.length > SHOWN && (
        <p class="more">The newest {SHOWN} are shown. The table of runs has those of all runs.</p>
      )}
      {view.agreement && <Agreements agreement={view.agreement} />}
      {ofParts.some(({ run, verdict }) => run !== undefined && verdict !== null) && (
        <Judge notes={view.notes} />
      )}
    </section>
  );
}

function SubjectLink({ note: { run, task, turn, file } }: { note: Note }) {
  const { href } = useApp();
  if (run === undefined)
    return (
      <a href={href({ page: "study", query: { tab: "runs", filter: `task=${filterWord(task!)}` } })}>
        task {visibleText(task!)}
      </a>
    );
  const query = turn === undefined ? {} : { tab: "transcript", turn: String(turn), of: file ?? "" };
  return (
    <a class="mono" href={href({ page: "run", run, query })}>
      {visibleText(run)}
      {turn !== undefined && `, turn ${turn}`}
    </a>
  );
}

function Agreements({ agreement }: { agreement: NonNullable<NotesView["agreement"]> }) {
  const { raters, shared, alpha, pairs, apart } = agreement;
  const { href } = useApp();
  return (
    <>
      <h3>Agreement</h3>
      <p class="method">
        {raters.map(({ name, verdicts }) => `${visibleText(name)} ${countText(verdicts)}`).join(", ")}{" "}
        verdicts; {countText(shared)} things judged by two or more.{" "}
        {alpha.known
          ? `Krippendorff's alpha ${numberText(alpha.value)} (1 is full agreement, 0 is chance).`
          : `Krippendorff's alpha is unknown, because ${alpha.why}.`}
      </p>
      {pairs.length > 0 && (
        <PlainTable
          label="Agreement of two"
          header={["raters", "in common", "Cohen's kappa"]}
          rows={pairs.map(({ a, b, common, kappa }) => [
            `${visibleText(a)} and ${visibleText(b)}`,
            countText(common),
            kappa.known ? numberText(kappa.value) : `unknown, because ${kappa.why}`,
          ])}
        />
      )}
      {apart.length > 0 && (
        <p>
          {countText(apart.length)} judged differently:{" "}
          {apart.slice(0, 10).map(({ run, task, turn, verdicts }) => {
            const said = verdicts.map(({ by, verdict }) => `${visibleText(by)}: ${visibleText(verdict)}`);
            const query = turn === undefined ? {} : { tab: "transcript", turn: String(turn) };
            return (
              <span key={`${run} ${task} ${turn}`} class="apart">
                {run === undefined ? (
                  <b>{task === undefined ? "the study" : visibleText(task)}</b>
                ) : (
                  <a class="mono" href={href({ page: "run", run, query })}>
                    {visibleText(run)}
                  </a>
                )}{" "}
                ({said.join(", ")}){" "}
              </span>
            );
          })}
        </p>
      )}
    </>
  );
}

/** What the study's judge is worth, held against the verdicts on runs. */
function Judge({ notes }: { notes: readonly Note[] }) {
  const { source, route } = useApp();
  const said = notes.flatMap(({ run, turn, by, verdict }) =>
    turn === undefined ? [[run, by, verdict]] : [],
  );
  const isLive = source.live !== null;
  const { data } = useLoaded(`${route.study} ${JSON.stringify(said)}`, { isLive }, () =>
    source.judgement(route.study),
  );
  if (!data) return null;
  const range = ({ low, high }: { low: number; high: number }) =>
    `${numberText(low, 3)} to ${numberText(high, 3)}`;
  return (
    <>
      <h3>Judge</h3>
      <p>{data.sentence}</p>
      <PlainTable
        label="Judge and labels"
        header={[
          ...["arm", "runs", "labels", data.judge, "people would say"],
          ...[`${percentText(data.level)} interval`, "labels alone", "labels saved"],
        ]}
        rows={data.arms.map(({ arm, runs, labels, judgeMean, together, alone, saved }) => [
          ...[visibleText(arm), countText(runs), countText(labels), numberText(judgeMean, 3)],
          ...(together.known
            ? [numberText(together.estimate, 3), range(together)]
            : ["unknown", `because ${together.why}`]),
          alone.known ? range(alone) : `unknown, because ${alone.why}`,
          countText(saved),
        ])}
      />
      <p class="method">
        Valid whatever the judge is like, if the labelled runs were picked at random (
        <code>assay judge --pick</code>). {data.cautions.map((text) => `Note: ${text}. `)}
      </p>
    </>
  );
}
