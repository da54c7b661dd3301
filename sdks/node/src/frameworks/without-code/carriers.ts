import { isObject } from "../../runtime/is-object.ts";
import { asText, readProperty } from "../../runtime/read-property.ts";
import { honoRoute, type RoutedHonoRequest } from "../hono-route.ts";
import { koaRoute, type RoutedKoaContext } from "../koa-route.ts";

/** A framework that is watched without code changes. */
export type Framework = "express" | "koa" | "fastify" | "hono" | "nestjs";

/** What a framework's object says about the current request. */
interface Carried {
  /** Node's own request. */
  readonly incoming: object | undefined;
  /** Returns the pattern of the route, where the client doesn't know it already. */
  readonly route?: () => string | undefined;
}

/** Functions that read the object which each framework passes around. */
export const carriers: Readonly<Record<Framework, (carrier: unknown) => Carried>> = {
  express: (request) => ({ incoming: objectIn(request) }),
  koa: (context) => ({
    incoming: objectIn(readProperty(context, "req")),
    route: () => koaRoute(context as RoutedKoaContext),
  }),
  fastify: (reply) => inFastify(readProperty(reply, "request")),
  // The host's arguments begin with the request of the framework below it.
  nestjs(host) {
    const request = readProperty(readProperty(host, "args"), 0);
    return readProperty(request, "raw") === undefined ? { incoming: objectIn(request) } : inFastify(request);
  },
  hono: (context) => ({
    incoming: objectIn(readProperty(readProperty(context, "env"), "incoming")),
    route: () => honoRoute(readProperty(context, "req") as RoutedHonoRequest),
  }),
};

function inFastify(request: unknown): Carried {
  const route = (): string => asText(readProperty(readProperty(request, "routeOptions"), "url"));
  return { incoming: objectIn(readProperty(request, "raw")), route };
}

function objectIn(value: unknown): object | undefined {
  return isObject(value) ? value : undefined;
}
