/** One message of a stream of server-sent events. */
export interface StreamMessage {
  readonly event: string;
  readonly data: string;
  readonly id: string | null;
}

/**
 * Parses server-sent events (HTML standard, section 9.2) from chunks that may end anywhere. Skips comments, and drops a
 * message that is incomplete at the end of the stream.
 */
export async function* readEventStream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StreamMessage> {
  const decoder = new TextDecoder();
  let rest = "";
  let lines: string[] = [];
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    // Only new text can contain the end of a line; a long message isn't searched again with each chunk.
    const parts = text.split("\n");
    parts[0] = rest + (parts[0] ?? "");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const line = part.endsWith("\r") ? part.slice(0, -1) : part;
      if (line !== "") {
        lines.push(line);
        continue;
      }
      const message = toMessage(lines);
      lines = [];
      if (message) yield message;
    }
  }
}

function toMessage(lines: readonly string[]): StreamMessage | null {
  const fields = lines.filter((line) => !line.startsWith(":")).map(toField);
  const values = (name: string): string[] => fields.filter((field) => field.name === name).map(({ value }) => value);
  const data = values("data");
  if (data.length === 0) return null;
  return { event: values("event").at(-1) ?? "message", data: data.join("\n"), id: values("id").at(-1) ?? null };
}

function toField(line: string): { name: string; value: string } {
  const colon = line.indexOf(":");
  if (colon < 0) return { name: line, value: "" };
  return { name: line.slice(0, colon), value: line.slice(colon + 1).replace(/^ /, "") };
}
