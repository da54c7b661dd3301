import { setTimeout as delay } from "node:timers/promises";
import { getHeapStatistics } from "node:v8";
import { captureMessage, close, flush, init } from "../../../sdks/node/src/index.ts";

/** Sends heartbeats, and then ends as its argument says: `killed` waits to be killed, the others end on their own. */
const how = process.argv[2];
const kept: number[][] = [];
const never = new Int32Array(new SharedArrayBuffer(4));

init({
  apiKey: process.env.API_KEY ?? "",
  endpoint: process.env.ENDPOINT ?? "",
  service: `ends-by-${how}`,
  hangWatch: true,
});
const working = setInterval(() => captureMessage("at work"), 1_000);
process.once("SIGTERM", async () => {
  clearInterval(working);
  await close();
  process.exit(0);
});

/** Allocates memory until this much is in use. */
function fill(mebibytes: number): void {
  while (getHeapStatistics().used_heap_size < mebibytes * 1_048_576)
    kept.push(Array.from({ length: 10_000 }, Math.random));
}

/** In short waits: a loop without them takes a whole core. */
function neverComesBack(): void {
  for (;;) Atomics.wait(never, 0, 0, 10);
}

await delay(16_000);
if (how === "memory") {
  fill(112);
  await flush();
  fill(Number.POSITIVE_INFINITY);
}
if (how === "hanging") neverComesBack();
