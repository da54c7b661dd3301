import { text } from "node:stream/consumers";
import Router from "@koa/router";
import type Koa from "koa";
import mount from "koa-mount";
import { whenceKoa } from "../../../src/frameworks/koa.ts";
import { brokenStream, captured, type Framework, placeOrder, serviceOf } from "../service.ts";

/** Returns a service in Koa, in any version. */
export function koaFramework(name: string, KoaClass: typeof Koa): Framework {
  return {
    name,
    mechanism: "koa",
    start(whence) {
      const told: string[] = [];
      const app = new KoaClass();
      app.on("error", (error, context: Koa.Context) => {
        told.push(String(error));
        // Koa 2 never closes the connection of a body that breaks off.
        if (context.headerSent) context.res.destroy();
      });
      if (whence) app.use(whenceKoa());
      const orders = new Router();
      orders.post("/orders/:id", async ({ params, req }) => {
        await text(req);
        return await placeOrder(String(params.id));
      });
      const api = new KoaClass();
      api.use(orders.routes());
      app.use(mount("/api", api));
      app.use(routes().routes());
      return serviceOf(app.callback(), told);
    },
  };
}

function routes(): Router {
  const router = new Router();
  router.get("/fine", (context) => {
    context.body = "fine";
  });
  router.get("/captured", () => {
    throw captured();
  });
  router.get("/wrong", (context) => context.throw(418, "short and stout"));
  router.get("/unavailable", (context) => context.throw(503, "closed for today"));
  router.get("/stream", (context) => {
    context.body = brokenStream();
  });
  router.get("/hang", (context) => {
    context.respond = false;
  });
  router.get("/text", () => {
    throw "a text";
  });
  return router;
}
