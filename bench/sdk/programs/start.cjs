"use strict";
// Measures what import and init cost a process that does nothing else.
const { loadAdapter, say } = require("./adapter.cjs");

const { adapter, context } = loadAdapter();
const before = process.memoryUsage.rss();
const startedAt = performance.now();
const usedBefore = process.cpuUsage();
adapter.init(process.argv[3], context);
const wallMs = performance.now() - startedAt;
const { user, system } = process.cpuUsage(usedBefore);
// Wall time includes other programs, CPU time V8's other threads.
const ms = Math.min(wallMs, (user + system) / 1_000);
setImmediate(() => {
  say({ ms, bytes: process.memoryUsage.rss() - before });
  process.exit();
});
