"use strict";
// Keeps answered connections open, and prints how many of the requests' bodies were released. Captures an error a while
// after the first response.
const { once } = require("node:events");
const { createServer } = require("node:http");
const { connect } = require("node:net");
const { join, dirname } = require("node:path");
const { addBreadcrumb, captureException, flush, init } = require(process.env.WHENCE_SDK);
const { whenceListener } = require(join(dirname(process.env.WHENCE_SDK), "frameworks/http.cjs"));
const laterTicks = require("./later-ticks.cjs");

const connections = 20;
let freed = 0;
const registry = new FinalizationRegistry(() => {
  freed += 1;
});

async function captureLater() {
  await laterTicks(4);
  captureException(new Error("after the answer"));
}

init({ apiKey: "k", endpoint: process.env.WHENCE_ENDPOINT });
const server = createServer(
  { keepAliveTimeout: 60_000 },
  whenceListener((request, response) => {
    request.body = {};
    registry.register(request.body);
    addBreadcrumb({ category: "order", message: "31" });
    response.end("ok");
    if (request.url === "/0") {
      captureException(new Error("at the answer"));
      void captureLater();
    }
  }),
);

async function main() {
  await once(server.listen(0, "127.0.0.1"), "listening");
  for (let index = 0; index < connections; index++) {
    const socket = connect(server.address().port, "127.0.0.1");
    socket.write(`GET /${index} HTTP/1.1\r\nHost: shop\r\n\r\n`);
    await once(socket, "data");
  }
  for (let tries = 0; freed < connections && tries < 20; tries++) {
    await laterTicks(1);
    global.gc();
  }
  await laterTicks(5);
  await flush();
  console.log(`${freed} of ${connections}`);
  process.exit();
}
void main();
