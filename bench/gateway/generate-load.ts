import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { quantile } from "../quantile.ts";
import { type BodyMaker, bodyMaker } from "./batch-body.ts";
import { type LoadFigures, type LoadOrder, routes } from "./figures.ts";

/**
 * The load generator, a separate process: its connections send one batch after another over plain sockets, since an
 * HTTP client would cost as much as the server. Each batch is a different one for the queue.
 */
process.on("message", (order: LoadOrder) => void run(order).then((figures) => process.send?.(figures)));
process.on("disconnect", () => process.exit(0));

interface Tally {
  readonly latenciesMs: number[];
  readonly refused: Record<string, number>;
}

async function run(order: LoadOrder): Promise<LoadFigures> {
  const bodies = bodyMaker(order);
  const begin = performance.now() + order.warmUpMs;
  const end = begin + order.measuredMs;
  const tally: Tally = { latenciesMs: [], refused: {} };
  await Promise.all(
    Array.from({ length: order.connections }, (_, index) => runConnection(order, index, bodies, { begin, end, tally })),
  );
  const { latenciesMs, refused } = tally;
  return {
    batchesPerSecond: (latenciesMs.length / order.measuredMs) * 1_000,
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
    refused,
  };
}

interface Window {
  readonly begin: number;
  readonly end: number;
  readonly tally: Tally;
}

async function runConnection(
  order: LoadOrder,
  index: number,
  bodies: BodyMaker,
  { begin, end, tally }: Window,
): Promise<void> {
  const socket = connect(order.port, "127.0.0.1").setNoDelay(true);
  const answers = statusReader(socket);
  const head = headOf(order);
  const accepted = String(routes[order.format].accepted);
  const pauseMs = order.batchesPerSecond === undefined ? 0 : (order.connections / order.batchesPerSecond) * 1_000;
  // Spread over the interval, and timed from when a batch was due, so that a stalled server doesn't slow its clients.
  let due = performance.now() + (index / order.connections) * pauseMs;
  while (performance.now() < end) {
    if (pauseMs > 0) {
      due += pauseMs;
      const waitMs = due - performance.now();
      if (waitMs > 0) await delay(waitMs);
    } else due = performance.now();
    const [first, rest] = bodies.next();
    socket.cork();
    socket.write(`${head}content-length: ${first.length + rest.length}\r\n\r\n`, "latin1");
    socket.write(first);
    socket.write(rest);
    socket.uncork();
    const status = await answers();
    const now = performance.now();
    if (now < begin || now > end) continue;
    if (status === accepted) tally.latenciesMs.push(now - due);
    else tally.refused[status] = (tally.refused[status] ?? 0) + 1;
  }
  socket.destroy();
}

function headOf({ encoding, format }: LoadOrder): string {
  const { path, type, key } = routes[format];
  const packed = encoding === "gzip" ? "content-encoding: gzip\r\n" : "";
  return `POST ${path} HTTP/1.1\r\nhost: bench\r\n${key}\r\ncontent-type: ${type}\r\n${packed}`;
}

/** Returns a function that resolves to the status of each answer in turn; answers here are short and have a length. */
function statusReader(socket: Socket): () => Promise<string> {
  let received = "";
  let waiting: { resolve(status: string): void; reject(reason: Error): void } | undefined;
  socket.setEncoding("latin1").on("data", (chunk) => {
    received += chunk;
    const headEnd = received.indexOf("\r\n\r\n");
    const length = /content-length: (\d+)/i.exec(received)?.[1];
    if (headEnd < 0 || received.length < headEnd + 4 + Number(length)) return;
    const status = received.slice(9, 12);
    received = "";
    waiting?.resolve(status);
  });
  socket.on("error", (error) => waiting?.reject(error));
  socket.on("close", () => waiting?.reject(new Error("the server closed the connection")));
  return () =>
    new Promise((resolve, reject) => {
      waiting = { resolve, reject };
    });
}
