"use strict";
// Runs test files as test runners do: each in its own context, which fails the run when it loads something after its
// end. Prints the number of threads at the end, and of the client's resources that seem to keep the process alive.
const { createHook } = require("node:async_hooks");
const { readFileSync } = require("node:fs");
const Module = require("node:module");
const vm = require("node:vm");
const workerThreads = require("node:worker_threads");
const laterTicks = require("./later-ticks.cjs");

const code = readFileSync(process.env.WHENCE_SDK, "utf8");
const globals = { process, console, Buffer, URL, performance, AbortController };
const counts = { threads: 0, holding: 0 };
const ticksMax = 50;
workerThreads.Worker = class extends workerThreads.Worker {
  constructor(...args) {
    super(...args);
    counts.threads += 1;
  }
  terminate() {
    counts.threads -= 1;
    return super.terminate();
  }
};
createHook({
  init(_id, type, _trigger, resource) {
    if (type.startsWith("Whence") && resource.hasRef?.() !== false) counts.holding += 1;
  },
}).enable();

function startFile() {
  const file = { isOver: false };
  const load = (name) => {
    if (file.isOver) {
      process.exitCode = 1;
      console.error(`${name} is loaded after the end`);
    }
    return name === "node:module" ? RunnersModule : require(name);
  };
  class RunnersModule extends Module {}
  Object.assign(RunnersModule, Module, { Module: RunnersModule, createRequire: () => load });
  const module = { exports: {} };
  const context = vm.createContext({ ...globals });
  vm.runInContext(`(function (require, module, exports) {${code}\n})`, context)(load, module, module.exports);
  return Object.assign(file, module.exports);
}

async function main() {
  for (const name of ["first", "second", "third"]) {
    const file = startFile();
    file.init({ apiKey: "k", service: name, endpoint: process.env.WHENCE_ENDPOINT, hangWatch: true });
    file.captureMessage(`delivered of the ${name}`);
    await file.flush();
    file.captureMessage(`left by the ${name}`);
    file.isOver = true;
    await laterTicks(2);
  }
  // The last one's thread starts in time; those of the others have ended by then.
  for (let ticks = 0; counts.threads !== 1 && ticks < ticksMax; ticks++) await laterTicks(1);
  console.log(JSON.stringify(counts));
}
void main();
