import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { benchKey } from "../child-server.ts";
import { BatchMaker } from "./batches.ts";
import type { LoadFigures, LoadOrder } from "./figures.ts";

/** Posts batches from a separate process, at a rate that answers don't slow down. */
const connectionsMax = 64;
const agent = new Agent({ keepAlive: true, maxSockets: connectionsMax });
process.on("message", (order: LoadOrder) => void run(order).then((figures) => process.send?.(figures)));
process.on("disconnect", () => process.exit(0));

async function run({ port, batchesPerSecond, seconds }: LoadOrder): Promise<LoadFigures> {
  const maker = new BatchMaker();
  const acknowledged: [string, number][] = [];
  let refused = 0;
  const sent: Promise<void>[] = [];
  const begin = performance.now();
  for (let number = 0; number < batchesPerSecond * seconds; number++) {
    const waitMs = begin + (number * 1_000) / batchesPerSecond - performance.now();
    if (waitMs > 0) await delay(waitMs);
    const { body, ids } = maker.next();
    const answer = post(port, body).then((status) => {
      if (status === 202) acknowledged.push([ids[0] ?? "", performance.timeOrigin + performance.now()]);
      else refused += 1;
    });
    sent.push(answer);
  }
  await Promise.all(sent);
  return { acknowledged, refused };
}

function post(port: number, body: Buffer): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const headers = { "content-type": "application/json", "x-api-key": benchKey, "content-length": body.length };
  const sending = request({ agent, port, host: "127.0.0.1", method: "POST", path: "/api/telemetry/events", headers });
  sending.on("response", (answer) => answer.resume().on("end", () => resolve(answer.statusCode)));
  sending.on("error", reject);
  sending.end(body);
  return promise;
}
