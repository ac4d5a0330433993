/** Keeps at most `capacity` entries. */
export class LruCache {
  #entries = new Map();
  #capacity;

  constructor(capacity) {
    this.#capacity = capacity;
  }

  get size() {
    return this.#entries.size;
  }

  has(key) {
    return this.#entries.has(key);
  }

  get(key) {
    return this.#entries.get(key);
  }

  set(key, value) {
    if (this.#entries.size >= this.#capacity) this.#entries.delete(this.#entries.keys().next().value);
    this.#entries.set(key, value);
  }
}
