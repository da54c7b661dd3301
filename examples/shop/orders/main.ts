import { close, init } from "@whence/node";
import { whenceFastify } from "@whence/node/fastify";
import Fastify from "fastify";
import { config } from "./config.ts";
import { orderRoutes } from "./routes.ts";

init({
  apiKey: process.env.WHENCE_API_KEY ?? "",
  service: "orders",
  endpoint: process.env.WHENCE_ENDPOINT,
  hangWatch: true,
});

const app = Fastify();
await app.register(whenceFastify);
orderRoutes(app);
await app.listen({ port: config.port, host: "127.0.0.1" });

process.once("SIGTERM", async () => {
  await app.close();
  await close();
  process.exit(0);
});
