import Router from "@koa/router";
import { credentialHeaders, init } from "@whence/node";
import { whenceKoa } from "@whence/node/koa";
import Koa from "koa";
import { announce, findOrder } from "./orders.ts";

init({
  apiKey: process.env.WHENCE_API_KEY,
  service: "koa",
  endpoint: process.env.WHENCE_ENDPOINT,
  redact: credentialHeaders,
});

const app = new Koa();
app.use(whenceKoa()); // before everything else
const router = new Router();
router.get("/orders/:id", async (context) => {
  context.body = await findOrder(String(context.params.id));
});
app.use(router.routes());
const server = app.listen(0, () => announce(server));
