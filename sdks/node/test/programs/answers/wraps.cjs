"use strict";
// A service whose first error handler wraps each error. One route's error is left to Express, which prints it.
const express = require("express");
const http = require("node:http");

const app = express();
app.get("/:name", (request) => {
  throw new Error(`${request.params.name} is down`);
});
app.use((error, request, _response, next) => next(new Error(`could not serve ${request.url}: ${error.message}`)));
app.use((error, request, response, next) => {
  if (request.url === "/logged") console.error(error);
  if (request.url === "/printed") next(error);
  else response.status(500).end("failed");
});
const server = app.listen(0, "127.0.0.1", async () => {
  const agent = new http.Agent({ keepAlive: true });
  for (const path of ["/stock", "/logged", "/printed"]) {
    await new Promise((resolve) => {
      http.get({ port: server.address().port, path, agent }, (response) => response.resume().on("end", resolve));
    });
  }
  agent.destroy();
  server.close();
});
