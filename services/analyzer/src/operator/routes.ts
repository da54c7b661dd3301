import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import rateLimit from "@fastify/rate-limit";
import { RateWindows } from "@whence/protocol";
import type {
  AccountStore,
  AuditScope,
  AuditStore,
  BackupStore,
  EventStore,
  OrganizationStore,
  Queue,
  Reachable,
  Scoped,
} from "@whence/storage";
import { isSameToken } from "@whence/vendors";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { analyzerErrors } from "../errors.ts";
import { answerError } from "../http/error-handler.ts";
import { countRequests } from "../http/limits/count-requests.ts";
import { operatorGuessLimit } from "../http/limits/rate-limits.ts";
import type { AnalyzerMetrics } from "../metrics.ts";
import { auditLogRoute } from "./audit-log.ts";
import { deadLetterRoutes } from "./dead-letters.ts";
import { secondFactorRoute } from "./second-factor.ts";
import { backupBlocks } from "./write-backup.ts";

export interface OperatorContext {
  readonly queue: Queue;
  readonly control: AccountStore & AuditStore & BackupStore & OrganizationStore & Reachable & Scoped<AuditScope>;
  readonly events: EventStore;
  readonly metrics: AnalyzerMetrics;
  readonly clock: () => number;
  /** The token that `Authorization: Bearer` must carry ({@link operatorToken}). */
  readonly token: string;
}

/**
 * `/operator/*`, as a Fastify plugin: for the people who run the service, across all organizations. It isn't in the OpenAPI
 * document; don't expose it to the outside (`docs/operations.md`).
 */
export function operatorRoutes(context: OperatorContext): (app: FastifyInstance) => Promise<void> {
  return async (app) => {
    app.setErrorHandler(answerError);
    countRequests(app, context.metrics);
    await app.register(rateLimit, { global: false, store: RateWindows });
    requireToken(app, context.token);
    deadLetterRoutes(app, context.queue);
    backupRoute(app, context);
    auditLogRoute(app, context.control);
    secondFactorRoute(app, context.control, context.clock);
  };
}

/** Checks the token before the body is read. Wrong tokens are limited by address; the right one is never rejected because of them. */
function requireToken(app: FastifyInstance, token: string): void {
  const limitGuesses = operatorGuessLimit(app);
  app.addHook("onRequest", async (request, reply) => {
    if (isSameToken(bearerOf(request), token)) return;
    await limitGuesses(request, reply);
    reply.header("www-authenticate", "Bearer");
    throw analyzerErrors.create("WHENCE_ERR_OPERATOR_TOKEN");
  });
}

/** The token of a request; empty without one, which never matches. */
function bearerOf({ headers }: FastifyRequest): string {
  return /^Bearer ([\w-]+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
}

/** `GET /operator/backup`: gzipped JSON lines, no faster than they are read. */
function backupRoute(app: FastifyInstance, context: OperatorContext): void {
  app.get("/operator/backup", async (request, reply) => {
    // What is unavailable already gets a status; a later failure can only break off the stream.
    await Promise.all([context.control.check(), context.events.check()]);
    request.log.info("an operator is making a backup");
    const packed = pipeline(Readable.from(backupBlocks(context)), createGzip(), (error) => {
      if (error) request.log.error({ err: error }, "a backup broke off");
    });
    return reply.type("application/gzip").header("cache-control", "no-store").send(packed);
  });
}
