import { serve } from "@hono/node-server";
import { credentialHeaders, init } from "@whence/node";
import { whenceHono } from "@whence/node/hono";
import { Hono } from "hono";
import { announce, findOrder } from "./orders.ts";

init({
  apiKey: process.env.WHENCE_API_KEY,
  service: "hono",
  endpoint: process.env.WHENCE_ENDPOINT,
  redact: credentialHeaders,
});

const app = new Hono();
app.use(whenceHono()); // before everything else
app.get("/orders/:id", async (context) => context.json(await findOrder(context.req.param("id"))));
const server = serve({ fetch: app.fetch, port: 0 }, () => announce(server));
