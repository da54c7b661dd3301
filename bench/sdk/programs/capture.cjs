"use strict";
// Captures 1,000 errors at once, or 10 every 10 ms, or 10,000 against a service that accepts none. Run with
// --expose-gc.
const { monitorEventLoopDelay } = require("node:perf_hooks");
const { setTimeout: delay } = require("node:timers/promises");
const { loadAdapter, onQuestion, say } = require("./adapter.cjs");
const { makeError } = require("./errors.cjs");

const { adapter, context } = loadAdapter();
adapter.init(process.argv[3], context);
// An unhandled rejection in a client must not end the measurement.
process.on("unhandledRejection", () => undefined);

const settleMs = 1_500;
const nsPerMs = 1e6;

async function collect() {
  for (let turn = 0; turn < 3; turn++) {
    globalThis.gc();
    await delay(20);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function warmUp() {
  for (let count = 0; count < 50; count++) adapter.breadcrumb(`crumb ${count}`, { count, url: "http://127.0.0.1/x" });
  for (let count = 0; count < 200; count++) {
    adapter.capture(makeError(`w${count}`));
    if (count % 10 === 9) await delay(5);
  }
  await adapter.flush();
  await delay(settleMs);
}

/** Runs `work` and measures its use of the CPU and of the event loop. */
async function watch(work) {
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  await delay(20);
  loop.reset();
  await delay(10);
  const before = process.cpuUsage();
  const outcome = await work();
  const { user, system } = process.cpuUsage(before);
  loop.disable();
  return { ...outcome, cpuUs: user + system, loopP99Ms: loop.percentile(99) / nsPerMs, loopMaxMs: loop.max / nsPerMs };
}

/**
 * Returns the µs that the callers waited: wall time includes other programs, CPU time the garbage collector's threads.
 */
function captureAll(errors) {
  const before = process.cpuUsage();
  const startedAt = performance.now();
  for (const error of errors) adapter.capture(error);
  const wallUs = (performance.now() - startedAt) * 1_000;
  const { user, system } = process.cpuUsage(before);
  return Math.min(wallUs, user + system);
}

async function burst() {
  await warmUp();
  const errors = Array.from({ length: 1_000 }, (_, count) => makeError(count));
  await delay(50);
  return watch(async () => {
    const startedAt = performance.now();
    let callerUs = 0;
    for (let next = 0; next < errors.length; next += 50) callerUs += captureAll(errors.slice(next, next + 50));
    callerUs /= errors.length;
    await Promise.race([adapter.flush(), delay(20_000)]);
    return { callerUs, flushMs: performance.now() - startedAt };
  });
}

async function paced() {
  await warmUp();
  const errors = Array.from({ length: 1_000 }, (_, count) => makeError(count));
  await collect();
  return watch(async () => {
    for (let next = 0; next < errors.length; next += 10) {
      for (const error of errors.slice(next, next + 10)) adapter.capture(error);
      await delay(10);
    }
    await delay(500);
  });
}

async function hold({ errors }) {
  await delay(300);
  const before = await collect();
  const figures = await watch(async () => {
    for (let count = 0; count < errors; count++) {
      adapter.capture(makeError(count));
      if (count % 20 === 19) await delay(2);
    }
  });
  const keptBytes = (await collect()) - before;
  await delay(5_000);
  return { ...figures, keptBytes, keptLaterBytes: (await collect()) - before };
}

/** Waits until the client notices that the service is healthy again. */
async function recover() {
  await Promise.race([adapter.flush(60_000), delay(60_000)]);
  return {};
}

const programs = { burst, paced, hold, recover };
onQuestion((question) => programs[question.run](question));
say({});
