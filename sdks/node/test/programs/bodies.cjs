"use strict";
// A service, in the framework of its first argument, that fails once it has read a request's body. With WHENCE_SDK, it
// has the client's middleware. The second argument is the body to send; by default, a well-formed one.
const http = require("node:http");
const http2 = require("node:http2");

const sdk = process.env.WHENCE_SDK;
const load = (entry) => require(sdk.replace(/index\.cjs$/, entry));
if (sdk) load("index.cjs").init({ apiKey: "k", endpoint: process.env.WHENCE_ENDPOINT });
const watched = (listener) => (sdk ? load("frameworks/http.cjs").whenceListener(listener) : listener);

const ids = ["31", "32", "33", "34"];
const [, , reader, sent] = process.argv;
const isForm = reader === "busboy" || reader === "multer";
const body = sent ?? (isForm ? '--cut\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n--cut--\r\n' : "{}");
const type = isForm ? "multipart/form-data; boundary=cut" : "application/json";

const fail = (id, response) => {
  console.error(new Error(`no stock of ${id}`));
  response.statusCode = 500;
  response.end("failed");
};
const idOf = (request) => request.url.split("/").at(-1);
const reading = (read) =>
  watched((request, response) => {
    console.log("order", idOf(request));
    read(request, () => fail(idOf(request), response));
  });
const inExpress = (name, parser) => () => {
  const express = require(name);
  const app = express();
  if (sdk) app.use(load("frameworks/express.cjs").whenceRequests());
  app.use((request, _response, next) => {
    console.log("order", idOf(request));
    next();
  });
  app.use(parser(express));
  app.post("/orders/:id", (request, response) => fail(request.params.id, response));
  if (sdk) app.use(load("frameworks/express.cjs").whenceErrors());
  return app;
};
const json = (express) => express.json();
const services = {
  express: inExpress("express", json),
  "express-4": inExpress("express-4", json),
  "express-4-16": inExpress("express-4-16", json),
  multer: inExpress("express", () => require("multer")().any()),
  busboy: () =>
    reading((request, done) => request.pipe(require("busboy")({ headers: request.headers }).on("field", done))),
  "node:http": () => reading((request, done) => request.resume().on("end", done)),
  "node:http2": () => reading((request, done) => request.resume().on("end", done)),
};

/** Sends the body in two parts, so that it is read after the headers. */
const write = (request) => {
  const half = Math.ceil(body.length / 2);
  request.write(body.slice(0, half));
  setTimeout(() => request.end(body.slice(half)), 5);
};
const answered = (request) =>
  new Promise((resolve) => request.on("response", () => request.resume?.()).on("close", resolve));
const clients = {
  http(port) {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 2 });
    const post = (id) => {
      const headers = { "content-type": type };
      const request = http.request({ port, path: `/orders/${id}`, method: "POST", agent, headers });
      request.on("response", (response) => response.resume());
      write(request);
      return answered(request);
    };
    return Promise.all(ids.map(post)).then(() => agent.destroy());
  },
  http2(port) {
    const session = http2.connect(`http://127.0.0.1:${port}`);
    const post = (id) => {
      const request = session.request({ ":path": `/orders/${id}`, ":method": "POST" });
      write(request);
      return answered(request);
    };
    return Promise.all(ids.map(post)).then(() => session.close());
  },
};

const isHttp2 = reader === "node:http2";
const server = (isHttp2 ? http2 : http).createServer(services[reader]());
server.listen(0, "127.0.0.1", async () => {
  await clients[isHttp2 ? "http2" : "http"](server.address().port);
  server.close();
});
