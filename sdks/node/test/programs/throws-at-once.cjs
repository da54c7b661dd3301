"use strict";
// Throws out of a listener or a job, called as the first argument says, on the same lines with and without the client.
const http = require("node:http");
const { EventEmitter } = require("node:events");

const sdk = process.env.WHENCE_SDK;
const load = (entry) => require(sdk.replace(/index\.cjs$/, entry));
if (sdk) load("index.cjs").init({ apiKey: "whk_test", endpoint: process.env.WHENCE_ENDPOINT });
const job = (run) => (sdk ? load("frameworks/jobs.cjs").whenceJob("tick", run) : run);
const listener = (serve) => (sdk ? load("frameworks/http.cjs").whenceListener(serve) : serve);

const fail = () => {
  throw new Error("no stock");
};
const ways = {
  listener() {
    const server = http.createServer(listener(fail));
    server.listen(0, "127.0.0.1", () => {
      http.get({ port: server.address().port, path: "/orders/31" }).on("error", () => undefined);
    });
  },
  timer: () => setTimeout(job(fail), 1),
  immediate: () => setImmediate(job(fail)),
  event() {
    const queue = new EventEmitter().on("message", job(fail));
    setTimeout(queue.emit.bind(queue, "message"), 1);
  },
};
ways[process.argv[2]]();
