import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import type { Note } from "../../src/core/note.ts";
import { countText, numberText, percentText, usdText } from "../../src/core/number-text.ts";
import type { TasksView } from "../../src/reporters/study-view.ts";
import { useApp } from "../app-context.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Empty } from "../parts/notice.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { joinNames, splitNames } from "../route.ts";
import type { StudyFeed } from "../state/study-feed.ts";
import { filterRows } from "../table/filter-rows.ts";
import { filterWord } from "../table/parse-filter.ts";
import { clickSort, parseSort, sortNames } from "../table/sort-rows.ts";
import { orderTasks } from "../table/task-order.ts";
import { VirtualTable } from "../table/virtual-table.tsx";
import { visibleText } from "../text/visible-text.ts";
import { NotePanel } from "./note-panel.tsx";
import { TaskEndings } from "./task-endings.tsx";

/** A cell by its task and arm, both as places. */
type Place = readonly [task: number, arm: number];

/** Whether the means are shares of solved tries: a graded run may have a part of the score and solve nothing. */
function isShare({ isRate, arms }: TasksView): boolean {
  return (
    isRate &&
    arms.every(({ means, solved, judged }) =>
      means.every((mean, i) => mean === null || Math.abs(mean - solved[i]! / judged[i]!) < 1e-9),
    )
  );
}

/** Which task each arm solves: a row per task, a column per arm. */
export function TasksTab({ feed, grid }: { feed: StudyFeed; grid: TasksView }) {
  const { route, session, href, go, adjust } = useApp();
  const { search = "", sort = "", differ = "", pair = "" } = route.query;
  const [chosen, setChosen] = useState<Place | null>(null);
  const [noted, setNoted] = useState<string | null>(null);
  useEffect(() => {
    feed.loadRuns();
  }, [feed]);
  const setSearch = useCallback((text: string) => adjust({ search: text }), [adjust]);
  const keys = useMemo(() => parseSort(splitNames(sort)), [sort]);
  const rows = useMemo(
    () => orderTasks(grid, { search, isApart: differ !== "", keys }),
    [grid, search, differ, keys],
  );
  const isPairing = pair !== "";
  const hasNotes =
    session?.mayNote === true || feed.notes.notes.some(({ task, run }) => task !== undefined && !run);
  const whole = isShare(grid) ? "solved" : "mean";
  const head = [
    { name: "task", label: "task", widthPx: Math.min(300, innerWidth * 0.45), isNumber: false },
    { name: whole, label: whole, widthPx: 92, isNumber: true },
    { name: "apart", label: "apart", widthPx: 84, isNumber: true },
    ...(grid.costs.some((cost) => cost !== null)
      ? [{ name: "cost", label: "cost", widthPx: 92, isNumber: true }]
      : []),
    ...(hasNotes ? [{ name: "notes", label: "notes", widthPx: 150, isNumber: false }] : []),
    ...grid.arms.map(({ name }) => ({
      ...{ name: `arm ${name}`, label: name, isNumber: true },
      widthPx: Math.max(84, Math.min(grid.arms.length > 6 ? 112 : 190, name.length * 8.2 + 36)),
    })),
  ];
  const choose = (place: Place) => {
    const [store, other] = [feed.store, chosen];
    if (!other || !store) return setChosen(place);
    setChosen(null);
    const [a, b] = [other, place].map((one) => [...filterRows(store, cellFilter(grid, one)).rows]);
    const seed = store.columns.find(({ role }) => role === "seed");
    const first = a![0];
    // Tries of one seed belong together, where both cells have it.
    const second = b!.find((row) => first !== undefined && seed?.text(row) === seed?.text(first)) ?? b![0];
    if (first === undefined || second === undefined) return;
    go({ page: "compare-runs", query: { a: store.idOf(first), b: store.idOf(second) } });
  };
  return (
    <section class="tasks" aria-label="Tasks">
      <div class="toolbar">
        <SearchBox label="Search tasks" value={search} placeholder="Search tasks" onChange={setSearch} />
        {grid.arms.length > 1 && (
          <label class="field">
            <input
              type="checkbox"
              checked={differ !== ""}
              onChange={(event) => adjust({ differ: event.currentTarget.checked ? "1" : "" })}
            />
            only where arms differ
          </label>
        )}
        <button
          type="button"
          class={isPairing ? "button primary" : "button"}
          aria-pressed={isPairing}
          onClick={() => {
            setChosen(null);
            adjust({ pair: isPairing ? "" : "1" });
          }}
        >
          Compare two cells
        </button>
      </div>
      <p class="table-line" role="status">
        <span>
          {rows.length === grid.tasks.length
            ? `${countText(grid.tasks.length)} tasks`
            : `${countText(rows.length)} of ${countText(grid.tasks.length)} tasks`}
        </span>
        <span>
          {isPairing
            ? chosen
              ? "Choose the second cell."
              : "Choose two cells: their runs open side by side."
            : `By ${grid.metric}. ${grid.isRate ? "± marks tasks that an arm solves in some tries only. " : ""}Apart: twice the standard deviation between arms. A cell leads to its runs.`}
        </span>
      </p>
      {rows.length === 0 ? (
        <Empty title="No task matches" />
      ) : (
        <VirtualTable
          label="Tasks"
          head={head}
          count={rows.length}
          sort={keys}
          onSort={(column, adds) => adjust({ sort: joinNames(sortNames(clickSort(keys, column, adds))) })}
          rowKey={(place) => rows[place]!}
          cells={(place) => {
            const task = rows[place]!;
            const name = grid.tasks[task]!;
            const filter = `task=${filterWord(name)}`;
            return [
              <a
                class="task-name"
                title={name}
                href={href({ page: "study", query: { tab: "runs", filter } })}
              >
                {name}
              </a>,
              shareText(grid, grid.means[task]),
              shareText(grid, grid.gaps[task]),
              ...(head[3]?.name === "cost"
                ? [grid.costs[task] === null ? "–" : usdText(grid.costs[task]!)]
                : []),
              ...(hasNotes
                ? [<TaskNotes task={name} notes={feed.notes.notes} onOpen={() => setNoted(name)} />]
                : []),
              ...grid.arms.map((_, arm) => (
                <Cell
                  grid={grid}
                  place={[task, arm]}
                  isChosen={chosen?.[0] === task && chosen[1] === arm}
                  {...(isPairing && { onChoose: choose })}
                />
              )),
            ];
          }}
        />
      )}
      <TaskEndings grid={grid} />
      {noted !== null && (
        <Dialog label={`Notes on ${noted}`} onClose={() => setNoted(null)}>
          <h2>Notes on {visibleText(noted)}</h2>
          <NotePanel subject={{ task: noted }} label={`Notes on ${noted}`} />
        </Dialog>
      )}
    </section>
  );
}

interface TaskNotesProps {
  task: string;
  notes: readonly Note[];
  onOpen: () => void;
}

/** What people say of a task, in a line; it opens all of it. */
function TaskNotes({ task, notes, onOpen }: TaskNotesProps) {
  const said = notes.filter((note) => note.task === task);
  const words = said.flatMap(({ verdict, tags, note }) => [verdict, ...tags, note].filter(Boolean));
  const text = [...new Set(words)].join(", ");
  return (
    <button
      type="button"
      class="link task-note"
      title={text || "Write a note"}
      aria-label={`Notes on ${task}${text && `: ${text}`}`}
      onClick={onOpen}
    >
      {text === "" ? "✎" : visibleText(text)}
    </button>
  );
}

interface CellProps {
  grid: TasksView;
  place: Place;
  isChosen: boolean;
  onChoose?: (place: Place) => void;
}

function Cell({ grid, place, isChosen, onChoose }: CellProps) {
  const { href } = useApp();
  const [task, at] = place;
  const arm = grid.arms[at]!;
  const [solved, judged, missing] = [arm.solved[task]!, arm.judged[task]!, arm.missing[task]!];
  if (judged + missing === 0) return <span class="none">–</span>;
  const mean = arm.means[task] ?? null;
  const isFlip = grid.isRate && solved > 0 && solved < judged;
  const text =
    judged === 0 ? "missing" : grid.isRate ? `${solved}/${judged}${isFlip ? " ±" : ""}` : numberText(mean!);
  const what = [
    `${arm.name} on ${grid.tasks[task]}: ${text}`,
    isFlip ? "some tries solve it" : "",
    missing > 0 ? `${missing} missing` : "",
  ].filter(Boolean);
  const shade = grid.isRate && judged > 0 ? { "--share": solved / judged } : {};
  const look = {
    class: `task-cell${grid.isRate && judged > 0 ? " judged" : ""}${isChosen ? " chosen" : ""}`,
    style: shade,
    title: what.join(", "),
    "aria-label": what.join(", "),
  };
  return onChoose ? (
    <button type="button" {...look} aria-pressed={isChosen} onClick={() => onChoose(place)}>
      {text}
    </button>
  ) : (
    <a {...look} href={href({ page: "study", query: { tab: "runs", filter: cellFilter(grid, place) } })}>
      {text}
    </a>
  );
}

/** What finds the runs of a cell in the table of runs. */
function cellFilter({ tasks, arms }: TasksView, [task, arm]: Place): string {
  const levels = { task: tasks[task]!, ...arms[arm]!.levels };
  return Object.entries(levels)
    .map(([name, level]) => `${filterWord(name)}=${level === "" ? "" : filterWord(level)}`)
    .join(" ");
}

function shareText({ isRate }: TasksView, value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  return isRate ? percentText(value) : numberText(value);
}
