import type { Chunk } from "./chunk.ts";

/** Chunks that take less are fetched before there is a thread for them. */
const SHORT_US = 250_000;

/** A worker: threads that run, chunks that wait for one, results that wait for company. */
export class SimWorker {
  readonly jobs: number;
  /** No two lives have the same number: what a life set going that has ended concerns no other. */
  life: number;
  isDead = false;
  running = 0;
  /** Chunks that it has taken and not finished. */
  readonly held = new Set<Chunk>();
  readonly waiting: Chunk[] = [];
  /** Chunks that it has asked the queue for. */
  asked = 0;
  results: Chunk[] = [];
  #isShort = false;

  constructor(jobs: number, life: number) {
    this.jobs = jobs;
    this.life = life;
  }

  /** Chunks that it would take now. */
  get hunger(): number {
    return this.isDead ? 0 : (this.#isShort ? 2 : 1) * this.jobs - this.held.size - this.asked;
  }

  finished(chunk: Chunk, nowUs: number): void {
    this.held.delete(chunk);
    this.#isShort = nowUs - chunk.arrivedUs < SHORT_US;
  }

  /** Gives what it had. */
  dies(): Chunk[] {
    const lost = [...this.held];
    this.isDead = true;
    this.life = -1;
    this.running = 0;
    this.asked = 0;
    this.held.clear();
    this.waiting.length = 0;
    this.results = [];
    return lost;
  }

  returns(life: number): void {
    this.isDead = false;
    this.life = life;
  }
}

/** Results on their way: the chunk that each run was in, and who ran them. */
export interface Message {
  runs: Chunk[];
  worker: SimWorker;
  life: number;
}
