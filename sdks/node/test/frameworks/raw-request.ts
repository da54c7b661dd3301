import { Agent, type IncomingMessage, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/** A response as a client sees it, without what varies. */
export interface RawAnswer {
  readonly status: number;
  /** Names and values, alternating, as sent. */
  readonly headers: readonly string[];
  readonly body: string;
  /** Whether the body broke off. */
  readonly aborted: boolean;
}

/** Sends one request; with an agent, over a kept-alive connection. */
export function ask(url: string, { method = "GET", headers = {}, body = "", agent }: Asked = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: agent ?? new Agent() }, (response) => {
      readAnswer(response).then(resolve, reject);
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Sends a request and disconnects so many milliseconds later, or once a promise resolves, answered or not. */
export function hangUp(url: string, after: number | Promise<void>, method = "GET"): Promise<void> {
  return new Promise((resolve) => {
    const headers = method === "GET" ? {} : { "content-type": "application/json", "content-length": "100" };
    const outgoing = request(url, { method, headers, agent: new Agent() }, (response) => response.resume());
    outgoing.on("error", () => undefined);
    outgoing.on("close", resolve);
    // A request with a body stays incomplete.
    if (method === "GET") outgoing.end();
    else outgoing.write('{"half":');
    void (typeof after === "number" ? delay(after) : after).then(() => outgoing.destroy());
  });
}

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly agent?: Agent;
}

async function readAnswer(response: IncomingMessage): Promise<RawAnswer> {
  let body = "";
  let aborted = false;
  try {
    for await (const chunk of response) body += String(chunk);
  } catch {
    aborted = true;
  }
  return { status: response.statusCode ?? 0, headers: withoutDate(response.rawHeaders), body, aborted };
}

function withoutDate(rawHeaders: readonly string[]): string[] {
  return rawHeaders.flatMap((name, index) =>
    index % 2 === 0 && name.toLowerCase() !== "date" ? [name, rawHeaders[index + 1] ?? ""] : [],
  );
}
