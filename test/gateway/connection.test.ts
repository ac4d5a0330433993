import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { BodyReader } from "../../src/gateway/body-reader.ts";
import { ask, type Head } from "../../src/gateway/connection.ts";

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

/** A server that says these words to its first request, these to its second, and so on; null hangs up. */
async function aServer(
  answers: (string | null)[],
): Promise<{ url: URL; connections: Socket[]; asked: string[] }> {
  const connections: Socket[] = [];
  const asked: string[] = [];
  const server = createServer((socket) => {
    connections.push(socket);
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      asked.push(String(bytes));
      const answer = answers[asked.length - 1] ?? null;
      if (answer === null) socket.destroy();
      else socket.write(answer, "latin1", () => answer.includes("connection: close") && socket.end());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  opened.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of connections) socket.destroy();
      }),
  );
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/x?a=1`),
    connections,
    asked,
  };
}

interface Got {
  head?: Head;
  raw: string;
  content: string;
  error?: unknown;
}

function get(url: URL, method = "POST"): Promise<Got> {
  const got: Got = { raw: "", content: "" };
  return new Promise((resolve) => {
    ask(
      url,
      { method, headers: { "x-one": "1" }, body: Buffer.from("{}") },
      {
        onHead: (head) => {
          got.head = head;
        },
        onBytes: (bytes, content) => {
          got.raw += bytes;
          got.content += content.join("");
          return true;
        },
        onEnd: (error) => resolve({ ...got, ...(error !== undefined && { error }) }),
      },
    );
  });
}

const CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-A: 1\r\nX-A: 2\r\n\r\n";

describe("a request to a server", () => {
  test("says what it has to, and its connection serves the next one", async () => {
    const whole = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
    const { url, connections, asked } = await aServer([whole, whole]);
    expect(await get(url)).toMatchObject({ raw: "ok", content: "ok", head: { status: 200, framing: 2 } });
    await get(url);
    expect(connections).toHaveLength(1);
    expect(asked[0]).toMatch(
      /^POST \/v1\/x\?a=1 HTTP\/1\.1\r\nhost: 127\.0\.0\.1:\d+\r\nx-one: 1\r\ncontent-length: 2\r\n/,
    );
  });

  test("leaves chunks as they came beside their content", async () => {
    const body = "5\r\nhello\r\n6;ext=1\r\n world\r\n0\r\nx-trailer: 1\r\n\r\n";
    const { url } = await aServer([CHUNKED + body]);
    expect(await get(url)).toMatchObject({
      raw: body,
      content: "hello world",
      head: { headers: { "x-a": "1, 2" } },
    });
  });

  test("waits for the answer behind 100 Continue", async () => {
    const { url } = await aServer([
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx",
    ]);
    expect(await get(url)).toMatchObject({ content: "x", head: { status: 200 } });
  });

  test("takes a body that ends with the connection as whole", async () => {
    const { url } = await aServer(["HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nall of it"]);
    const got = await get(url);
    expect(got.content).toBe("all of it");
    expect(got.error).toBeUndefined();
  });

  test("has no body where the method or the status has none", async () => {
    const { url } = await aServer([
      "HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n",
      "HTTP/1.1 204 No Content\r\n\r\n",
    ]);
    expect(await get(url, "HEAD")).toMatchObject({ content: "", head: { status: 200 } });
    expect(await get(url)).toMatchObject({ content: "", head: { status: 204 } });
  });

  test.each([
    ["a server that hangs up", null],
    ["what is no HTTP", "SSH-2.0-OpenSSH\r\n\r\n"],
    ["a head without an end", `HTTP/1.1 200 OK\r\nx: ${"y".repeat(70_000)}`],
    ["a coding that nobody knows", "HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\n\r\n"],
    ["a length that is none", "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n"],
    ["a chunk without a size", `${CHUNKED}hello\r\n`],
    ["a chunk that is longer than it says", `${CHUNKED}2\r\nhello\r\n`],
    ["a body that is cut off", "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 9\r\n\r\nhalf"],
  ])("ends with an error for %s", async (_, answer) => {
    const { url } = await aServer([answer]);
    expect((await get(url)).error).toBeInstanceOf(Error);
  });

  test("does not use a connection again that the server closes", async () => {
    const { url, connections } = await aServer([
      "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 1\r\n\r\n1",
      "HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n2",
    ]);
    await get(url);
    expect((await get(url)).content).toBe("2");
    expect(connections).toHaveLength(2);
  });
});

test("a body in chunks reads the same wherever it is cut", () => {
  const body = Buffer.from("5\r\nhello\r\nb;x=y\r\n, you there\r\n0\r\nt: 1\r\n\r\nnext");
  for (let step = 1; step <= body.length; step++) {
    const pieces: Buffer[] = [];
    let used = 0;
    const reader = new BodyReader("chunked");
    for (let at = 0; at < body.length && !reader.isEnd; at += step)
      used += reader.take(body.subarray(at, at + step), pieces);
    const content = String(Buffer.concat(pieces));
    expect({ content, isEnd: reader.isEnd, rest: String(body.subarray(used)) }).toEqual({
      ...{ content: "hello, you there", isEnd: true, rest: "next" },
    });
  }
});
