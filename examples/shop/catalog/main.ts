import { createServer } from "node:http";
import { captureException, close, init } from "@whence/node";
import { whenceListener } from "@whence/node/http";
import { config } from "./config.ts";
import { answer, send } from "./routes.ts";

init({
  apiKey: process.env.WHENCE_API_KEY ?? "",
  service: "catalog",
  endpoint: process.env.WHENCE_ENDPOINT,
  hangWatch: true,
});

const server = createServer(
  whenceListener((request, response) => {
    answer(request, response).catch((error: unknown) => {
      captureException(error);
      send(response, 500, { error: "internal error" });
    });
  }),
);
server.listen(config.port, "127.0.0.1");

process.once("SIGTERM", async () => {
  server.close();
  await close();
  process.exit(0);
});
