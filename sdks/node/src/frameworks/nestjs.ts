import { currentClient } from "../core/current-client.ts";
import { readProperty } from "../runtime/read-property.ts";
import { isClientError } from "./client-error.ts";
import { type ExpressRequest, whenceRequests } from "./express.ts";
import { type FastifyInstance, serveFastify } from "./fastify.ts";
import { serveMessages } from "./nest-messages.ts";
import { passOver, recordFailure } from "./route-failure.ts";

/** What the client needs of a Nest application, version 11 and newer. */
export interface NestApplication {
  getHttpAdapter(): { getType(): string; getInstance(): unknown };
  use(...middleware: unknown[]): unknown;
  useGlobalFilters(...filters: { catch(exception: unknown): void }[]): unknown;
}

/** What the client needs of a Nest microservice. */
export type NestMicroservice = Pick<NestApplication, "useGlobalFilters">;

export { whenceLogger } from "./nest-logger.ts";
export type { ExpressRequest };

/** Under which `@Catch()` writes what a filter is for. */
const catchMetadata = "__filterCatchExceptions__";
/** What Nest says in a microservice when a guard lets a message not pass. */
const forbidden = "Forbidden resource";

/**
 * `whenceNest(app)`, after the program's own global filters and before `app.listen`: ties what a request, or a message
 * of a microservice, records to it, and records errors of guards, pipes, interceptors and handlers, unless a filter for
 * that kind of error, or one of the controller, has handled them.
 */
export function whenceNest(app: NestApplication | NestMicroservice): void {
  if ("getHttpAdapter" in app) {
    const adapter = app.getHttpAdapter();
    // On Fastify, too: there middleware runs before the hooks, which know the route.
    app.use(whenceRequests());
    if (adapter.getType() === "fastify") serveFastify(adapter.getInstance() as FastifyInstance);
  } else {
    serveMessages(app);
  }
  const filter = bystander();
  if (filter) app.useGlobalFilters(filter);
}

/**
 * A filter that is asked whether an exception is for it, records it, and says no: the next filter, or Nest itself,
 * answers as if there were none. Nest asks by `instanceof`.
 */
function bystander(): Filter | undefined {
  const define = readProperty(Reflect, "defineMetadata");
  // Without metadata, Nest would treat the filter as one that catches everything. Nest itself loads reflect-metadata.
  if (typeof define !== "function") return undefined;
  define.call(Reflect, catchMetadata, [observed], Filter);
  return new Filter();
}

class Filter {
  /** Never called: nothing is an instance of {@link observed}. */
  catch(exception: unknown): void {
    throw exception;
  }
}

/** Stands where Nest expects a class: `instanceof` asks it. */
const observed = {
  [Symbol.hasInstance](exception: unknown): boolean {
    const incoming = currentClient()?.requests.current()?.incoming;
    if (isAnswer(exception)) passOver(exception, incoming);
    else recordFailure("nestjs", exception, incoming);
    return false;
  },
};

/**
 * Whether Nest would answer this exception with a status from 400 to 499; other errors' `status` means nothing to it. A
 * microservice has no status: what it answers with may name one.
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
