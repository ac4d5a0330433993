import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteTail } from "../../src/sandboxes/program-output.ts";

test("a tail holds the last bytes of a stream, however it was cut, and counts the others", () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 20 });
  fc.assert(
    fc.property(fc.nat(24), chunks, (most, stream) => {
      const tail = new ByteTail(most);
      const used = Buffer.alloc(20);
      for (const chunk of stream) {
        used.set(chunk);
        tail.push(used.subarray(0, chunk.length));
      }
      const all = Buffer.concat(stream);
      const from = Math.max(0, all.length - most);
      expect(Buffer.concat(tail.parts())).toEqual(all.subarray(from));
      expect(tail.lostBytes).toBe(from);
    }),
  );
});
