import { constants, copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { errorText, UserError } from "../core/errors.ts";
import { type MlflowRun, mlflowRun, RUN_TAG, STATE_TAG } from "./mlflow-run.ts";
import type { Published, PublishedFile, PublishedRun } from "./published-run.ts";

const API = "/api/2.0/mlflow";
const ARTIFACTS = "/api/2.0/mlflow-artifacts/artifacts";
const PROXIED = "mlflow-artifacts:";
/** What the server takes at once. */
const MOST_METRICS = 1000;
const MOST_TEXTS = 100;
const AT_ONCE = 4;
const PAGE = 1000;

interface Server {
  address: string;
  headers: Record<string, string>;
}

interface RunThere {
  info: { run_id: string; artifact_uri?: string };
  data?: { tags?: { key: string; value: string }[] };
}

/**
 * Sends runs to an MLflow server. A run is known by its tag `assay.run_id`. What MLflow has once logged can't be changed,
 * so a run that has changed here, or that was sent in part, is deleted there and sent anew.
 */
export async function sendToMlflow(
  runs: Iterable<PublishedRun>,
  { address, experiment, env }: { address: string; experiment: string; env: NodeJS.ProcessEnv },
): Promise<Published> {
  const server = { address: address.replace(/\/+$/, ""), headers: credentials(env) };
  const experimentId = await findExperiment(server, experiment);
  const there = await runsOf(server, experimentId);
  const published: Published = { place: server.address, added: 0, changed: 0, known: 0, problems: [] };
  const problems = new Set<string>();
  const send = async (run: PublishedRun) => {
    const told = mlflowRun(run);
    const before = there.get(run.id) ?? [];
    if (before.some(({ state }) => state === told.state)) {
      published.known++;
      return;
    }
    for (const { id } of before) await post(server, "runs/delete", { run_id: id });
    await sendRun(server, { run, told, experimentId, problems });
    published[before.length > 0 ? "changed" : "added"]++;
  };
  const queue = runs[Symbol.iterator]();
  const worker = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await send(next.value);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { ...published, problems: [...problems] };
}

/** As MLflow's own client takes them from the environment. */
function credentials(env: NodeJS.ProcessEnv): Record<string, string> {
  const {
    MLFLOW_TRACKING_TOKEN: token,
    MLFLOW_TRACKING_USERNAME: user,
    MLFLOW_TRACKING_PASSWORD: password,
  } = env;
  if (user !== undefined && password !== undefined)
    return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` };
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

async function findExperiment(server: Server, name: string): Promise<string> {
  const query = new URLSearchParams({ experiment_name: name });
  const found = await ask(server, `${API}/experiments/get-by-name?${query}`, {});
  if (found.status === 404) {
    const { experiment_id } = await post<{ experiment_id: string }>(server, "experiments/create", { name });
    return experiment_id;
  }
  const { experiment } = (await answer(server, found)) as {
    experiment: { experiment_id: string; lifecycle_stage?: string };
  };
  if (experiment.lifecycle_stage === "deleted")
    throw new UserError(`${server.address}: the experiment ${name} was deleted there`, {
      remedy: `Restore it with \`mlflow experiments restore --experiment-id ${experiment.experiment_id}\`, or remove it for good with \`mlflow gc\`.`,
    });
  return experiment.experiment_id;
}

/** By the run's id here: what earlier exports sent. */
async function runsOf(
  server: Server,
  experimentId: string,
): Promise<Map<string, { id: string; state?: string }[]>> {
  const found = new Map<string, { id: string; state?: string }[]>();
  let token: string | undefined;
  do {
    const page: { runs?: RunThere[]; next_page_token?: string } = await post(server, "runs/search", {
      experiment_ids: [experimentId],
      max_results: PAGE,
      ...(token !== undefined && { page_token: token }),
    });
    for (const { info, data } of page.runs ?? []) {
      const tags = new Map(data?.tags?.map(({ key, value }) => [key, value]));
      const id = tags.get(RUN_TAG);
      const state = tags.get(STATE_TAG);
      if (id !== undefined)
        found.set(id, [...(found.get(id) ?? []), { id: info.run_id, ...(state !== undefined && { state }) }]);
    }
    token = page.next_page_token || undefined;
  } while (token !== undefined);
  return found;
}

async function sendRun(
  server: Server,
  {
    run,
    told,
    experimentId,
    problems,
  }: { run: PublishedRun; told: MlflowRun; experimentId: string; problems: Set<string> },
): Promise<void> {
  const { run: made } = await post<{ run: RunThere }>(server, "runs/create", {
    experiment_id: experimentId,
    run_name: told.name,
    start_time: told.startMs,
    tags: told.tags.slice(0, MOST_TEXTS),
  });
  const run_id = made.info.run_id;
  const batches = Math.max(
    Math.ceil(told.metrics.length / (MOST_METRICS - 2 * MOST_TEXTS)),
    Math.ceil(told.params.length / MOST_TEXTS),
  );
  const slice = <T>(all: readonly T[], i: number, size: number) => all.slice(i * size, (i + 1) * size);
  for (let i = 0; i < batches; i++)
    await post(server, "runs/log-batch", {
      run_id,
      params: slice(told.params, i, MOST_TEXTS),
      metrics: slice(told.metrics, i, MOST_METRICS - 2 * MOST_TEXTS).map((metric) => ({
        ...metric,
        value: Number.isFinite(metric.value) ? metric.value : String(metric.value),
      })),
    });
  for (const file of run.files)
    await sendFile(server, { file, root: made.info.artifact_uri ?? "", problems });
  await post(server, "runs/update", { run_id, status: told.status, end_time: told.endMs });
  // Last: a run without it was sent in part.
  await post(server, "runs/set-tag", { run_id, key: STATE_TAG, value: told.state });
}

/** Through the server where it takes files, else into the folder that it names, where this machine has it. */
async function sendFile(
  server: Server,
  { file, root, problems }: { file: PublishedFile; root: string; problems: Set<string> },
): Promise<void> {
  if (root.startsWith(PROXIED)) {
    const path = [
      root.slice(PROXIED.length).replace(/^\/+/, ""),
      ...file.name.split("/").map(encodeURIComponent),
    ];
    const sent = await ask(server, `${ARTIFACTS}/${path.join("/")}`, {
      method: "PUT",
      body: readFileSync(file.path),
    });
    await answer(server, sent);
    return;
  }
  const folder = root.startsWith("file:") ? fileURLToPath(root) : root.startsWith("/") ? root : undefined;
  // <store>/<experiment>/<run>/artifacts: the last three are made by whoever writes first.
  if (folder === undefined || !existsSync(join(folder, "../../.."))) {
    problems.add(
      `files were left out: the server keeps them in ${folder ?? root.replace(/(:\/\/[^/]*).*/, "$1")}, which is not reachable through it; start it with --serve-artifacts`,
    );
    return;
  }
  const target = join(folder, file.name);
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(file.path, target, constants.COPYFILE_FICLONE);
}

async function post<T = unknown>(server: Server, what: string, body: object): Promise<T> {
  const init = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  return (await answer(server, await ask(server, `${API}/${what}`, init))) as T;
}

async function ask(server: Server, path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(`${server.address}${path}`, {
      ...init,
      headers: { ...server.headers, ...init.headers },
    });
  } catch (error) {
    throw new UserError(`${server.address} does not answer: ${errorText((error as Error).cause ?? error)}`, {
      remedy:
        "Start the server (`mlflow server --port 5000`), or check the address. What was sent stays; run the same command again.",
    });
  }
}

async function answer(server: Server, response: Response): Promise<unknown> {
  const text = await response.text();
  const read = parsed(text);
  if (response.ok && read !== undefined) return read;
  const told = (read as { message?: unknown } | undefined)?.message;
  if (response.status === 401 || response.status === 403)
    throw new UserError(`${server.address} refuses: ${response.status}`, {
      remedy: "Set MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD, or MLFLOW_TRACKING_TOKEN.",
    });
  throw new UserError(
    `${server.address} answers ${response.status}: ${typeof told === "string" ? told : text.slice(0, 200)}`,
    {
      expected: "an MLflow server",
      remedy: "Check the address. What was sent stays; run the same command again.",
    },
  );
}

function parsed(text: string): unknown {
  try {
    return text === "" ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
}
