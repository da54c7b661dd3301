import Boom from "@hapi/boom";
import { whenceHapi } from "../../../src/frameworks/hapi.ts";
import { brokenStream, captured, type Framework, placeOrder } from "../service.ts";

type HapiModule = typeof import("@hapi/hapi");

/** Returns a service in hapi, in any version. */
export function hapiFramework(name: string, hapi: HapiModule): Framework {
  return {
    name,
    mechanism: "hapi",
    async start(whence) {
      const told: string[] = [];
      const server = hapi.server({ port: 0, host: "127.0.0.1", debug: false });
      if (whence) await server.register(whenceHapi);
      server.events.on({ name: "request", channels: "error" }, (_request, { error }) => told.push(String(error)));
      await server.register(
        {
          name: "orders",
          register: (api) => {
            api.route({ method: "POST", path: "/orders/{id}", handler: ({ params }) => placeOrder(String(params.id)) });
          },
        },
        { routes: { prefix: "/api" } },
      );
      addRoutes(server);
      await server.start();
      return {
        base: server.info.uri,
        told,
        close: async () => {
          server.listener.closeAllConnections();
          await server.stop();
        },
      };
    },
  };
}

function addRoutes(server: import("@hapi/hapi").Server): void {
  const get = (path: string, handler: import("@hapi/hapi").Lifecycle.Method): void =>
    server.route({ method: "GET", path, handler });
  get("/fine", () => "fine");
  get("/captured", () => {
    throw captured();
  });
  get("/wrong", () => {
    throw Boom.teapot("short and stout");
  });
  get("/unavailable", () => {
    throw Boom.serverUnavailable("closed for today");
  });
  get("/stream", (_request, h) => h.response(brokenStream()));
  get("/hang", (_request, h) => h.abandon);
  get("/text", () => {
    throw "a text";
  });
}
