import { createServer } from "node:http";
import { lazyStorage } from "@whence/storage";

const [, , dataDirectory = ""] = process.argv;
const storage = lazyStorage({ dataDirectory });
await storage.events();
const server = createServer((_, answer) => answer.end("ok")).listen(Number(process.env.PORT), "127.0.0.1");

process.once("SIGTERM", () => {
  server.close();
  void storage.close();
});
