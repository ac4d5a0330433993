import { useEffect, useState } from "preact/hooks";
import { countText } from "../../src/core/number-text.ts";
import type { FoundTurns } from "../../src/reporters/study-view.ts";
import { useApp } from "../app-context.ts";
import { visibleText } from "../text/visible-text.ts";

const AGAIN_MS = 700;

/** What all transcripts of the study have of a text; asked for again while the server still reads them. */
export function SearchAll({ text }: { text: string }) {
  const { source, route, href } = useApp();
  const [found, setFound] = useState<FoundTurns | null>(null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = () =>
      source.live!.search(route.study, text).then(
        (answer) => {
          if (!isCurrent) return;
          setFound(answer);
          setProblem("");
          if (answer.read < answer.of) timer = setTimeout(ask, AGAIN_MS);
        },
        (error: Error) => isCurrent && setProblem(error.message),
      );
    timer = setTimeout(ask, 200);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [source, route.study, text]);
  if (problem !== "") return <p class="bad">{problem}</p>;
  if (!found) return <p class="quiet-text">Searching all runs …</p>;
  return (
    <details class="found" open>
      <summary>
        All runs: {countText(found.count)} {found.count === 1 ? "turn" : "turns"}
        {found.read < found.of && ` in ${countText(found.read)} of ${countText(found.of)} transcripts so far`}
      </summary>
      <ul>
        {found.turns.map(({ run, file, turn, text: around }) => (
          <li key={`${run} ${file} ${turn}`}>
            <a href={href({ page: "run", run, query: { of: file, turn: String(turn), find: text } })}>
              turn {turn} of <span class="mono">{run}</span>
            </a>
            <span class="reason">{visibleText(around)}</span>
          </li>
        ))}
      </ul>
      {found.count > found.turns.length && (
        <p class="quiet-text">The first {countText(found.turns.length)}.</p>
      )}
    </details>
  );
}
