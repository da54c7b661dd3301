import { server as createServer } from "@hapi/hapi";
import { credentialHeaders, init } from "@whence/node";
import { whenceHapi } from "@whence/node/hapi";
import { announce, findOrder } from "./orders.ts";

init({
  apiKey: process.env.WHENCE_API_KEY,
  service: "hapi",
  endpoint: process.env.WHENCE_ENDPOINT,
  redact: credentialHeaders,
});

const server = createServer({ port: 0 });
await server.register(whenceHapi); // before the routes and other plugins
server.route({ method: "GET", path: "/orders/{id}", handler: ({ params }) => findOrder(String(params.id)) });
await server.start();
announce(server.listener);
