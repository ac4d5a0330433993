import { countText } from "../../src/core/number-text.ts";
import type { Answer, StudyView } from "../../src/reporters/study-view.ts";
import { useApp } from "../app-context.ts";
import { Prose } from "../parts/prose.tsx";
import { useLook } from "../state/use-look.ts";
import { FAILED } from "../table/parse-filter.ts";

const MARKS: Record<Answer["verdict"], { mark: string; tone: string }> = {
  better: { mark: "✓", tone: "good" },
  worse: { mark: "✕", tone: "bad" },
  higher: { mark: "↑", tone: "accent" },
  lower: { mark: "↓", tone: "accent" },
  equal: { mark: "=", tone: "quiet" },
  unclear: { mark: "≈", tone: "warn" },
  unknown: { mark: "?", tone: "warn" },
};

const STATUS = {
  planned: "The plan was locked before the first run, and kept.",
  declared: "The study file named the metric and the baseline before the runs.",
  exploratory:
    "The question was chosen after the runs, or the plan was not kept. Treat this as a lead, not as proof.",
};

/** The sign of an answer; the sentence beside it says the same. */
export function Verdict({ verdict }: Pick<Answer, "verdict">) {
  const { mark, tone } = MARKS[verdict];
  return (
    <span class={`verdict ${tone}`} aria-hidden="true">
      {mark}
    </span>
  );
}

/** The study's answer in a sentence, and how far it can be believed. */
export function AnswerBlock({ view }: { view: StudyView }) {
  const { href } = useApp();
  const { answer, counts } = view;
  useLook(view.id, view);
  if (!answer && counts.failed > 0 && counts.ok + counts.stopped === 0)
    return (
      <section class="answer bad" aria-label="Answer">
        <p class="sentence">No answer: no run has succeeded.</p>
        <p class="method">
          <a href={href({ page: "study", query: { tab: "runs", filter: FAILED } })}>
            {countText(counts.failed)} failed
          </a>
          . The reasons are below.
        </p>
      </section>
    );
  if (!answer)
    return (
      <section class="answer quiet" aria-label="Answer">
        <p class="sentence">{counts.missing > 0 ? "No answer yet." : "No answer."}</p>
        <p class="method">
          Name a metric and a baseline in the study's <code>analysis:</code>, or run more of it.
        </p>
      </section>
    );
  const { tone } = MARKS[answer.verdict];
  return (
    <section class={`answer ${tone}`} aria-label="Answer">
      <p class="sentence">
        <Verdict verdict={answer.verdict} />
        {answer.sentence}
      </p>
      {answer.also.map((sentence) => (
        <p class="also" key={sentence}>
          {sentence}
        </p>
      ))}
      <p class="method">
        <span
          class={`badge ${answer.status === "exploratory" ? "warn" : "accent"}`}
          title={STATUS[answer.status]}
        >
          {answer.status}
        </span>
        <Prose text={answer.method} />
      </p>
      {answer.others.length > 0 && (
        <ul class="others">
          {answer.others.map((sentence) => (
            <li key={sentence}>
              <Prose text={sentence} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
