"use strict";
// Prints how many threads were started once three batches have arrived, one after another.
const { captureMessage, flush } = require(process.env.WHENCE_SDK);

let threads = 0;
const workerThreads = require("node:worker_threads");
workerThreads.Worker = class extends workerThreads.Worker {
  constructor(...args) {
    super(...args);
    threads += 1;
  }
};
if (process.env.LISTENS) process.on("worker", () => console.log("a thread was started"));

async function main() {
  for (let batch = 0; batch < 3; batch++) {
    captureMessage("at work");
    await flush();
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  console.log(`${threads} threads`);
  process.exit();
}
void main();
