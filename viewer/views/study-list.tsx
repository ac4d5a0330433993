import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { StudyCard } from "../../src/reporters/study-view.ts";
import { useApp } from "../app-context.ts";
import { Command } from "../parts/copy-button.tsx";
import { Empty, Problem, Waiting } from "../parts/notice.tsx";
import { Progress } from "../parts/progress.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { joinNames, splitNames } from "../route.ts";
import type { LiveSource } from "../source/source.ts";
import { useLook } from "../state/use-look.ts";
import { momentText } from "../text/time-text.ts";
import { Verdict } from "./answer-block.tsx";

/** All studies of the served folder, the busy ones first. */
export function StudyList() {
  const { source, session, route, href, adjust } = useApp();
  const { cards, error } = useCards(source.live!);
  const { search = "", pick = "" } = route.query;
  const setSearch = useCallback((text: string) => adjust({ search: text }), [adjust]);
  useEffect(() => {
    // Comparing large studies takes a second: the server begins while the reader goes for the button.
    const [a, b] = splitNames(pick);
    if (a !== undefined && b !== undefined) source.live?.compare(a, b).catch(() => {});
  }, [source, pick]);
  const answers = useAnswers(source.live!, cards);
  if (!cards) return error ? <Problem text={error} /> : <Waiting />;
  const picked = splitNames(pick);
  const wanted = search.toLowerCase().split(/\s+/);
  const shown = cards.filter((card) =>
    wanted.every((word) => `${card.name} ${card.id} ${card.state}`.toLowerCase().includes(word)),
  );
  const toggle = (id: string) => {
    const others = picked.filter((other) => other !== id);
    adjust({ pick: joinNames(others.length < picked.length ? others : [...others.slice(-1), id]) });
  };
  return (
    <>
      {error && <Problem text={error} />}
      <header class="study-head">
        {session && <p class="eyebrow mono">{session.root}</p>}
        <h1>Studies</h1>
      </header>
      {cards.length === 0 ? (
        <Empty title="No study here yet">
          <p>Run one of these in a terminal. The study appears here as soon as it starts.</p>
          <Command text="assay init my-first-study.yaml" />
          <Command text="assay run my-first-study.yaml" />
        </Empty>
      ) : (
        <>
          <div class="toolbar">
            <SearchBox
              label="Search studies"
              value={search}
              placeholder="Search studies"
              onChange={setSearch}
            />
            <span class="table-line" role="status">
              {shown.length === cards.length
                ? `${cards.length} ${cards.length === 1 ? "study" : "studies"}`
                : `${shown.length} of ${cards.length} studies`}
            </span>
            {picked.length === 2 ? (
              <a
                class="button primary"
                href={href({ page: "compare", query: { a: picked[0]!, b: picked[1]! } })}
              >
                Compare the two
              </a>
            ) : (
              cards.length > 1 && <span class="hint">Choose two to compare them.</span>
            )}
          </div>
          {shown.length === 0 && <Empty title="No study has that name" />}
          <ul class="cards">
            {shown.map((card) => (
              <Card
                key={card.id}
                card={card}
                answer={answers.get(card.id)}
                isPicked={picked.includes(card.id)}
                onPick={() => toggle(card.id)}
              />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

interface CardProps {
  card: StudyCard;
  answer: Said | undefined;
  isPicked: boolean;
  onPick: () => void;
}

function Card({ card, answer, isPicked, onPick }: CardProps) {
  const { href } = useApp();
  useLook(card.id, answer);
  return (
    <li class={isPicked ? "card picked" : "card"}>
      <div class="card-head">
        <h2>
          <a href={href({ page: "study", study: card.id })}>{card.name}</a>
        </h2>
        <StateBadge card={card} />
        <label class="pick">
          <input type="checkbox" checked={isPicked} onChange={onPick} />
          <span>compare</span>
        </label>
      </div>
      <p class="where">
        {card.id !== card.name && <span class="mono">{card.id}</span>}
        {card.updatedAtMs !== null && <span>{momentText(card.updatedAtMs)}</span>}
      </p>
      {answer?.question && <p class="question">{answer.question}</p>}
      {answer?.answer && (
        <p class="card-answer">
          <Verdict verdict={answer.answer.verdict} /> {answer.answer.sentence}
        </p>
      )}
      <Progress card={card} />
      {card.newestFailures.length > 0 && (
        <ul class="lines">
          {card.newestFailures.slice(0, 2).map(({ id, reason }) => (
            <li key={id}>
              <a class="mono" href={href({ page: "run", study: card.id, run: id })}>
                {id}
              </a>
              <span class="reason">{reason}</span>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

type Said = Awaited<ReturnType<LiveSource["answer"]>>;

/** So many studies, the newest, say their answers in the list: each of them is computed for it. */
const MOST_ANSWERS = 24;
/** What is asked for again while a study runs, at most this often. */
const AGAIN_MS = 5000;

/** The answers of the first studies, one after the other; of a running one again and again. */
function useAnswers(live: LiveSource, cards: readonly StudyCard[] | null): ReadonlyMap<string, Said> {
  const [answers, setAnswers] = useState<ReadonlyMap<string, Said>>(new Map());
  const known = useRef(new Map<string, string>());
  const latest = useRef(cards);
  latest.current = cards;
  const isThere = cards !== null;
  useEffect(() => {
    if (!isThere) return;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      for (const { id, counts } of (latest.current ?? []).slice(0, MOST_ANSWERS)) {
        const stamp = `${counts.ok} ${counts.stopped} ${counts.failed}`;
        if (isOver || known.current.get(id) === stamp) continue;
        known.current.set(id, stamp);
        const said = await live.answer(id).catch(() => undefined);
        if (said && !isOver) setAnswers((before) => new Map(before).set(id, said));
      }
      if (!isOver) timer = setTimeout(ask, AGAIN_MS);
    };
    void ask();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [live, isThere]);
  return answers;
}

const BUSY: StudyCard["state"][] = ["running", "paused", "stopping"];

function useCards(live: LiveSource): { cards: StudyCard[] | null; error: string | null } {
  const [cards, setCards] = useState<StudyCard[] | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    const waiting = new Map<string, StudyCard>();
    let frame = 0;
    const join = () => {
      frame = 0;
      setCards((before) => {
        const known = new Map((before ?? []).map((card) => [card.id, card]));
        for (const [id, card] of waiting) known.set(id, card);
        waiting.clear();
        return ordered([...known.values()]);
      });
    };
    // The stream tells the same, and goes on from there; only this says why where there is none.
    live.studies().then(
      (all) => setCards((before) => before ?? ordered(all)),
      (problem: Error) => setError(problem.message),
    );
    const end = live.follow(null, {
      cards: (all) => {
        waiting.clear();
        setCards(ordered(all));
        setError(null);
      },
      card: (card) => {
        waiting.set(card.id, card);
        frame ||= requestAnimationFrame(join);
      },
      connection: (isUp) =>
        setError(isUp ? null : "Connection lost. What you see may be out of date. Reconnecting …"),
    });
    return () => {
      cancelAnimationFrame(frame);
      end();
    };
  }, [live]);
  return { cards, error };
}

function ordered(cards: StudyCard[]): StudyCard[] {
  const isBusy = (card: StudyCard) => Number(BUSY.includes(card.state));
  return cards.toSorted(
    (a, b) => isBusy(b) - isBusy(a) || (b.updatedAtMs ?? 0) - (a.updatedAtMs ?? 0) || (a.id < b.id ? -1 : 1),
  );
}
