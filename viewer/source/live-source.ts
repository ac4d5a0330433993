import type { Judgement } from "../../src/analysis/labels/judge.ts";
import type { FleetView } from "../../src/core/fleet-view.ts";
import type {
  FoundTurns,
  Glance,
  NotesView,
  RunTable,
  RunView,
  StudiesView,
  StudyCard,
  StudyView,
} from "../../src/reporters/study-view.ts";
import type { Hears, LiveSource, Session, Source } from "./source.ts";

/** Where the server is: behind a proxy, below a path. */
const api = () => `${document.querySelector<HTMLMetaElement>('meta[name="assay-base"]')?.content ?? ""}/api`;

/** The server that sent the page; it knows the reader by a cookie. */
export function liveSource(): Source {
  const live: LiveSource = {
    session: () => get<Session>("session", {}),
    studies: () => get<StudyCard[]>("studies", {}),
    glance: (study) => get<Glance>("glance", { study }),
    answer: (study) => get<Pick<StudyView, "question" | "answer" | "counts">>("answer", { study }),
    look: async (study, runs) => {
      await post(`${api()}/look`, { study, runs }, { keepalive: true });
    },
    compare: (a, b) => get<StudiesView>("compare", { a, b }),
    fleet: () => get<FleetView>("fleet", {}),
    control: async (order) => {
      await post(`${api()}/control`, order);
    },
    addNote: async (said) => (await (await post(`${api()}/note`, said)).json()) as NotesView,
    search: (study, text) => get<FoundTurns>("search", { study, text }),
    fileText: async (file) => (await ask(`${api()}/file?${new URLSearchParams(file)}`)).text(),
    fileHref: (file) => `${api()}/file?${new URLSearchParams(file)}`,
    follow,
  };
  return {
    study: (id) => get<StudyView>("study", { id }),
    runs: (study) => get<RunTable>("runs", { study }),
    run: (study, run) =>
      get<RunView>("run", { study, run }).catch((problem: Refusal) => {
        if (problem.status === 404) return null;
        throw problem;
      }),
    notes: (study) => get<NotesView>("notes", { study }),
    judgement: (study) => get<Judgement | null>("judge", { study }),
    left: () => 0,
    live,
    comparison: null,
  };
}

class Refusal extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

async function get<T>(name: string, query: Record<string, string>): Promise<T> {
  const search = new URLSearchParams(query).toString();
  const answer = await ask(`${api()}/${name}${search === "" ? "" : `?${search}`}`);
  return (await answer.json()) as T;
}

function post(path: string, body: object, init: RequestInit = {}): Promise<Response> {
  const headers = { "Content-Type": "application/json", "X-Assay": "1" };
  return ask(path, { ...init, method: "POST", headers, body: JSON.stringify(body) });
}

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path, { credentials: "same-origin", ...init });
  } catch {
    throw new Error("The server does not answer. Is `assay ui` still running?");
  }
  if (!answer.ok) throw new Refusal(await refusal(answer), answer.status);
  return answer;
}

async function refusal(answer: Response): Promise<string> {
  const text = await answer.text().catch(() => "");
  try {
    const told = JSON.parse(text) as { error?: unknown };
    if (typeof told.error === "string") return told.error;
  } catch {
    // no JSON: the text itself says it
  }
  if (text !== "" && text.length < 500 && !text.includes("<")) return text;
  return answer.status === 404 ? "Nothing here has that name." : `The server answered ${answer.status}.`;
}

/** A browser gives up on a stream that was refused once, as one of a study that is being begun afresh. */
const AGAIN_MS = 2000;

function follow(study: string | null, hears: Hears): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let events: EventSource;
  /** The server has asked this tab to make room for another: the connection is not lost, the browser comes back. */
  let isMakingRoom = false;
  let wasAway = false;
  const connect = () => {
    events = open(study, hears);
    events.addEventListener("bye", () => {
      isMakingRoom = true;
    });
    events.onopen = () => {
      hears.connection?.(true);
      // Rows that were missed are told again; that the findings changed is not.
      if (wasAway) hears.stale?.();
      wasAway = false;
    };
    events.onerror = () => {
      wasAway = true;
      const isExpected = isMakingRoom && events.readyState === EventSource.CONNECTING;
      isMakingRoom = false;
      if (isExpected) return;
      hears.connection?.(false);
      if (events.readyState === EventSource.CLOSED) timer = setTimeout(connect, AGAIN_MS);
    };
  };
  connect();
  return () => {
    clearTimeout(timer);
    events.close();
  };
}

function open(study: string | null, hears: Hears): EventSource {
  const events = new EventSource(
    `${api()}/events${study === null ? "" : `?${new URLSearchParams({ study })}`}`,
  );
  const on = (name: string, handle: (data: string) => void) =>
    events.addEventListener(name, (event) => handle((event as MessageEvent<string>).data));
  on("card", (data) => hears.card?.(JSON.parse(data)));
  on("cards", (data) => hears.cards?.(JSON.parse(data)));
  on("rows", (data) => hears.rows?.(JSON.parse(data).rows));
  on("notes", () => hears.notes?.());
  on("stale", () => hears.stale?.());
  on("reset", () => hears.reset?.());
  return events;
}
