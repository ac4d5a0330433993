import { OrderedHeap } from "../../packages/sims/src/kernel/ordered-heap.ts";
import { ln } from "../../packages/sims/src/kernel/portable-math.ts";

/**
 * The M/M/c queue of the rivals on the simulator's event heap and logarithm. Like them, it takes its random
 * numbers from a small xorshift generator, so that the event loop is what is measured.
 */
const [customers, servers, load, seed] = process.argv.slice(2).map(Number) as [
  number,
  number,
  number,
  number,
];
const ARRIVAL = 0;
const DEPARTURE = 1;

let state = 2463534242 ^ seed;
function exponential(rate: number): number {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return -ln(((state >>> 0) + 0.5) / 4294967296) / rate;
}

function simulateQueue(): { events: number; meanWait: number } {
  const heap = new OrderedHeap();
  const waiting = new Float64Array(1 << 20);
  const mask = waiting.length - 1;
  let head = 0;
  let tail = 0;
  let busy = 0;
  let arrived = 0;
  let waited = 0;
  let events = 0;
  heap.push(exponential(load * servers), ARRIVAL, 0, 0);
  while (heap.pop()) {
    const now = heap.key;
    events++;
    if (heap.type === ARRIVAL) {
      if (++arrived < customers) heap.push(now + exponential(load * servers), ARRIVAL, 0, 0);
      if (busy < servers) {
        busy++;
        heap.push(now + exponential(1), DEPARTURE, 0, 0);
      } else waiting[tail++ & mask] = now;
    } else if (head !== tail) {
      waited += now - waiting[head++ & mask]!;
      heap.push(now + exponential(1), DEPARTURE, 0, 0);
    } else busy--;
  }
  return { events, meanWait: waited / customers };
}

const startMs = performance.now();
const result = simulateQueue();
console.log(JSON.stringify({ seconds: (performance.now() - startMs) / 1000, ...result }));
