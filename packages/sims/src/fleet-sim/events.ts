/** What happens in a simulated fleet, with what the event's two numbers say. */
export const SERVER_ENDS = 0; // the server
export const ARRIVES = 1; // work at a server: its number
export const CHUNK_ARRIVES = 2; // at its worker: chunk, life
export const RUN_ENDS = 3; // chunk, life
export const FLUSH = 4; // a worker sends its results: worker, life
export const ACKNOWLEDGED = 5; // the queue has a worker's results: message
export const WORKER_DIES = 6; // worker
export const WORKER_RETURNS = 7; // worker
export const LEASE_ENDS = 8; // what a dead worker had is free: chunk

/** What servers do: the coordinator the first two, Redis the others. */
export const PUBLISH = 0;
export const RECORD = 1;
export const ADD_CHUNK = 2;
export const TAKE_CHUNK = 3;
export const FINISH_CHUNK = 4;
export const ADD_RESULTS = 5;
export const FETCH_RESULTS = 6;
export const FINISH_RESULTS = 7;

/** Upkeep: when it is due, and what servers do for it. */
export const BEAT_DUE = 9; // group of workers
export const LOOK_DUE = 10;
export const CHECK_DUE = 11;
export const BEAT = 8;
export const LOOK = 9;
export const LOOKED = 10;
export const CHECK = 11;
export const CHECKED = 12;
