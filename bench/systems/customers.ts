import { request } from "node:http";
import type { Choice } from "./choice.ts";
import type { Conductor } from "./machines/conductor.ts";
import type { RunningSystem } from "./running-system.ts";
import type { Topology } from "./topology.ts";

/** What customers ask for; each kind but the ordinary one is refused by the entry. */
export type Asking = "ordinary" | "text-quantity" | "without-id";

/** People who use a system: a steady stream of requests to its entry. */
export class Customers {
  readonly #topology: Topology;
  readonly #system: RunningSystem;
  readonly #conductor: Conductor;
  readonly #choice: Choice;
  #asked = 0;
  /** From now on, how often customers ask for something odd, and for what. */
  habit: { readonly asking: Asking; readonly share: number } = { asking: "ordinary", share: 0 };

  constructor(topology: Topology, system: RunningSystem, conductor: Conductor, choice: Choice) {
    this.#topology = topology;
    this.#system = system;
    this.#conductor = conductor;
    this.#choice = choice;
  }

  /** Plans requests over a span, that many a minute on average. */
  plan(from: number, to: number, perMinute: number): void {
    const meanMs = 60_000 / perMinute;
    for (let at = from + this.#pauseMs(meanMs); at < to; at += this.#pauseMs(meanMs))
      this.#conductor.plan(at, () => this.#ask());
  }

  /** Plans that many requests at once. */
  rush(at: number, count: number): void {
    for (let request = 0; request < count; request++)
      this.#conductor.plan(at + this.#choice.between(0, 400), () => this.#ask());
  }

  #pauseMs(meanMs: number): number {
    return Math.max(1, -Math.log(1 - this.#choice.share()) * meanMs);
  }

  #ask(): void {
    const { asking, share } = this.habit;
    const isOdd = this.#choice.chance(share);
    void this.#send(isOdd ? asking : "ordinary");
  }

  async #send(asking: Asking): Promise<void> {
    const [entry] = this.#topology.services;
    const turn = this.#asked++;
    const port = entry ? this.#system.portOf(entry.name, turn) : null;
    if (!entry || port === null) return;
    const quantity = asking === "text-quantity" ? "2" : this.#choice.between(1, 5);
    const id = asking === "without-id" ? undefined : `${entry.noun}-${this.#choice.between(1, 999)}`;
    const body = JSON.stringify({ id, quantity });
    const headers = { "content-type": "application/json", host: `${entry.name}:${entry.port}` };
    await new Promise<void>((resolve) => {
      const options = { host: "127.0.0.1", port, path: `/${entry.noun}`, method: "POST", headers, agent: false };
      const call = request(options, (response) => response.resume().once("close", resolve));
      call.once("error", () => resolve());
      call.once("close", () => resolve());
      call.end(body);
    });
  }
}
