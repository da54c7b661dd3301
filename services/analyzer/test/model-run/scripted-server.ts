import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

interface ToolUse {
  readonly call: string;
  readonly input: unknown;
}

/** What the scripted model does when it is asked. */
export type Turn =
  | ToolUse
  /** Calls several tools at once. */
  | { readonly calls: readonly ToolUse[] }
  | { readonly text: string }
  | { readonly status: number }
  /** Declines: Anthropic's server as it was recorded. */
  | { readonly declines: true }
  /** Events as they are sent, whatever they are. */
  | { readonly events: readonly string[] }
  /** Begins to answer, and ends the connection. */
  | { readonly cut: string }
  | { readonly slowMs: number };

export type Script = (asked: { readonly request: number; readonly body: string }) => Turn;
export type Wire = "openai-compatible" | "anthropic";

/** A server on this machine that speaks a provider's streaming wire format. */
export interface ScriptedServer {
  /** Without a path. */
  readonly url: string;
  /** The bodies of the requests so far. */
  readonly requests: string[];
  close(): Promise<void>;
}

const recordedRefusal: string = join(import.meta.dirname, "recorded/anthropic-refusal.chunks.txt");
/** Providers ask for a time before the next try, else the client waits for two seconds. */
const retryAtOnce = { "retry-after-ms": "0" };
const chunkHead = { id: "c1", object: "chat.completion.chunk", created: 1_770_772_293, model: "scripted" };

/** Starts a server whose model does what a script says. */
export async function startScriptedServer(
  wire: Wire,
  script: (...asked: Parameters<Script>) => Turn | Promise<Turn>,
): Promise<ScriptedServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => void answer(request, response));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    requests.push(body);
    await reply(wire, response, await script({ request: turnsIn(body), body }));
  };
  const port = await listening(server);
  return {
    ...{ url: `http://127.0.0.1:${port}`, requests },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** How many answers the model has given in this conversation. */
function turnsIn(body: string): number {
  return body.split('"role":"assistant"').length - 1;
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (address !== null && typeof address === "object") resolve(address.port);
      else reject(new Error("the provider has no port"));
    });
  });
}

async function reply(wire: Wire, response: ServerResponse, turn: Turn): Promise<void> {
  if ("status" in turn) {
    response.writeHead(turn.status, { "content-type": "application/json", ...retryAtOnce });
    response.end(JSON.stringify({ type: "error", error: { type: "api_error", message: "scripted" } }));
    return;
  }
  if ("slowMs" in turn) await delay(turn.slowMs, undefined, { ref: false });
  response.writeHead(200, { "content-type": "text/event-stream" });
  if ("events" in turn || "declines" in turn) {
    for (const event of "events" in turn ? turn.events : refusalOf(wire)) response.write(framed(wire, event));
    response.end();
    return;
  }
  if ("cut" in turn) {
    response.write(turn.cut);
    response.destroy();
    return;
  }
  const events = wire === "anthropic" ? anthropicEvents(turn) : openAiEvents(turn);
  for (const event of events) response.write(framed(wire, JSON.stringify(event)));
  if (wire !== "anthropic") response.write("data: [DONE]\n\n");
  response.end();
}

function refusalOf(wire: Wire): readonly string[] {
  if (wire === "anthropic") return readFileSync(recordedRefusal, "utf8").trim().split("\n");
  const choices = [{ index: 0, delta: {}, finish_reason: "content_filter" }];
  return [JSON.stringify({ ...chunkHead, choices }), "[DONE]"];
}

function framed(wire: Wire, event: string): string {
  const type = /"type":"(\w+)"/.exec(event)?.[1];
  return wire === "anthropic" && type ? `event: ${type}\ndata: ${event}\n\n` : `data: ${event}\n\n`;
}

type Said = Extract<
  Turn,
  ToolUse | { readonly calls: unknown } | { readonly text: string } | { readonly slowMs: number }
>;

function usesIn(turn: Said): readonly ToolUse[] {
  if ("calls" in turn) return turn.calls;
  return "call" in turn ? [turn] : [];
}

/** Arguments arrive in pieces. */
function pieces(input: unknown): readonly string[] {
  return JSON.stringify(input).match(/[\s\S]{1,40}/g) ?? [];
}

function openAiEvents(turn: Said): readonly object[] {
  const chunk = (delta: object, finish: string | null = null) => ({
    ...chunkHead,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const usage = {
    ...{ ...chunkHead, choices: [] },
    usage: { prompt_tokens: 300, completion_tokens: 20, total_tokens: 320 },
  };
  const uses = usesIn(turn);
  if (uses.length === 0)
    return [chunk({ role: "assistant", content: "text" in turn ? turn.text : "" }), chunk({}, "stop"), usage];
  return [
    chunk({ role: "assistant", content: null }),
    ...uses.flatMap(({ call: name, input }, index) => [
      chunk({
        tool_calls: [{ index, id: `call_${name}_${index}`, type: "function", function: { name, arguments: "" } }],
      }),
      ...pieces(input).map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] })),
    ]),
    chunk({}, "tool_calls"),
    usage,
  ];
}

function anthropicEvents(turn: Said): readonly object[] {
  const message = { id: "msg_1", type: "message", role: "assistant", model: "scripted", content: [] };
  const usage = { input_tokens: 300, output_tokens: 1 };
  const uses = usesIn(turn);
  const isCall = uses.length > 0;
  const blocks = isCall
    ? uses.map(({ call: name, input }, index) => ({
        block: { type: "tool_use", id: `toolu_${name}_${index}`, name, input: {} },
        deltas: pieces(input).map((part) => ({ type: "input_json_delta", partial_json: part })),
      }))
    : [
        {
          block: { type: "text", text: "" },
          deltas: [{ type: "text_delta", text: "text" in turn ? turn.text : "" }],
        },
      ];
  return [
    { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null, usage } },
    ...blocks.flatMap(({ block, deltas }, index) => [
      { type: "content_block_start", index, content_block: block },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    {
      type: "message_delta",
      delta: { stop_reason: isCall ? "tool_use" : "end_turn", stop_sequence: null },
      usage: { output_tokens: 20 },
    },
    { type: "message_stop" },
  ];
}
