import crypto from "node:crypto";
import http from "node:http";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import perfHooks from "node:perf_hooks";
import v8 from "node:v8";
import { running, type SimulatedProcess } from "./process-context.ts";
import type { VirtualTime } from "./virtual-time.ts";

const mebibyte = 1_048_576;
/** V8's young generation, which the client takes off the limit. */
const youngBytes = 96 * mebibyte;
const restingBytes = 70 * mebibyte;
const swingBytes = 25 * mebibyte;
const overheadBytes = 45 * mebibyte;
const heapLimitBytes = 512 * mebibyte;
const delayResolutionMs = 50;
const nanosecondsPerMs = 1_000_000;

/** Where the client's package keeps the client of a process. */
const clientPlace = Symbol.for("@whence/node client, version 1");

/** Has code of a simulated process find its own environment, host, memory, signals, and client. */
export function installMachine(current: () => VirtualTime): void {
  const ordinary = { env: process.env, pid: process.pid, hostname: os.hostname };
  Object.defineProperty(process, "env", { get: () => running.getStore()?.env ?? ordinary.env });
  Object.defineProperty(process, "pid", { get: () => running.getStore()?.pid ?? ordinary.pid });
  Object.defineProperty(globalThis, clientPlace, { get: () => running.getStore()?.slot });
  Object.assign(os, { hostname: () => running.getStore()?.host ?? ordinary.hostname() });
  installSignals();
  installMemory(current);
  installBlockedLoop(current);
  syncBuiltinESMExports();
}

/** Listeners of a simulated process are its own; a crash is played by its end. */
function installSignals(): void {
  const { exit } = process;
  for (const method of ["on", "once", "prependListener"] as const) {
    const ordinary: (...args: never[]) => unknown = process[method];
    Reflect.set(process, method, function listen(this: NodeJS.Process, name: string, handler: () => void): unknown {
      const owner = running.getStore();
      if (!owner) return Reflect.apply(ordinary, this, [name, handler]);
      owner.handlers.set(name, handler);
      return this;
    });
  }
  // The client watches emissions of the process and of requests, one client at a time: what is awaited needs no watch.
  const define = Object.defineProperty;
  const defineUnlessWatch = (target: object, key: PropertyKey, descriptor: PropertyDescriptor): object =>
    key === "emit" && running.getStore() ? target : define(target, key, descriptor);
  Object.defineProperty = defineUnlessWatch as typeof define;
  process.exit = ((code?: number) => {
    const owner = running.getStore();
    if (owner) owner.onEnd();
    else exit(code);
  }) as typeof process.exit;
}

/** How much of its heap a process uses now: it swings with garbage collection, and grows with what is kept. */
export function heapUsed(owner: SimulatedProcess, now: number): number {
  const phase = ((now / 1_000 + owner.pid * 7) % 40) / 40;
  return Math.min(heapLimitBytes, restingBytes + swingBytes * phase + owner.leakBytes * owner.requests);
}

/** Whether its heap is full. */
export function isHeapFull(owner: SimulatedProcess, now: number): boolean {
  return owner.leakBytes > 0 && heapUsed(owner, now) >= heapLimitBytes;
}

function installMemory(current: () => VirtualTime): void {
  const ordinary = { usage: process.memoryUsage, statistics: v8.getHeapStatistics };
  const memoryUsage = (): NodeJS.MemoryUsage => {
    const owner = running.getStore();
    if (!owner) return ordinary.usage();
    const used = heapUsed(owner, current().now);
    return { rss: used + overheadBytes, heapTotal: used, heapUsed: used, external: 0, arrayBuffers: 0 };
  };
  process.memoryUsage = Object.assign(memoryUsage, { rss: () => memoryUsage().rss });
  Object.defineProperty(process, "constrainedMemory", { value: () => 0 });
  Object.assign(v8, {
    getHeapStatistics() {
      const statistics = ordinary.statistics();
      const owner = running.getStore();
      if (!owner) return statistics;
      const used_heap_size = heapUsed(owner, current().now);
      return { ...statistics, used_heap_size, heap_size_limit: heapLimitBytes + youngBytes };
    },
  });
}

/** Hashing blocks a process: `pbkdf2Sync` takes its iterations in microseconds, and all else waits meanwhile. */
function installBlockedLoop(current: () => VirtualTime): void {
  const hash = crypto.pbkdf2Sync;
  Object.assign(crypto, {
    pbkdf2Sync(...args: Parameters<typeof hash>): Buffer {
      const owner = running.getStore();
      if (!owner) return hash(...args);
      const blockedMs = args[2] / 1_000;
      owner.busyUntil = Math.max(owner.busyUntil, current().now) + blockedMs;
      owner.longestBlockMs = Math.max(owner.longestBlockMs, blockedMs);
      return Buffer.from(String(args[0]));
    },
  });
  const { end } = http.ServerResponse.prototype;
  http.ServerResponse.prototype.end = function (this: http.ServerResponse, ...args: unknown[]) {
    const owner = running.getStore();
    const waitMs = owner ? owner.busyUntil - current().now : 0;
    if (!owner || waitMs <= 0) return Reflect.apply(end, this, args);
    current().after(owner, waitMs, () => Reflect.apply(end, this, args));
    return this;
  } as typeof end;
  const ordinary = perfHooks.monitorEventLoopDelay;
  Object.assign(perfHooks, {
    monitorEventLoopDelay(options: Parameters<typeof ordinary>[0]) {
      const owner = running.getStore();
      if (!owner) return ordinary(options);
      const quietMs = 1 + (owner.pid % 7) / 2;
      return {
        ...{ enable: (): boolean => true, disable: (): boolean => true },
        percentile: () => (delayResolutionMs + Math.max(owner.longestBlockMs, quietMs)) * nanosecondsPerMs,
        reset() {
          owner.longestBlockMs = 0;
        },
      };
    },
  });
}
