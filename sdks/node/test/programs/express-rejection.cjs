// An async route of Express 4 that fails: Node reports it, Express doesn't.
const http = require("node:http");
const express = require("express-4");

const { init, addBreadcrumb } = require(process.env.WHENCE_SDK);
const { whenceRequests } = require(process.env.WHENCE_SDK.replace(/index\.cjs$/, "frameworks/express.cjs"));

init({ apiKey: "k", endpoint: process.env.WHENCE_ENDPOINT });
const app = express();
app.use(whenceRequests());
app.get("/orders/:id", async (request) => {
  addBreadcrumb({ category: "order", message: request.params.id });
  await new Promise((resolve) => setTimeout(resolve, 5));
  if (process.argv[2] === "timer") {
    setTimeout(() => {
      throw new Error("no stock");
    }, 1);
  } else if (process.argv[2] === "emitter") {
    const { EventEmitter } = require("node:events");
    setImmediate(() => new EventEmitter().emit("error", new Error("no stock")));
  } else throw new Error("no stock");
});
const server = app.listen(0, "127.0.0.1", () => {
  http.get({ port: server.address().port, path: "/orders/31?x=1" }).on("error", () => undefined);
});
