import { type DiskReserve, type LazyStorage, noDisk } from "@whence/storage";
import type { FastifyInstance } from "fastify";
import type { Role } from "./config.ts";

/** How long an answer is cached, so that probes don't become load. */
const rememberedMs = 1_000;
const checkTimeoutMs = 2_000;

type Port = "queue" | "events" | "control";
const bytesPerMegabyte = 1_000_000;

/**
 * The ports of each role, and those it can't work without. A gateway continues with cached keys, and an analyzer or an API
 * shows what it has: removing them from the proxy would make an outage worse.
 */
const uses: Readonly<Record<Role, { readonly required: readonly Port[]; readonly optional: readonly Port[] }>> = {
  gateway: { required: ["queue"], optional: ["control"] },
  writer: { required: ["queue", "events"], optional: [] },
  analyzer: { required: ["control"], optional: ["queue", "events"] },
  api: { required: ["control"], optional: ["queue", "events"] },
  all: { required: ["queue", "events", "control"], optional: [] },
};

export interface Dependency {
  readonly name: Port | "disk";
  /** Resolves with a remark, if any, while it works; rejects when it doesn't. */
  check(): Promise<string | undefined>;
  readonly required: boolean;
}

/** What is wrong with a dependency, in words that anyone may read. */
class NotUsable extends Error {}

/** Returns the dependencies of a role's readiness. */
export function dependenciesOf(role: Role, storage: LazyStorage, disk: DiskReserve): readonly Dependency[] {
  const dependency =
    (required: boolean) =>
    (name: Port): Dependency => ({
      name,
      required,
      async check() {
        await (await storage[name]()).check();
        return undefined;
      },
    });
  const { required, optional } = uses[role];
  const ofDisk = disk === noDisk ? [] : [diskDependency(disk)];
  return [...required.map(dependency(true)), ...optional.map(dependency(false)), ...ofDisk];
}

/** Returns the disk as a dependency. A nearly full disk still accepts telemetry. */
export function diskDependency(disk: DiskReserve): Dependency {
  return {
    name: "disk",
    required: true,
    async check() {
      const { freeBytes, refused } = await disk.reading();
      const free = `${Math.floor(freeBytes / bytesPerMegabyte)} MB free`;
      if (refused.includes("telemetry"))
        throw new NotUsable(`full: ${free}, everything is refused until there is room`);
      if (refused.includes("inputs")) return `nearly full: ${free}, analyses are refused`;
      if (refused.includes("unclaimed-inputs")) return `nearly full: ${free}, analyses of unclaimed agents are refused`;
      return undefined;
    },
  };
}

interface Readiness {
  readonly status: "ready" | "not-ready" | "stopping";
  readonly dependencies: Readonly<Record<string, string>>;
}

/**
 * Serves `GET /healthz`: 200 while the process runs its event loop; and `GET /readyz`: 200 when it can do its work, 503
 * when a required dependency is down or it is stopping. The body lists each dependency and what is wrong with it.
 */
export function healthRoutes(
  app: FastifyInstance,
  {
    dependencies,
    clock,
    isStopping,
  }: {
    readonly dependencies: readonly Dependency[];
    readonly clock: () => number;
    readonly isStopping: () => boolean;
  },
): void {
  let answer: Promise<Readiness> | undefined;
  let askedAt = 0;
  const remembered = (): Promise<Readiness> => {
    if (answer === undefined || clock() - askedAt >= rememberedMs) {
      askedAt = clock();
      answer = readinessOf(dependencies);
    }
    return answer;
  };
  app.get("/healthz", { logLevel: "warn" }, async () => ({ status: "ok" }));
  app.get("/readyz", { logLevel: "warn" }, async (_request, reply) => {
    const { status, dependencies: states } = await remembered();
    const now = isStopping() ? "stopping" : status;
    return reply.code(now === "ready" ? 200 : 503).send({ status: now, dependencies: states });
  });
}

async function readinessOf(dependencies: readonly Dependency[]): Promise<Readiness> {
  const states = await Promise.all(dependencies.map(stateOf));
  const isReady = dependencies.every(({ required }, index) => !required || states[index]?.isUsable);
  return {
    status: isReady ? "ready" : "not-ready",
    dependencies: Object.fromEntries(dependencies.map(({ name }, index) => [name, states[index]?.text ?? "unknown"])),
  };
}

/**
 * Returns `ok`, a remark, or an error code. Not the message, which may contain addresses, since the probe is public.
 */
async function stateOf({ check }: Dependency): Promise<{ isUsable: boolean; text: string }> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error("no answer in time")), checkTimeoutMs);
  try {
    return { isUsable: true, text: (await Promise.race([check(), timeout.promise])) ?? "ok" };
  } catch (error) {
    if (error instanceof NotUsable) return { isUsable: false, text: error.message };
    return { isUsable: false, text: error instanceof Error && "code" in error ? String(error.code) : "no-answer" };
  } finally {
    clearTimeout(timer);
  }
}
