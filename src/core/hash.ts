import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** SHA-256 as 64 hex digits. */
export function hashText(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** The first 12 hex digits: enough to tell the runs of one study apart, short enough to read aloud. */
export function shortHash(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)).subarray(0, 6));
}

/** JSON with sorted keys, so that equal values give equal text (and so equal hashes). */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) {
    // A million seeds as they are, without a million texts in between.
    if (value.every((item) => typeof item === "number")) return JSON.stringify(value);
    return `[${value.map(canonicalJson).join(",")}]`;
  }
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(",")}}`;
}

/**
 * Maps the 48-bit hashes of runs to numbers, 16 bytes an entry: what a million finished runs cost to remember.
 * Open addressing with linear probing.
 */
export class HashTable {
  #keys = new Float64Array(1024).fill(-1);
  #values = new Float64Array(1024);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(hash: number): number | undefined {
    const slot = this.#find(hash);
    return this.#keys[slot] === -1 ? undefined : this.#values[slot];
  }

  set(hash: number, value: number): void {
    if (this.#size * 2 >= this.#keys.length) this.#grow();
    this.#insert(hash, value);
  }

  #insert(key: number, value: number): void {
    const slot = this.#find(key);
    if (this.#keys[slot] === -1) this.#size++;
    this.#keys[slot] = key;
    this.#values[slot] = value;
  }

  #find(key: number): number {
    const mask = this.#keys.length - 1;
    // Mixed once more: ids from elsewhere may end in counters instead of hashes.
    const mixed = Math.imul((key >>> 0) ^ Math.imul(key / 4294967296, 0x85ebca6b), 0x9e3779b1);
    let slot = (mixed ^ (mixed >>> 15)) & mask;
    while (this.#keys[slot] !== -1 && this.#keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values];
    this.#keys = new Float64Array(keys.length * 2).fill(-1);
    this.#values = new Float64Array(keys.length * 2);
    this.#size = 0;
    for (let i = 0; i < keys.length; i++) if (keys[i] !== -1) this.#insert(keys[i]!, values[i]!);
  }
}
