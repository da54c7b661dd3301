import { credentialHeaders, init } from "@whence/node";
import { whenceFastify } from "@whence/node/fastify";
import Fastify from "fastify";
import { announce, findOrder } from "./orders.ts";

init({
  apiKey: process.env.WHENCE_API_KEY,
  service: "fastify",
  endpoint: process.env.WHENCE_ENDPOINT,
  redact: credentialHeaders,
});

const app = Fastify();
await app.register(whenceFastify); // before the routes
app.get<{ Params: { id: string } }>("/orders/:id", (request) => findOrder(request.params.id));
await app.listen({ port: 0 });
announce(app.server);
