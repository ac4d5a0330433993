/** Reads server-sent events from a response and calls back with each one's name and data. */
export async function readEvents(response, onEvent) {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true });
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) {
      const name = /^event: (.*)$/m.exec(event)?.[1];
      if (name && onEvent(name, JSON.parse(/^data: (.*)$/m.exec(event)[1])) === false) return;
    }
  }
}
