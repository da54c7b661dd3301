import { Worker } from "node:worker_threads";

/** How often the main thread shows that it turns. */
const turnIntervalMs = 100;

const turns = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
setInterval(() => Atomics.add(turns, 0, 1), turnIntervalMs).unref();
new Worker(new URL("hang-watch-worker.ts", import.meta.url), { workerData: turns, execArgv: [] }).unref();
