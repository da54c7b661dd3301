"use strict";
// A worker of BullMQ in the version of the first argument, with two concurrent jobs that fail twice each.
const [, , name, port] = process.argv;
const { DelayedError, Queue, Worker } = name === "bullmq" ? require("bullmq") : require("bullmq-5");

const connection = { host: "127.0.0.1", port: Number(port) };
const queueName = `orders-${process.pid}`;
const pause = () => new Promise((resolve) => setTimeout(resolve, 5));
let putOff = false;

async function ship(job, token) {
  const { id } = job.data;
  const order = `${id}${job.attemptsMade + 1}`;
  if (id === "later" && !putOff) {
    putOff = true;
    await job.moveToDelayed(Date.now(), token);
    throw new DelayedError();
  }
  console.log("order", order);
  await pause();
  console.log("stock", order);
  if (id !== "later") throw new Error(`no stock of ${order}`);
}

const worker = new Worker(queueName, ship, { connection, concurrency: 2 });
const queue = new Queue(queueName, { connection });
let ended = 0;

worker.on("failed", (job, error) => {
  console.log(error.stack);
  // The logged failure is the reported one.
  console.error(error);
  if (job.attemptsMade === 2) void end();
});
worker.on("completed", end);

async function end() {
  ended += 1;
  if (ended < 3) return;
  await queue.obliterate({ force: true });
  await Promise.all([worker.close(), queue.close()]);
}

void queue.addBulk(
  ["a", "b", "later"].map((id) => ({ name: "ship", data: { id }, opts: { attempts: 2, removeOnComplete: true } })),
);
