import createError from "http-errors";
import { type FastifyInstance, whenceFastify } from "../../../src/frameworks/fastify.ts";
import { brokenStream, captured, type Framework, placeOrder } from "../service.ts";

type FastifyModule = typeof import("fastify");

/** Returns a service in Fastify, in any version. */
export function fastifyFramework(name: string, fastify: FastifyModule["default"]): Framework {
  return {
    name,
    mechanism: "fastify",
    async start(whence) {
      const told: string[] = [];
      const app = fastify();
      if (whence) app.register(whenceFastify satisfies (app: FastifyInstance, ...rest: never) => void);
      app.setErrorHandler((error, _request, reply) => {
        told.push(String(error));
        return reply.status(statusOf(error)).send(`host says ${String(error)}`);
      });
      app.register(
        async (api) => {
          api.post<{ Params: { id: string } }>("/orders/:id", (request) => placeOrder(request.params.id));
        },
        { prefix: "/api" },
      );
      app.get("/fine", async () => "fine");
      app.get("/captured", async () => {
        throw captured();
      });
      app.get("/wrong", async () => {
        throw createError(418, "short and stout");
      });
      app.get("/unavailable", async () => {
        throw createError(503, "closed for today");
      });
      app.get("/stream", (_request, reply) => reply.send(brokenStream()));
      app.get("/hang", (_request, reply) => {
        reply.hijack();
      });
      app.get("/text", async () => {
        throw "a text";
      });
      const base = await app.listen({ port: 0, host: "127.0.0.1" });
      return {
        base,
        told,
        close: async () => {
          app.server.closeAllConnections();
          await app.close();
        },
      };
    },
  };
}

function statusOf(error: unknown): number {
  return typeof error === "object" && error !== null && "statusCode" in error ? Number(error.statusCode) : 500;
}
