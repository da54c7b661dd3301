import { createServer } from "node:http";
import { captureException, credentialHeaders, init } from "@whence/node";
import { whenceListener } from "@whence/node/http";
import { announce, findOrder } from "./orders.ts";

init({
  apiKey: process.env.WHENCE_API_KEY,
  service: "http",
  endpoint: process.env.WHENCE_ENDPOINT,
  redact: credentialHeaders,
});

const server = createServer(
  whenceListener((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    findOrder(pathname.split("/").at(-1) ?? "").then(
      (order) => response.end(JSON.stringify(order)),
      (error: unknown) => {
        captureException(error); // what you answer yourself, you report yourself
        response.writeHead(500).end();
      },
    );
  }),
);
server.listen(0, () => announce(server));
