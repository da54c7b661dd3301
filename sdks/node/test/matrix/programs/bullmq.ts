import type { MatrixProgram } from "../matrix-program.ts";

export const bullmq: MatrixProgram = {
  name: "bullmq-6",
  title: "BullMQ, a worker with two jobs at a time",
  packages: { bullmq: "6.7.0", ioredis: "5.9.2" },
  needs: "redis-server",
  files: {
    "main.cjs": `
require("@whence/node").init({ apiKey: "whk_test", endpoint: process.env.WHENCE_ENDPOINT }); // coded
const { whenceJob } = require("@whence/node/jobs"); // coded
const { spawn } = require("node:child_process");
const { Queue, Worker } = require("bullmq");
const { takeFromStock } = require("./stock.cjs");

const connection = { host: "127.0.0.1", port: Number(process.env.PORT) };
const redis = spawn("redis-server", ["--port", process.env.PORT, "--save", "", "--dir", __dirname]);
process.on("exit", () => redis.kill());

redis.stdout.on("data", (text) => {
  if (String(text).includes("Ready to accept connections")) void work();
});

async function work() {
  let ship = (job) => takeFromStock(job.data.id);
  ship = whenceJob("ship", ship); // coded
  const worker = new Worker("orders", ship, { connection, concurrency: 2 });
  worker.on("failed", (job, error) => console.log("failed: " + error.message));
  const queue = new Queue("orders", { connection });
  await queue.add("ship", { id: "31" });
  await queue.add("ship", { id: "32" });
}
`,
  },
  start: ["main.cjs"],
  trigger: {
    kind: "other",
    listens: false,
    place: async (id, { printed }) => {
      await printed(`failed: no stock of ${id}`);
      return "";
    },
  },
  runtimes: ["20", "26"],
};
