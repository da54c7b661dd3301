"use strict";
// Sends requests as fast as 16 connections can; reports the total time and that of each request.
const http = require("node:http");
const { onQuestion, say } = require("./adapter.cjs");

const connections = 16;
const agent = new http.Agent({ keepAlive: true, maxSockets: connections });

function ask(port) {
  return new Promise((resolve, reject) => {
    http
      .get({ port, host: "127.0.0.1", agent }, (response) => response.resume().on("end", resolve))
      .on("error", reject);
  });
}

onQuestion(async ({ port, requests }) => {
  const times = [];
  let left = requests;
  const startedAt = performance.now();
  const connection = async () => {
    while (left > 0) {
      left -= 1;
      const askedAt = performance.now();
      await ask(port);
      times.push(performance.now() - askedAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  const ms = performance.now() - startedAt;
  return { ms, timesMs: times };
});
say({});
