"use strict";
// A service whose function may be watched; it has no price for `none`, and fails.
const { createRequire } = require("node:module");
const { loadAdapter, onQuestion, say } = require("./adapter.cjs");

const [, , , sink, frameworksFolder] = process.argv;
const { adapter, context } = loadAdapter();
adapter.init(sink, context);
const express = createRequire(`${frameworksFolder}/package.json`)("express");
const prices = new Map([["some", 1234]]);

function priceOf(sku) {
  const price = prices.get(sku);
  return price; // watched
}

const app = express();
app.get("/prices/:sku", (request, response) => {
  try {
    response.json({ price: priceOf(request.params.sku).toFixed(2) });
  } catch (error) {
    adapter.capture(error);
    response.status(500).json({});
  }
});
onQuestion(async () => {
  // An order comes with the answer to a batch.
  adapter.capture(new Error("asked"));
  await adapter.flush();
  return process.cpuUsage();
});
const server = app.listen(0, "127.0.0.1", () => say({ port: server.address().port }));
