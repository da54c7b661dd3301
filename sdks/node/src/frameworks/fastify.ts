import type { IncomingRequest } from "../core/request-context.ts";
import { readProperty } from "../runtime/read-property.ts";
import { recordRouteError } from "./route-failure.ts";
import { serveRequest } from "./serve-request.ts";

/** The part of a Fastify request that the client uses, in versions 4 and 5. */
export interface FastifyRequest {
  readonly raw: IncomingRequest;
  readonly routeOptions?: { readonly url?: string | undefined };
}

export type { IncomingRequest };

type Done = (error?: Error) => void;
type RequestHook = (request: FastifyRequest, reply: unknown, done: Done) => void;
type ErrorHook = (request: FastifyRequest, reply: unknown, error: Error, done: () => void) => void;

/** The part of a Fastify instance that the client uses. */
export interface FastifyInstance {
  addHook(name: "onRequest", hook: RequestHook): unknown;
  addHook(name: "preValidation", hook: RequestHook): unknown;
  addHook(name: "onError", hook: ErrorHook): unknown;
}

/**
 * `app.register(whenceFastify)`, before the routes: ties what a request records to that request, and records route
 * errors. Applies to the instance it is registered on and to children registered after it.
 */
export function whenceFastify(app: FastifyInstance, _options: unknown, done: Done): void {
  serveFastify(app);
  app.addHook("onError", (request, reply, error, next) => {
    recordRouteError("fastify", error, request.raw, readProperty(reply, "statusCode"));
    next();
  });
  done();
}

// Set as `fastify-plugin` would, without the dependency: no encapsulation, and a name for messages.
Object.assign(whenceFastify, {
  [Symbol.for("skip-override")]: true,
  [Symbol.for("fastify.display-name")]: "@whence/node/fastify",
  [Symbol.for("plugin-meta")]: { name: "@whence/node/fastify", fastify: ">=4" },
});

/** Runs the hooks and routes of an instance as part of the request that they serve. */
export function serveFastify(app: Pick<FastifyInstance, "addHook">): void {
  app.addHook("onRequest", enter);
  // A body is read in the socket's context, so the handler must be returned to the request's.
  app.addHook("preValidation", enter);
}

const enter: RequestHook = (request, _reply, done) => serveRequest(request.raw, () => request.routeOptions?.url, done);
