import { setTimeout as delay } from "node:timers/promises";
import { config } from "./config.ts";
import { ConnectionPool } from "./connection-pool.ts";

export interface Order {
  readonly id: string;
  readonly sku: string;
  readonly quantity: number;
  readonly paymentId: string;
}

const stock = new Map([
  ["beans", 5_000],
  ["decaf", 5_000],
  ["filter-papers", 20_000],
  ["kettle", 2_000],
  ["grinder", 2_000],
  ["espresso-machine", 0],
]);
const orders = new Map<string, Order>();
const roundTripMs = 2;

/** One session with the database, which is a few maps in memory here. */
export class Connection {
  async stockOf(sku: string): Promise<number> {
    await delay(roundTripMs);
    return stock.get(sku) ?? 0;
  }

  async takeFromStock(sku: string, quantity: number): Promise<void> {
    await delay(roundTripMs);
    stock.set(sku, (stock.get(sku) ?? 0) - quantity);
  }

  async insertOrder(order: Order): Promise<void> {
    await delay(roundTripMs);
    orders.set(order.id, order);
  }

  async findOrder(id: string): Promise<Order | undefined> {
    await delay(roundTripMs);
    return orders.get(id);
  }
}

const connections = Array.from({ length: config.poolSize }, () => new Connection());

/** A connection is released by the code that acquired it. */
export const pool: ConnectionPool<Connection> = new ConnectionPool(connections, config.acquireTimeoutMs);
