import { setTimeout as delay } from "node:timers/promises";

/** Things that customers do from the fault on; each is allowed, and rare otherwise. */
export type Habit = "wants-what-is-sold-out" | "has-an-old-cookie" | "leaves-out-the-postcode";

const flowIntervalMs = 220;
const answerDeadlineMs = 20_000;
const inFlightMax = 40;
const ordersKept = 20;
/** The share of flows that show a habit once customers have it. */
const habitShare = 0.2;

const searches = ["", "beans", "grinder", "long neck", "filter", "tea"];
const goods = ["beans", "decaf", "filter-papers", "kettle", "grinder"];
const towns = ["Berlin", "Z%C3%BCrich", "Graz"];
const people = [
  { name: "Ida Holm", postcode: "10 115", city: "Berlin" },
  { name: "Jo Marsh", postcode: "8001", city: "Zürich" },
  { name: "Ana Ruiz", postcode: "50667", city: "Köln" },
];

/** Simulated customers: a steady mix of actions, the same for the same seed. */
export class Customers {
  readonly #shopUrl: string;
  readonly #random: () => number;
  readonly #intervalMs: number;
  readonly #habits = new Set<Habit>();
  #orders: string[] = [];
  #inFlight = 0;
  #isPaused = false;

  constructor(shopUrl: string, random: () => number, intervalMs = flowIntervalMs) {
    this.#shopUrl = shopUrl;
    this.#random = random;
    this.#intervalMs = intervalMs;
  }

  /** Starts flows until `signal` is aborted. */
  start(signal: AbortSignal): void {
    const timer = setInterval(() => {
      if (this.#isPaused || this.#inFlight >= inFlightMax) return;
      this.#inFlight += 1;
      // Errors that a customer gets are expected; the telemetry reports them.
      this.#flow(signal)
        .catch(() => undefined)
        .finally(() => {
          this.#inFlight -= 1;
        });
    }, this.#intervalMs);
    signal.addEventListener("abort", () => clearInterval(timer));
  }

  adopt(habit: Habit): void {
    this.#habits.add(habit);
  }

  /** Pauses customers, as a load balancer does, while a service restarts and loses the orders in its memory. */
  async heldBack(work: () => Promise<void>): Promise<void> {
    this.#isPaused = true;
    for (const until = Date.now() + 3_000; this.#inFlight > 0 && Date.now() < until; ) await delay(20);
    await work();
    this.#orders = [];
    this.#isPaused = false;
  }

  async #flow(signal: AbortSignal): Promise<void> {
    if (this.#habits.size > 0 && this.#random() < habitShare) return this.#showHabit(signal);
    const choice = this.#random();
    if (choice < 0.3) return this.#browse(this.#pick(towns), signal);
    if (choice < 0.75) return this.#buyAndLook(signal);
    const order = this.#orders[Math.floor(this.#random() * this.#orders.length)];
    if (order === undefined) return this.#buyAndLook(signal);
    if (choice < 0.87) await this.#ask("GET", `/orders/${order}/receipt`, signal);
    else await this.#giveBack(order, signal);
  }

  async #showHabit(signal: AbortSignal): Promise<void> {
    if (this.#habits.has("has-an-old-cookie")) return this.#browse("M%FCnchen", signal);
    if (this.#habits.has("wants-what-is-sold-out")) {
      await this.#ask("POST", "/checkout", signal, { sku: "espresso-machine", quantity: 1 });
      return;
    }
    const address = { name: "Kim Weber", city: "Bonn" };
    await this.#ask("POST", "/checkout", signal, { sku: "beans", quantity: 1, address });
  }

  async #browse(town: string, signal: AbortSignal): Promise<void> {
    const page = this.#random() < 0.8 ? 1 : 2;
    const query = new URLSearchParams({ q: this.#pick(searches), page: String(page) });
    await this.#ask("GET", `/products?${query}`, signal, undefined, { cookie: `theme=dark; town=${town}` });
  }

  async #buyAndLook(signal: AbortSignal): Promise<void> {
    const wanted = {
      sku: this.#pick(goods),
      quantity: 1 + Math.floor(this.#random() * 3),
      ...(this.#random() < 0.7 && { address: this.#pick(people) }),
    };
    const looksAtParcel = this.#random() < 0.4;
    const answer = await this.#ask("POST", "/checkout", signal, wanted);
    if (answer === undefined) return;
    const { order_id: order = "" } = JSON.parse(answer);
    this.#orders = [...this.#orders, String(order)].slice(-ordersKept);
    await this.#ask("GET", `/orders/${order}`, signal);
    if (looksAtParcel && wanted.address) await this.#ask("GET", `/orders/${order}/parcel`, signal);
  }

  /** Requests a refund; some customers click twice. */
  async #giveBack(order: string, signal: AbortSignal): Promise<void> {
    this.#orders = this.#orders.filter((other) => other !== order);
    const clicks = this.#random() < 0.4 ? 2 : 1;
    await Promise.all(Array.from({ length: clicks }, () => this.#ask("POST", `/orders/${order}/refund`, signal)));
  }

  /** Returns the body of a success; undefined for anything else. */
  async #ask(
    method: string,
    path: string,
    signal: AbortSignal,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<string | undefined> {
    const response = await fetch(this.#shopUrl + path, {
      method,
      headers: { ...headers, ...(body && { "content-type": "application/json" }) },
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerDeadlineMs)]),
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return response.ok ? text : undefined;
  }

  #pick<Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item {
    const item = items[Math.floor(this.#random() * items.length)];
    if (item === undefined) throw new Error("there is nothing to pick from");
    return item;
  }
}
