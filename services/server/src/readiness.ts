import type { LazyStorage } from "@whence/storage";
import type { FastifyInstance } from "fastify";
import type { Role } from "./config.ts";

/** How long an answer stands: probes must not become load. */
const rememberedMs = 1_000;
const checkTimeoutMs = 2_000;

type Port = "queue" | "events" | "control";

/**
 * What a role uses, and without what it is of no use. A gateway goes on with the keys it knows, an analyzer shows what
 * it has: taking them out of the proxy would make an outage larger.
 */
const uses: Readonly<Record<Role, { readonly required: readonly Port[]; readonly optional: readonly Port[] }>> = {
  gateway: { required: ["queue"], optional: ["control"] },
  writer: { required: ["queue", "events"], optional: [] },
  analyzer: { required: ["control"], optional: ["queue", "events"] },
  all: { required: ["queue", "events", "control"], optional: [] },
};

export interface Dependency {
  readonly name: Port;
  /** Rejects when it cannot work now. */
  check(): Promise<void>;
  readonly required: boolean;
}

/** The ports of a role, as what its readiness depends on. */
export function dependenciesOf(role: Role, storage: LazyStorage): readonly Dependency[] {
  const dependency =
    (required: boolean) =>
    (name: Port): Dependency => ({
      ...{ name, required },
      check: async () => (await storage[name]()).check(),
    });
  const { required, optional } = uses[role];
  return [...required.map(dependency(true)), ...optional.map(dependency(false))];
}

interface Readiness {
  readonly status: "ready" | "not-ready" | "stopping";
  readonly dependencies: Readonly<Record<string, string>>;
}

/**
 * `GET /healthz`: 200 while the process runs its event loop. `GET /readyz`: 200 when it can do its work, 503 when a
 * required dependency is away or it is stopping; the body names each dependency and what is wrong with it.
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
  const isReady = dependencies.every(({ required }, index) => !required || states[index] === "ok");
  return {
    status: isReady ? "ready" : "not-ready",
    dependencies: Object.fromEntries(dependencies.map(({ name }, index) => [name, states[index] ?? "unknown"])),
  };
}

/** `ok`, or the code of what is wrong: messages may name addresses, and the probe is open. */
async function stateOf({ check }: Dependency): Promise<string> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error("no answer in time")), checkTimeoutMs);
  try {
    await Promise.race([check(), timeout.promise]);
    return "ok";
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : "no-answer";
  } finally {
    clearTimeout(timer);
  }
}
