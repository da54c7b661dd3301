"use strict";
// A service with one route, which calls another service if told to.
const http = require("node:http");
const { createRequire } = require("node:module");
const { loadAdapter, onQuestion, say } = require("./adapter.cjs");

const [, , , sink, framework, upstream, frameworksFolder] = process.argv;
const { adapter, context } = loadAdapter();
adapter.init(sink, context);
const load = createRequire(`${frameworksFolder}/package.json`);
const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });

function price() {
  if (upstream === "") return Promise.resolve({ price: 1234 });
  return new Promise((resolve, reject) => {
    http
      .get(`${upstream}/price`, { agent }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve(JSON.parse(text)));
      })
      .on("error", reject);
  });
}

function express() {
  const app = load("express")();
  adapter.expressSetup(app, "before");
  app.get("/", async (_request, response) => response.json({ hello: "world", up: await price() }));
  adapter.expressSetup(app, "after");
  const server = app.listen(0, "127.0.0.1", () => say({ port: server.address().port }));
  // Clients take turns, and others may take long.
  server.keepAliveTimeout = 0;
}

async function fastify() {
  const app = load("fastify")();
  adapter.fastifySetup(app);
  app.get("/", async () => ({ hello: "world", up: await price() }));
  app.server.keepAliveTimeout = 0;
  await app.listen({ port: 0, host: "127.0.0.1" });
  say({ port: app.server.address().port });
}

onQuestion(() => process.cpuUsage());
if (framework === "express") express();
else void fastify();
