/**
 * A binary min-heap over typed arrays: entries come out by key, equal keys in the order they went in.
 * Serves as the event list (key = time) and as a ready queue (key = -priority). Nothing is allocated per
 * entry, and a sift moves only a key and an index: the payload stays where it was written.
 */
export class OrderedHeap {
  size = 0;
  /** The entry that `pop` took out last. */
  key = 0;
  type = 0;
  a = 0;
  b = 0;

  #keys: Float64Array;
  /** A permutation of the payload rows: the first `size` are in use, in heap order; the rest are free. */
  #rows: Int32Array;
  #orders: Float64Array;
  #types: Uint8Array;
  #as: Int32Array;
  #bs: Int32Array;
  #pushed = 0;

  constructor(capacity = 64) {
    this.#keys = new Float64Array(capacity);
    this.#rows = Int32Array.from({ length: capacity }, (_, row) => row);
    this.#orders = new Float64Array(capacity);
    this.#types = new Uint8Array(capacity);
    this.#as = new Int32Array(capacity);
    this.#bs = new Int32Array(capacity);
  }

  push(key: number, type: number, a: number, b: number): void {
    if (this.size === this.#rows.length) this.#grow();
    const keys = this.#keys;
    const rows = this.#rows;
    let hole = this.size++;
    const row = rows[hole]!;
    this.#orders[row] = this.#pushed++;
    this.#types[row] = type;
    this.#as[row] = a;
    this.#bs[row] = b;
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      // A newcomer never passes an entry of the same key, so orders need no comparing on the way up.
      if (keys[parent]! <= key) break;
      keys[hole] = keys[parent]!;
      rows[hole] = rows[parent]!;
      hole = parent;
    }
    keys[hole] = key;
    rows[hole] = row;
  }

  /** Takes the first entry out and lays it open in `key`, `type`, `a`, `b`; false when there is none. */
  pop(): boolean {
    if (this.size === 0) return false;
    const keys = this.#keys;
    const rows = this.#rows;
    const first = this.#show();
    const size = --this.size;
    const key = keys[size]!;
    const row = rows[size]!;
    rows[size] = first;
    if (size === 0) return true;
    const orders = this.#orders;
    let hole = 0;
    for (let child = 1; child < size; child = 2 * hole + 1) {
      const right = child + 1;
      if (right < size) {
        const left = keys[child]! - keys[right]!;
        if (left > 0 || (left === 0 && orders[rows[child]!]! > orders[rows[right]!]!)) child = right;
      }
      const gap = key - keys[child]!;
      if (gap < 0 || (gap === 0 && orders[row]! < orders[rows[child]!]!)) break;
      keys[hole] = keys[child]!;
      rows[hole] = rows[child]!;
      hole = child;
    }
    keys[hole] = key;
    rows[hole] = row;
    return true;
  }

  /** Lays the first entry open without taking it out; false when there is none. */
  peek(): boolean {
    if (this.size === 0) return false;
    this.#show();
    return true;
  }

  #show(): number {
    const row = this.#rows[0]!;
    this.key = this.#keys[0]!;
    this.type = this.#types[row]!;
    this.a = this.#as[row]!;
    this.b = this.#bs[row]!;
    return row;
  }

  #grow(): void {
    const larger = new OrderedHeap(this.#rows.length * 2);
    larger.#rows.set(this.#rows);
    larger.#keys.set(this.#keys);
    larger.#orders.set(this.#orders);
    larger.#types.set(this.#types);
    larger.#as.set(this.#as);
    larger.#bs.set(this.#bs);
    this.#rows = larger.#rows;
    this.#keys = larger.#keys;
    this.#orders = larger.#orders;
    this.#types = larger.#types;
    this.#as = larger.#as;
    this.#bs = larger.#bs;
  }
}
