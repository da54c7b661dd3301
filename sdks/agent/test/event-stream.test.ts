import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readEventStream, type StreamMessage } from "../src/event-stream.ts";

async function read(chunks: readonly (string | Uint8Array)[]): Promise<StreamMessage[]> {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  const messages: StreamMessage[] = [];
  for await (const message of readEventStream(bytes())) messages.push(message);
  return messages;
}

describe("an event stream", () => {
  it.each<[string, StreamMessage[]]>([
    ["event: step\nid: 1\ndata: {}\n\n", [{ event: "step", id: "1", data: "{}" }]],
    ["data: a\ndata:  b\n\n", [{ event: "message", id: null, data: "a\n b" }]],
    [": following\n\ndata: a\r\n\r\n: waiting\n\n", [{ event: "message", id: null, data: "a" }]],
    ["data\n\n", [{ event: "message", id: null, data: "" }]],
    ["event: step\n\n", []],
    ["data: cut off", []],
    ["data: cut off\n", []],
  ])("of %j contains %j", async (text, messages) => {
    expect(await read([text])).toEqual(messages);
  });

  it("is parsed the same wherever its chunks end, even within a character", async () => {
    const message = fc.record({ data: fc.string({ unit: "grapheme" }).map((text) => text.replace(/[\r\n]/g, "")) });
    await fc.assert(
      fc.asyncProperty(fc.array(message), fc.array(fc.nat(40), { minLength: 1 }), async (messages, sizes) => {
        const bytes = Buffer.from(messages.map(({ data }, index) => `id: ${index}\ndata: ${data}\n\n`).join(""));
        const chunks: Uint8Array[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const size = 1 + (sizes[turn % sizes.length] ?? 0);
          chunks.push(bytes.subarray(at, at + size));
          at += size;
        }
        expect((await read(chunks)).map(({ data }) => data)).toEqual(messages.map(({ data }) => data));
      }),
    );
  });
});
