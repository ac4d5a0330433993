import { Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { HTTPException } from "hono/http-exception";
import { writerName } from "../archive/notes.ts";
import { countRecords, readStudyFileIfAny } from "../archive/read-records.ts";
import { explainFileError, MachineError, UserError } from "../core/errors.ts";
import { escapeHtml } from "../core/escape.ts";
import { readViewer } from "../read/built-files.ts";
import { viewBefore } from "../read/kept-view.ts";
import type { Glance, StudyView } from "../reporters/study-view.ts";
import type { ViewRequest } from "./compute-view.ts";
import { addControl } from "./control.ts";
import { EventChannel } from "./event-channel.ts";
import type { FleetWatch } from "./fleet-watch.ts";
import type { Followers } from "./followers.ts";
import { addNotes } from "./notes.ts";
import { runFile } from "./run-file.ts";
import { type FrontProxy, foreignness, isSameSecret, PAGE_HEADERS, pathBelow, userOf } from "./security.ts";
import { parsePlace, studyEvents } from "./study-events.ts";
import type { StudyShelf } from "./study-shelf.ts";
import type { Views } from "./views.ts";

export interface Served {
  shelf: StudyShelf;
  followers: Followers;
  views: Views;
  token: string;
  /** Keys that open the page once. */
  tickets: Set<string>;
  /** Cookies know no ports: two servers of one user must not overwrite each other's. */
  cookieName: string;
  mayControl: boolean;
  /** Starts a study that has ended once more, for what the infrastructure broke. */
  rerun?: (studyDir: string) => Promise<void>;
  /** Whether people may write notes from the page. */
  mayNote: boolean;
  /** Everybody who listens. */
  channels: Set<EventChannel>;
  /** Absent where people open the page itself, with its key. */
  proxy?: FrontProxy;
  /** Absent where there is no queue. */
  fleet?: FleetWatch;
  version: string;
}

const MOST_SEARCHED = 300;
const NO_KEY =
  "This page needs the key that `assay ui` printed with its address. Open that whole link (it ends in ?token=...), or start `assay ui` again.\n";

/** Every route of the live page. */
export function createApp(served: Served): Hono {
  const base = served.proxy?.url.pathname.replace(/\/+$/, "") ?? "";
  const app = new Hono({ getPath: (request) => pathBelow(base, new URL(request.url).pathname) });
  if (served.proxy) guardBehind(app, served.proxy);
  else guard(app, served);
  addPage(app, base);
  addReading(app, served);
  addEvents(app, served);
  addControl(app, served);
  addNotes(app, served);
  app.notFound((c) => c.json({ error: "Nothing here has that name." }, 404));
  app.onError((thrown, c) => {
    const error = explainFileError(thrown) as Error;
    if (error instanceof HTTPException) return c.json({ error: error.message }, error.status);
    if (error instanceof MachineError) return c.json({ error: error.message }, 503);
    if (error instanceof UserError) return c.json({ error: error.message }, 400);
    process.stderr.write(`assay: ${error.stack ?? error.message}\n`);
    return c.json({ error: "The server has failed at this; its terminal says why." }, 500);
  });
  return app;
}

/** Nobody else's page, nobody without the key. */
function guard(app: Hono, { token, tickets, cookieName }: Served): void {
  app.use(async (c, next) => {
    for (const [name, value] of Object.entries(PAGE_HEADERS)) c.header(name, value);
    c.header("Cache-Control", "no-store");
    const foreign = foreignness(c.req.raw);
    if (foreign !== undefined) return c.text(`Refused: ${foreign}.\n`, 403);
    const inLink = c.req.method === "GET" && c.req.path === "/" ? c.req.query("token") : undefined;
    if (isSameSecret(inLink, token) || tickets.delete(inLink ?? "")) {
      setCookie(c, cookieName, token, { httpOnly: true, sameSite: "Strict", path: "/" });
      return c.redirect("/", 303);
    }
    const given = c.req.header("authorization")?.replace(/^Bearer /, "") ?? getCookie(c, cookieName);
    if (!isSameSecret(given, token)) return c.text(NO_KEY, 401);
    await next();
  });
}

/** Nobody but whom the proxy has let in. */
function guardBehind(app: Hono, proxy: FrontProxy): void {
  app.use(async (c, next) => {
    for (const [name, value] of Object.entries(PAGE_HEADERS)) c.header(name, value);
    c.header("Cache-Control", "no-store");
    const foreign = foreignness(c.req.raw, proxy);
    if (foreign !== undefined) return c.text(`Refused: ${foreign}.\n`, 403);
    if (userOf(c.req.raw, proxy) === undefined)
      return c.text(`Refused: the proxy has not said who asks (${proxy.header}).\n`, 401);
    await next();
  });
}

function addPage(app: Hono, base: string): void {
  app.get("/", (c) => c.html(indexPage(base)));
  app.get("/:name{viewer\\.(js|css)}", (c) => {
    const { type, content } = pageFile(c.req.param("name"));
    return c.body(content, 200, { "Content-Type": type });
  });
}

function addReading(
  app: Hono,
  { shelf, followers, views, mayControl, mayNote, fleet, version, proxy }: Served,
): void {
  const view = async (request: ViewRequest | undefined) => {
    const json = request && (await views.get(request));
    if (json === undefined || json === "null") return undefined;
    return new Response(json, { headers: { "Content-Type": "application/json" } });
  };
  const place = (id: string | undefined) => {
    const dir = id === undefined ? undefined : shelf.find(id);
    return dir === undefined ? undefined : { id: id!, dir };
  };
  app.get("/api/session", (c) =>
    c.json({
      ...{ canControl: mayControl, mayNote },
      writer: proxy ? userOf(c.req.raw, proxy) : writerName(),
      ...{ root: shelf.roots.join(", "), version, hasFleet: fleet !== undefined },
    }),
  );
  app.get("/api/fleet", async (c) => (fleet ? c.json(await fleet.view()) : c.notFound()));
  app.get("/api/studies", async (c) => c.json(await followers.cards()));
  app.get("/api/study", async (c) => {
    const found = place(c.req.query("id"));
    return (await view(found && { kind: "study", ...found })) ?? c.notFound();
  });
  app.get("/api/glance", (c) => {
    const found = place(c.req.query("study"));
    if (!found) return c.notFound();
    const before = viewBefore(found.dir) ?? null;
    const question = readStudyFileIfAny(found.dir)?.study.question ?? null;
    const records = before ? null : countRecords(found.dir);
    return c.json({ question, records, before: before && { ...before, id: found.id } } satisfies Glance);
  });
  app.get("/api/answer", async (c) => {
    const found = place(c.req.query("study"));
    if (!found) return c.notFound();
    const { question, answer, counts } = JSON.parse(
      await views.get({ kind: "study", ...found }),
    ) as StudyView;
    return c.json({ question, answer, counts });
  });
  app.get("/api/runs", async (c) => {
    const found = place(c.req.query("study"));
    const follower = found && followers.find(found.id);
    follower?.noteSnapshot();
    return (await view(found && { kind: "runs", ...found })) ?? c.notFound();
  });
  app.get("/api/run", async (c) => {
    const found = place(c.req.query("study"));
    const run = c.req.query("run");
    return (await view(found && run ? { kind: "run", ...found, run } : undefined)) ?? c.notFound();
  });
  app.get("/api/search", async (c) => {
    const found = place(c.req.query("study"));
    const text = (c.req.query("text") ?? "").slice(0, MOST_SEARCHED);
    return (await view(found && { kind: "search", ...found, text })) ?? c.notFound();
  });
  app.get("/api/compare", async (c) => {
    const [a, b] = [place(c.req.query("a")), place(c.req.query("b"))];
    if (!a || !b) return c.notFound();
    // The thread compares while this one reads the journals for the cards.
    const view = views.get({ kind: "compare", a, b });
    const cards = Promise.all([followers.find(a.id)?.refresh(), followers.find(b.id)?.refresh()]);
    const [json, [cardA, cardB]] = await Promise.all([view, cards]);
    return c.json({ ...JSON.parse(json), a: cardA, b: cardB });
  });
  app.get("/api/file", (c) => {
    const found = place(c.req.query("study"));
    const { run, path } = c.req.query();
    if (!found || run === undefined || path === undefined) return c.notFound();
    return runFile(found.dir, run, path) ?? c.notFound();
  });
}

/**
 * A browser opens six connections to a server, over all of its tabs. More streams than this would leave none for
 * anything else, and the seventh tab would never load; so tabs take turns.
 */
const MOST_PAGE_STREAMS = 4;

function addEvents(app: Hono, { followers, channels }: Served): void {
  /** Of browsers, the oldest first. */
  const ofPages = new Set<EventChannel>();
  app.get("/api/events", async (c) => {
    const id = c.req.query("study");
    const follower = id === undefined ? undefined : followers.find(id);
    if (id !== undefined && !follower) return c.notFound();
    const from = parsePlace(c.req.header("last-event-id") ?? c.req.query("from"));
    const channel = follower ? await studyEvents(follower, { from }) : await allEvents(followers);
    channels.add(channel);
    channel.onClose(() => channels.delete(channel));
    c.req.raw.signal.addEventListener("abort", () => channel.close());
    if (c.req.header("authorization") === undefined) {
      ofPages.add(channel);
      channel.onClose(() => ofPages.delete(channel));
      for (const oldest of [...ofPages].slice(0, -MOST_PAGE_STREAMS)) oldest.makeRoom();
    }
    return channel.response;
  });
}

const LOOK_MS = 500;

/** The cards of all studies for one reader: `cards` when studies came or went, `card` when one has changed. */
async function allEvents(followers: Followers): Promise<EventChannel> {
  const channel = new EventChannel();
  let told: Map<string, string> | undefined;
  const look = async () => {
    const cards = await followers.cards();
    if (!channel.isReady) return;
    const texts = new Map(cards.map((card) => [card.id, JSON.stringify(card)]));
    const before = told;
    const isSameList = before?.size === texts.size && cards.every(({ id }) => before.has(id));
    if (!isSameList) channel.send("cards", cards);
    else for (const card of cards) if (texts.get(card.id) !== before.get(card.id)) channel.send("card", card);
    told = texts;
  };
  const again = async () => {
    await look().catch(() => {});
    if (!channel.isClosed) timer = setTimeout(again, LOOK_MS);
  };
  let timer: NodeJS.Timeout | undefined;
  channel.onClose(() => clearTimeout(timer));
  await again();
  return channel;
}

/** The page; what it shows comes by the API. */
const indexPage = (base: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="assay-mode" content="live">
<meta name="assay-base" content="${escapeHtml(base)}">
<meta name="color-scheme" content="light dark">
<title>Assay</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${escapeHtml(base)}/viewer.css">
</head>
<body>
<div id="app"></div>
<noscript>This page needs JavaScript. \`assay status\` tells the same in a terminal.</noscript>
<script type="module" src="${escapeHtml(base)}/viewer.js"></script>
</body>
</html>
`;

/** The page's program and its look, by their exact names. */
function pageFile(name: string): { type: string; content: string } {
  const { script, style } = readViewer();
  return name === "viewer.js"
    ? { type: "text/javascript; charset=utf-8", content: script }
    : { type: "text/css; charset=utf-8", content: style };
}
