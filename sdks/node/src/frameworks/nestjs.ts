import { currentClient } from "../core/current-client.ts";
import { readProperty } from "../runtime/read-property.ts";
import { isClientError } from "./client-error.ts";
import { type ExpressRequest, whenceRequests } from "./express.ts";
import { type FastifyInstance, serveFastify } from "./fastify.ts";
import { serveMessages } from "./nest-messages.ts";
import { passOver, recordFailure } from "./route-failure.ts";

/** The part of a Nest application that the client uses, from version 11. */
export interface NestApplication {
  getHttpAdapter(): { getType(): string; getInstance(): unknown };
  use(...middleware: unknown[]): unknown;
  useGlobalFilters(...filters: { catch(exception: unknown): void }[]): unknown;
}

/** The part of a Nest microservice that the client uses. */
export type NestMicroservice = Pick<NestApplication, "useGlobalFilters">;

export { whenceLogger } from "./nest-logger.ts";
export type { ExpressRequest };

/** The metadata key under which `@Catch()` stores a filter's exceptions. */
const catchMetadata = "__filterCatchExceptions__";
/** Nest's message in a microservice when a guard rejects a message. */
const forbidden = "Forbidden resource";

/**
 * Ties what a request, or a microservice's message, records to it, and records errors of guards, pipes, interceptors,
 * and handlers, unless a filter for that kind of error, or one of the controller, has handled them. Call
 * `whenceNest(app)` after adding the program's own global filters and before `app.listen`.
 */
export function whenceNest(app: NestApplication | NestMicroservice): void {
  if ("getHttpAdapter" in app) {
    const adapter = app.getHttpAdapter();
    // Also on Fastify: middleware runs there before the hooks, which know the route.
    app.use(whenceRequests());
    if (adapter.getType() === "fastify") serveFastify(adapter.getInstance() as FastifyInstance);
  } else {
    serveMessages(app);
  }
  const filter = bystander();
  if (filter) app.useGlobalFilters(filter);
}

/**
 * Returns a filter that is asked whether an exception is for it, records it, and declines, so that the next filter, or
 * Nest itself, responds as before. Nest asks with `instanceof`.
 */
function bystander(): Filter | undefined {
  const define = readProperty(Reflect, "defineMetadata");
  // Without metadata, Nest would treat the filter as one that catches everything. Nest itself loads reflect-metadata.
  if (typeof define !== "function") return undefined;
  define.call(Reflect, catchMetadata, [observed], Filter);
  return new Filter();
}

class Filter {
  /** Never called, since nothing is an instance of {@link observed}. */
  catch(exception: unknown): void {
    throw exception;
  }
}

/** Stands in for a class, so that `instanceof` calls it. */
const observed = {
  [Symbol.hasInstance](exception: unknown): boolean {
    const incoming = currentClient()?.requests.current()?.incoming;
    if (isAnswer(exception)) passOver(exception, incoming);
    else recordFailure("nestjs", exception, incoming);
    return false;
  },
};

/**
 * Whether Nest would answer this exception with a status from 400 to 499; it ignores the `status` of other errors. A
 * microservice has no status, but its response may contain one.
 */
function isAnswer(exception: unknown): boolean {
  if (typeof readProperty(exception, "getError") === "function") {
    const answer = readProperty(exception, "error");
    return answer === forbidden || isClientError(answer);
  }
  const isHttpException = typeof readProperty(exception, "getStatus") === "function";
  const status = readProperty(exception, isHttpException ? "status" : "statusCode");
  return typeof status === "number" && status >= 400 && status < 500;
}
