"use strict";
// A Koa service with a middleware that doesn't await the next one, which fails and ends the program.
const Koa = require("koa");
const http = require("node:http");

const app = new Koa();
app.use((context, next) => {
  void next();
  context.body = "answered";
});
app.use(async () => {
  await null;
  throw new Error("nothing waits for this");
});
const server = app.listen(0, "127.0.0.1", () => http.get({ port: server.address().port }));
