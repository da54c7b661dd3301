import type { serve } from "@hono/node-server";
import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { stream } from "hono/streaming";
import { whenceHono } from "../../../src/frameworks/hono.ts";
import { captured, type Framework, pause, placeOrder, type Service } from "../service.ts";

/** Returns a service in Hono on Node, in any version of its server. */
export function honoFramework(name: string, serveHono: typeof serve): Framework {
  return {
    name,
    mechanism: "hono",
    async start(whence) {
      const told: string[] = [];
      const app = new Hono();
      if (whence) app.use(whenceHono());
      app.route(
        "/api",
        new Hono().post("/orders/:id", async (c) => {
          await c.req.text();
          return await placeOrder(c.req.param("id"));
        }),
      );
      addRoutes(app);
      app.onError((error, c) => {
        told.push(String(error));
        return error instanceof HTTPException ? error.getResponse() : c.text(`host says ${String(error)}`, 500);
      });
      return await listening(serveHono, app, told);
    },
  };
}

function addRoutes(app: Hono): void {
  app.get("/fine", (c) => c.text("fine"));
  app.get("/captured", () => {
    throw captured();
  });
  app.get("/wrong", () => {
    throw new HTTPException(418, { message: "short and stout" });
  });
  app.get("/unavailable", () => {
    throw new HTTPException(503, { message: "closed for today" });
  });
  app.get("/stream", (c) =>
    stream(c, async (body) => {
      await body.write("first");
      await pause();
      await body.close();
    }),
  );
  app.get("/hang", () => new Promise(() => undefined));
  app.get("/text", () => {
    throw "a text";
  });
}

async function listening(serveHono: typeof serve, app: Hono, told: string[]): Promise<Service> {
  return await new Promise((resolve) => {
    const server = serveHono({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => {
      resolve({
        base: `http://127.0.0.1:${port}`,
        told,
        close: () =>
          new Promise((closed) => {
            if ("closeAllConnections" in server) server.closeAllConnections();
            server.close(() => closed());
          }),
      });
    });
  });
}
