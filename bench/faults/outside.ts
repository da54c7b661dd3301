import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../../test/servers/free-port.ts";

/** The third parties that the shop depends on. */
export const parties = ["acquirer", "carrier"] as const;
export type Party = (typeof parties)[number];
/** The current behavior of a third party. */
export type Mood = "well" | "slow" | "revoked" | "limiting" | "error-page" | "other-dates" | "other-encoding";

const slowMs = 7_000;
/** Labels per second above which the carrier rejects requests. */
const labelsPerSecond = 15;
const errorPage =
  "<!doctype html><html><head><title>Service Notice</title></head><body><h1>Planned works</h1></body></html>";

/** The acquirer and the carrier of one shop, which know nothing about Whence. */
export class Outside implements AsyncDisposable {
  readonly #server: Server;
  readonly #moods = new Map<Party, Mood>();
  readonly port: number;
  #labels: number[] = [];

  private constructor(port: number) {
    this.port = port;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  static async open(): Promise<Outside> {
    const outside = new Outside(await freePort());
    outside.#server.listen(outside.port, "127.0.0.1");
    await once(outside.#server, "listening");
    return outside;
  }

  /** Changes the party's behavior. */
  turn(party: Party, mood: Mood): void {
    this.#moods.set(party, mood);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await text(request);
    const party: Party = request.url === "/charges" ? "acquirer" : "carrier";
    const mood = this.#moods.get(party) ?? "well";
    if (mood === "slow") await delay(slowMs);
    if (mood === "revoked") return say(response, 401, { error: "invalid_token", detail: "the token was revoked" });
    if (mood === "limiting" || (party === "carrier" && this.#isTooMuch()))
      return say(response, 429, { error: "too many requests" });
    if (mood === "error-page") {
      response.writeHead(200, { "content-type": "text/html" }).end(errorPage);
      return;
    }
    if (party === "acquirer") return say(response, 201, { status: "captured" });
    const label = {
      tracking: `TR${Math.floor(performance.now() * 1_000)}`,
      arrives: mood === "other-dates" ? "06.05.2031 um 12:00 Uhr" : "2031-05-06T12:00:00+02:00",
      depot: "Köln-Süd",
    };
    say(response, 201, label, mood === "other-encoding" ? "latin1" : "utf8");
  }

  #isTooMuch(): boolean {
    const now = Date.now();
    this.#labels = [...this.#labels.filter((at) => now - at < 1_000), now];
    return this.#labels.length > labelsPerSecond;
  }
}

function say(response: ServerResponse, status: number, body: object, encoding: BufferEncoding = "utf8"): void {
  response.writeHead(status, { "content-type": "application/json" }).end(Buffer.from(JSON.stringify(body), encoding));
}
