"use strict";
// A service without client code, in the framework of its first argument. It answers one request with 500.
const http = require("node:http");

const failed = (error, response) => {
  console.error(error);
  response.statusCode = 500;
  response.end("failed");
};
const fail = async (id) => {
  console.log("order", id);
  // Created before the pause: afterwards, its calls would depend on what else the event loop does.
  const error = new Error(`no stock of ${id}`);
  await new Promise((resolve) => setTimeout(resolve, 5));
  throw error;
};
const inExpress = (name) => () => {
  const express = require(name);
  const app = express();
  app.use(express.json());
  app.post("/orders/:id", (request, _response, next) => fail(request.params.id).catch(next));
  app.use((error, _request, response, next) => (response.headersSent ? next(error) : failed(error, response)));
  return app;
};
const services = {
  "node:http": () => (request, response) => {
    // With events, as a body parser reads.
    request.on("data", () => undefined);
    request.on("end", () => fail(request.url.split(/[/?]/)[2]).catch((error) => failed(error, response)));
  },
  express: inExpress("express"),
  "express-4": inExpress("express-4"),
  koa() {
    const Koa = require("koa");
    const app = new Koa();
    app.use(async (context, next) => {
      try {
        await next();
      } catch (error) {
        console.error(error);
        context.status = 500;
      }
    });
    app.use((context) => fail(context.path.split("/").at(-1)));
    return app.callback();
  },
};

const server = http.createServer(services[process.argv[2]]());
server.listen(0, "127.0.0.1", async () => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 2 });
  const post = (id) =>
    new Promise((resolve) => {
      const options = { port: server.address().port, path: `/orders/${id}?x=1`, method: "POST", agent };
      const request = http.request({ ...options, headers: { "content-type": "application/json" } }, (response) => {
        response.resume().on("end", resolve);
      });
      request.write("{");
      setTimeout(() => request.end("}"), 5);
    });
  await Promise.all(["31", "32", "33", "34"].map(post));
  agent.destroy();
  server.close();
});
