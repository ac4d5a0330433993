// A model server on loopback that answers at once: what it sends is all that a call takes. Its first line is its address.
import { createServer } from "node:http";

const usage = { prompt_tokens: 1000, completion_tokens: 50, total_tokens: 1050 };
const whole = JSON.stringify({
  choices: [{ index: 0, message: { role: "assistant", content: "Done." }, finish_reason: "stop" }],
  usage,
});
const chunk = (content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
const end = `data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`;

const server = createServer(async (incoming, outgoing) => {
  let text = "";
  for await (const part of incoming) text += part;
  const { stream, events = 0, everyMs = 0 } = JSON.parse(text);
  if (!stream) return outgoing.writeHead(200, { "content-type": "application/json" }).end(whole);
  outgoing.writeHead(200, { "content-type": "text/event-stream" });
  // By the clock: a model does not slow down because the machine of its client is busy.
  const start = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = Math.min(events, (performance.now() - start) / everyMs);
    while (sent < due) outgoing.write(chunk(`word ${sent++} `));
    if (sent < events) return;
    clearInterval(timer);
    outgoing.end(end);
  }, everyMs);
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
