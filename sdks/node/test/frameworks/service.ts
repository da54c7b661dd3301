import { createServer, type RequestListener, type Server } from "node:http";
import { Readable } from "node:stream";
import { addBreadcrumb, captureException } from "../../src/index.ts";
import { closeServer, listen } from "../gateway.ts";

/** A service under test, with the same routes in each framework. */
export interface Service {
  readonly base: string;
  /** What the program's own error handler, or log, received, in order. */
  readonly told: string[];
  close(): Promise<void>;
}

/**
 * A framework, and a service made with it:
 *
 * - `POST /api/orders/:id` fails after a while; `/api` is a mounted router where the framework has one
 * - `GET /fine` responds, `GET /captured` fails with an error that it has captured
 * - `GET /wrong` fails with the framework's own error of status 418, `GET /unavailable` with that of status 503
 * - `GET /stream` fails after its headers are sent, `GET /hang` never responds, `GET /text` throws a string
 */
export interface Framework {
  readonly name: string;
  /** The mechanism of its events. */
  readonly mechanism: string;
  /** Starts it with or without the client. */
  start(whence: boolean): Promise<Service>;
}

/** Implements the route for orders: two breadcrumbs with a pause between them, then a failure. */
export async function placeOrder(id: string): Promise<never> {
  addBreadcrumb({ category: "order", message: id });
  await pause();
  addBreadcrumb({ category: "stock", message: id });
  await pause();
  throw new Error(`no stock of ${id}`);
}

/** Returns an error that the route itself has captured. */
export function captured(): Error {
  const error = new Error("captured before");
  captureException(error);
  return error;
}

/** Returns a body that breaks off. */
export function brokenStream(): Readable {
  return Readable.from(
    (async function* () {
      yield "first";
      await pause();
      throw new Error("the stream broke");
    })(),
    // hapi accepts no other.
    { objectMode: false },
  );
}

/** Starts a listener as a service on a port. */
export async function serviceOf(listener: RequestListener, told: string[]): Promise<Service> {
  const server: Server = createServer(listener);
  const base = `http://127.0.0.1:${await listen(server)}`;
  return { base, told, close: () => closeServer(server) };
}

/** Waits for another turn of the event loop, with a timer. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 1);
  });
}
