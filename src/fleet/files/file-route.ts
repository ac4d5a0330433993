import type { Omitted } from "./archive.ts";

/** A way for the files of a run from a worker to the study's folder. */
export interface FileRoute {
  /** On the worker: sends all files below a run's folder. They may be deleted afterwards. */
  send(dir: string, parcel: ParcelName): Promise<Sent>;
  /** On the coordinator: makes the folder `dir`, which is not there yet, with what was sent; checked. */
  fetch(parcel: Parcel, dir: string): Promise<void>;
  /** On the coordinator, once the run is recorded: what was sent need not be kept. */
  discard(parcel: Parcel): Promise<void>;
}

/** Of one try at a run on one worker: no other parcel has this name. */
export interface ParcelName {
  study: string;
  runId: string;
  nonce: string;
}

export interface Sent {
  parcel: Parcel;
  /** What stayed behind; empty where all files were sent. */
  omitted: Omitted[];
}

/** Where the files of a run are, as plain data inside a signed message; each route has its own facts. */
export interface Parcel extends ParcelName {
  route: "queue" | "folder" | "s3";
  /** Of what was sent, as the route defines it. */
  sha256: string;
  bytes: number;
  facts?: Record<string, string | number>;
}
