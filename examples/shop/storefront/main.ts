import { close, init } from "@whence/node";
import { whenceErrors, whenceRequests } from "@whence/node/express";
import express from "express";
import { config } from "./config.ts";
import { answerUpstreamError, routes } from "./routes.ts";

init({
  apiKey: process.env.WHENCE_API_KEY ?? "",
  service: "storefront",
  endpoint: process.env.WHENCE_ENDPOINT,
  hangWatch: true,
});

const app = express();
app.use(whenceRequests());
app.use(express.json());
app.use(routes);
app.use(answerUpstreamError);
app.use(whenceErrors());

const server = app.listen(config.port, "127.0.0.1");

process.once("SIGTERM", async () => {
  server.close();
  await close();
  process.exit(0);
});
