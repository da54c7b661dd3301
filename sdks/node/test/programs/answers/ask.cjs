"use strict";
// Sends requests that fail, and prints how each was answered.
const http = require("node:http");

const pause = () => new Promise((resolve) => setTimeout(resolve, 5));

/** The routes. Each fails, and none logs it. */
exports.routes = {
  async late(id) {
    console.log("order", id);
    await pause();
    throw new Error(`no stock of ${id}`);
  },
  atOnce(id) {
    throw new TypeError(`no price of ${id}`);
  },
  refused(id) {
    throw Object.assign(new Error(`no such order: ${id}`), { status: 404, statusCode: 404 });
  },
};

/** The programs' error handler: responds, and prints where the error comes from. */
exports.answerTo = (error) => {
  console.log(error.stack);
  if (error.message.endsWith("logged")) console.error(error);
  return error.status ?? error.statusCode ?? 500;
};

exports.ask = (listener) => {
  const server = http.createServer(listener);
  server.listen(0, "127.0.0.1", async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const ask = (method, path, body) =>
      new Promise((resolve) => {
        const options = { port: server.address().port, path, method, agent };
        const request = http.request({ ...options, headers: { "content-type": "application/json" } }, (response) => {
          console.log(method, path, response.statusCode);
          response.resume().on("end", resolve);
        });
        request.end(body);
      });
    for (const path of ["/late/1", "/at-once/2?x=1", "/late/logged", "/refused/3"]) await ask("GET", path);
    await ask("POST", "/parsed", "{");
    await ask("GET", "/late/4");
    agent.destroy();
    server.close();
  });
};
