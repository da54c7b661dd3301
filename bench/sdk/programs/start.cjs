"use strict";
// What import and init cost a process that does nothing else.
const { loadAdapter, say } = require("./adapter.cjs");

const { adapter, context } = loadAdapter();
const before = process.memoryUsage.rss();
const startedAt = performance.now();
adapter.init(process.argv[3], context);
const ms = performance.now() - startedAt;
setImmediate(() => {
  say({ ms, bytes: process.memoryUsage.rss() - before });
  process.exit();
});
