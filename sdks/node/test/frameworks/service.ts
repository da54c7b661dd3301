import { createServer, type RequestListener, type Server } from "node:http";
import { Readable } from "node:stream";
import { addBreadcrumb, captureException } from "../../src/index.ts";
import { closeServer, listen } from "../gateway.ts";

/** A service under test: the same routes in each framework. */
export interface Service {
  readonly base: string;
  /** What the program's own error handler, or log, was told, in order. */
  readonly told: string[];
  close(): Promise<void>;
}

/**
 * A framework, and a service made with it:
 *
 * - `POST /api/orders/:id` fails after a while; `/api` is a mounted router where the framework has such a thing
 * - `GET /fine` answers, `GET /captured` fails with an error that it has captured
 * - `GET /wrong` fails with the framework's own error of status 418, `GET /unavailable` with that of status 503
 * - `GET /stream` fails after its head is sent, `GET /hang` never answers, `GET /text` throws a text
 */
export interface Framework {
  readonly name: string;
  /** The mechanism of its events. */
  readonly mechanism: string;
  /** With or without the client's part in it. */
  start(whence: boolean): Promise<Service>;
}

/** What the route for orders does: two breadcrumbs with a pause between them, then a failure. */
export async function placeOrder(id: string): Promise<never> {
  addBreadcrumb({ category: "order", message: id });
  await pause();
  addBreadcrumb({ category: "stock", message: id });
  await pause();
  throw new Error(`no stock of ${id}`);
}

/** An error that the route itself has captured. */
export function captured(): Error {
  const error = new Error("captured before");
  captureException(error);
  return error;
}

/** A body that breaks off. */
export function brokenStream(): Readable {
  return Readable.from(
    (async function* () {
      yield "first";
      await pause();
      throw new Error("the stream broke");
    })(),
    // hapi takes no other.
    { objectMode: false },
  );
}

/** A listener as a service on a port of its own. */
export async function serviceOf(listener: RequestListener, told: string[]): Promise<Service> {
  const server: Server = createServer(listener);
  const base = `http://127.0.0.1:${await listen(server)}`;
  return { base, told, close: () => closeServer(server) };
}

/** Another turn of the event loop, by way of a timer. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 1);
  });
}
