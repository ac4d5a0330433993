import { randomBytes } from "node:crypto";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { errorCode, UserError } from "../core/errors.ts";
import { sleep } from "../host/clock.ts";
import { PROGRAM_VERSION } from "../host/environment.ts";
import { createApp } from "./app.ts";
import type { EventChannel } from "./event-channel.ts";
import { FleetWatch } from "./fleet-watch.ts";
import { Followers } from "./followers.ts";
import { type FrontProxy, isLoopback } from "./security.ts";
import { StudyShelf } from "./study-shelf.ts";
import { Views } from "./views.ts";

/** A reader that takes nothing for so long is not waited for. */
const PATIENCE_MS = 2000;

export interface ServerOptions {
  /** The folder with the studies, or a study's own. */
  root: string;
  /** More folders with studies. */
  others?: readonly string[];
  /** A proxy that asks people who they are; then the page needs no key, and changes nothing. */
  proxy?: FrontProxy;
  /** The folder is a study's, even if it is not there yet. */
  isSingle?: boolean;
  /** Any free one when left out. */
  port?: number;
  host?: string;
  mayControl?: boolean;
  /** Starts a study that has ended once more, for what the infrastructure broke. */
  rerun?: (studyDir: string) => Promise<void>;
  /** Whether people may write notes from the page; they may where nobody says otherwise. */
  mayNote?: boolean;
  /** Whether the page shows the fleet of the queue that ASSAY_QUEUE names. */
  hasFleet?: boolean;
}

export interface RunningServer {
  /** With the token: opening it is all that a person has to do. */
  url: string;
  port: number;
  token: string;
  /** A link that works once: for the words of a command, which other users of the machine can read. */
  linkForOnce(): string;
  /** Lets whoever is listening hear of the end. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Serves the live page of the studies below a folder, on this machine only. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { root, isSingle, port = 0, host = "127.0.0.1", proxy } = options;
  const mayControl = (options.mayControl ?? false) && !proxy;
  const mayNote = (options.mayNote ?? true) && !proxy;
  if (!isLoopback(host))
    throw new UserError(`--host ${host}`, {
      expected: "127.0.0.1, localhost or ::1",
      remedy: `The page is for this machine only; from another one use a tunnel: ssh -L ${port || "PORT"}:127.0.0.1:${port || "PORT"} THIS_MACHINE`,
    });
  const token = newKey();
  const tickets = new Set<string>();
  const shelf = new StudyShelf(root, {
    ...(isSingle !== undefined && { isSingle }),
    ...(options.others && { others: options.others }),
  });
  const followers = new Followers(shelf, { mayControl });
  const views = new Views();
  const channels = new Set<EventChannel>();
  const fleet = options.hasFleet ? new FleetWatch() : undefined;
  const server = await listen(host, port, (listeningPort) =>
    createApp({
      shelf,
      followers,
      views,
      token,
      tickets,
      cookieName: `assay_${listeningPort}`,
      mayControl,
      ...(options.rerun && { rerun: options.rerun }),
      mayNote,
      channels,
      ...(fleet && { fleet }),
      ...(proxy && { proxy }),
      version: PROGRAM_VERSION,
    }),
  );
  views.warmUp();
  const address = server.address() as AddressInfo;
  const shownHost = address.family === "IPv6" ? `[${address.address}]` : address.address;
  const linkWith = (key: string) => `http://${shownHost}:${address.port}/?token=${key}`;
  return {
    url: proxy ? proxy.url.href : linkWith(token),
    linkForOnce: () => {
      const ticket = newKey();
      tickets.add(ticket);
      return linkWith(ticket);
    },
    port: address.port,
    token,
    settle: async () => {
      await followers.settle();
      const taken = Promise.all([...channels].map((channel) => channel.drained()));
      await Promise.race([taken, sleep(PATIENCE_MS, { ref: false })]);
      // What the last of them took out of its channel is on its way to the socket in this turn.
      await new Promise((resolve) => setImmediate(resolve));
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      followers.close();
      await Promise.all([views.close(), fleet?.close()]);
    },
  };
}

function newKey(): string {
  return randomBytes(24).toString("base64url");
}

function listen(
  host: string,
  port: number,
  appOn: (port: number) => ReturnType<typeof createApp>,
): Promise<Server> {
  return new Promise((resolve, reject) => {
    let app: ReturnType<typeof createApp> | undefined;
    const server = serve(
      { fetch: (request, env) => app!.fetch(request, env), hostname: host, port },
      (address) => {
        app = appOn(address.port);
        resolve(server);
      },
    ) as Server;
    server.once("error", (error) => reject(portRefusal(error, port)));
  });
}

export function portRefusal(error: Error, port: number, option = "--port"): Error {
  const code = errorCode(error);
  if (code === "EADDRINUSE")
    return new UserError(`port ${port} is taken by another program`, {
      remedy: `Name another with ${option}; 0 is a free one.`,
    });
  if (code === "EACCES")
    return new UserError(`port ${port} may not be used by this user`, { remedy: "Ports from 1024 on may." });
  return error;
}
