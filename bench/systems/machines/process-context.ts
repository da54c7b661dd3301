import { AsyncLocalStorage } from "node:async_hooks";
import type { Server, Socket } from "node:net";

/** Where the names of a system lead. */
export interface NameTable {
  /** By name and port, the ports of this machine that answer there. An empty list: the host is there, and nothing listens. */
  readonly ports: Readonly<Record<string, readonly number[]>>;
  /** By name, the address that errors print. */
  readonly addresses: Readonly<Record<string, string>>;
}

/**
 * A process of a system under test. All of them live in one thread, which makes a run cheap; what runs in its context
 * finds a clock, an environment, a host, and a client of its own.
 */
export class SimulatedProcess {
  readonly host: string;
  readonly pid: number;
  readonly env: NodeJS.ProcessEnv;
  readonly startedAt: number;
  readonly servers = new Set<Server>();
  readonly sockets = new Set<Socket>();
  /** What it does at the end of its life, by signal. */
  readonly handlers = new Map<string, () => void>();
  /** Its client, as the client's package keeps it. */
  readonly slot = { client: undefined };
  readonly onListening: (port: number, name: string | null) => void;
  readonly onEnd: () => void;
  names: NameTable;
  skewMs = 0;
  /** How much its heap grows with each request, of how much. Bytes. */
  leakBytes = 0;
  requests = 0;
  busyUntil = 0;
  longestBlockMs = 0;
  state: "running" | "hung" | "ended" = "running";

  constructor(given: {
    readonly host: string;
    readonly pid: number;
    readonly env: NodeJS.ProcessEnv;
    readonly startedAt: number;
    readonly names: NameTable;
    readonly onListening: (port: number, name: string | null) => void;
    readonly onEnd: () => void;
  }) {
    this.host = given.host;
    this.pid = given.pid;
    this.env = given.env;
    this.startedAt = given.startedAt;
    this.names = given.names;
    this.onListening = given.onListening;
    this.onEnd = given.onEnd;
  }
}

/** The process whose code runs; none outside of a system. */
export const running = new AsyncLocalStorage<SimulatedProcess>();
