import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Topology } from "./topology.ts";

/** How something that a system depends on is today. */
export type Mood =
  | "well"
  | "slow"
  | "failing"
  | "refusing"
  | "limiting"
  | "page"
  | "without-field"
  | "text-field"
  | "resetting"
  | "strained"
  | "bad-rows";

const slowMs = 20_000;
/** Above it, a third party refuses. */
const requestsPerSecondMax = 40;
const badIdShare = 4;
/** What a query takes a strained database, times the square of the queries under way. */
const strainMs = 6;

/** Everything that a system depends on: its databases, and third parties, which report nothing. */
export class World {
  readonly #moods = new Map<string, Mood>();

  /** Opens the servers; each says by `answersAs` what it is. Runs in a process of its own. */
  open({ parties, services }: Topology): void {
    for (const { name, fields } of parties) this.#openParty(name, fields);
    for (const { database } of services) if (database) this.#openDatabase(database.host);
  }

  /** From now on the party or the database is in that mood. */
  turn(name: string, mood: Mood): void {
    this.#moods.set(name, mood);
  }

  #openParty(name: string, fields: readonly string[]): void {
    let recent: number[] = [];
    const server = createHttpServer((request, response) => {
      recent = [...recent.filter((at) => at > Date.now() - 1_000), Date.now()];
      const mood = recent.length > requestsPerSecondMax ? "limiting" : (this.#moods.get(name) ?? "well");
      answerAsParty(request, response, mood, fields).catch(() => response.destroy());
    });
    Object.assign(server, { answersAs: name, maxRequestsPerSocket: 1 });
    server.listen(0, "127.0.0.1");
  }

  #openDatabase(host: string): void {
    let underWay = 0;
    const server = createServer((socket) => {
      socket.setEncoding("utf8");
      socket.once("data", async (line: unknown) => {
        const mood = this.#moods.get(host) ?? "well";
        underWay++;
        if (mood === "strained") await delay(strainMs * underWay ** 2);
        await answerAsDatabase(socket, String(line), mood);
        underWay--;
      });
    });
    Object.assign(server, { answersAs: host });
    server.listen(0, "127.0.0.1");
  }
}

async function answerAsParty(
  request: IncomingMessage,
  response: ServerResponse,
  mood: Mood,
  fields: readonly string[],
): Promise<void> {
  let text = "";
  for await (const part of request) text += part;
  if (mood === "slow") await delay(slowMs);
  if (mood === "resetting") {
    request.socket.resetAndDestroy();
    return;
  }
  if (mood === "page") {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><html><h1>Back soon</h1></html>");
    return;
  }
  const { authorization = "" } = request.headers;
  if (mood === "refusing" || !authorization.startsWith("Bearer tok_"))
    return say(response, 401, { error: "invalid_token", detail: "the token is unknown or was revoked" });
  if (mood === "limiting") return say(response, 429, { error: "too many requests" });
  if (mood === "failing") return say(response, 503, { error: "temporarily unavailable" });
  const { id } = JSON.parse(text);
  if (id === undefined) return say(response, 422, { error: "id is required" });
  const shown = fields.map((field, index) => {
    const value = mood === "text-field" ? `${10 + index},00` : 10 + index;
    return [field, { value, unit: "units" }] as const;
  });
  say(response, 200, { id, ...Object.fromEntries(mood === "without-field" ? [] : shown) });
}

function say(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** What a database that refuses says. */
const refusals: Partial<Record<Mood, { readonly error: string; readonly code: string }>> = {
  refusing: { error: 'password authentication failed for user "app"', code: "28P01" },
  failing: { error: "the database system is in recovery mode", code: "57P03" },
  limiting: { error: "sorry, too many clients already", code: "53300" },
};

async function answerAsDatabase(socket: Socket, line: string, mood: Mood): Promise<void> {
  const [password = "", kind = "", id = ""] = line.trim().split(" ");
  if (mood === "slow") await delay(slowMs);
  if (mood === "resetting") {
    socket.resetAndDestroy();
    return;
  }
  const refusal = refusals[password.startsWith("pw_") ? mood : "refusing"];
  const isBad = mood === "bad-rows" && Number(id.replaceAll(/\D/g, "")) % badIdShare === 0;
  const row = { kind, id, factor: 2, size: isBad ? null : { value: 3 }, parts: [1, 2, 3] };
  socket.end(JSON.stringify(refusal ?? row));
}
