import type { IncomingMessage } from "node:http";
import { allowsOrigin, type SentryProject } from "@whence/protocol";
import { checkInsTopic, telemetryTopic } from "@whence/storage";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { gatewayErrors } from "../errors.ts";
import type { ForeignRoutesOptions } from "../foreign-routes.ts";
import type { GatewayMetrics } from "../metrics.ts";
import type { GuessLimit } from "../plugins/rate-limit.ts";
import { type Sender, senderOf } from "../plugins/sender.ts";
import { Turns } from "../plugins/turns.ts";
import { acceptedEncodings, isPacked } from "../plugins/unpack-body.ts";
import { UnpackQueue } from "../plugins/unpack-queue.ts";
import { frameOf } from "../telemetry/batch-frame.ts";
import { keyOfDsn, keyOfRequest } from "./client-key.ts";
import type { Envelope } from "./envelope.ts";
import { readEnvelope, readWhole } from "./read-body.ts";
import { ReleaseAllowance } from "./release-allowance.ts";
import { sentryLimits } from "./sentry-limits.ts";
import { countedType, takeEnvelope } from "./take-envelope.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Null until the body is read, and once it is taken. */
    envelope: Envelope | null;
  }
}

const paramsSchema = z.object({ project: z.string() });

export interface SentryRoutesOptions extends ForeignRoutesOptions {
  /** Counts the requests of an address that came without a key that is known. */
  readonly keyless: GuessLimit;
}

const sizes = {
  // A larger one takes more once it is known to be larger.
  wireBytesMax: sentryLimits.wholeBytesMax,
  unpackedBytesMax: sentryLimits.wholeUnpackedBytesMax,
  // Many clients send in chunks. Envelopes are small, and this one's size is known as soon as it is read.
  unknownBytes: sentryLimits.itemBytesMax,
  isPacked: (request: FastifyRequest) => isPacked(request) === true,
};

/**
 * `POST /api/{project}/envelope/` and `POST /api/{project}/store/`, as a plugin: what Sentry's clients send with a DSN of
 * ours becomes batches of the telemetry queue. Answers as their protocol says.
 */
export function sentryRoutes(options: SentryRoutesOptions): (app: FastifyInstance) => Promise<void> {
  const { metrics, isOpen, keyless, takePlace } = options;
  return async (app) => {
    app.decorateRequest("envelope", null);
    app.addHook("onSend", answerHeaders);
    takeEveryType(app, metrics);
    const turns = new Turns();
    const releases = new ReleaseAllowance(options.clock);
    const admit = admission(options);
    const route = {
      bodyLimit: sentryLimits.envelopeBytesMax,
      logLevel: "warn" as const,
      onRequest: [...isOpen, refuseUnknownEncoding, admit.byRequest, takePlace(sizes)],
      preHandler: admit.byEnvelope,
      onResponse: async (request: FastifyRequest, reply: FastifyReply) => {
        if (!request.sender && keyOfRequest(request) === undefined) await keyless.count(request);
        metrics.duration.observe({ status: reply.statusCode }, reply.elapsedTime / 1_000);
      },
    };
    for (const url of paths) {
      app.post(url, route, (request) => take(request, { turns, releases }, options));
      app.options(url, async (_request, reply) => reply.headers(preflightHeaders).code(204).send());
    }
  };
}

/** Clients end the path with a slash; proxies may strip it. */
const paths = ["envelope", "store"].flatMap((name) => [`/api/:project/${name}/`, `/api/:project/${name}`]);

/** A DSN is the only credential, and a page that may not send is refused, so any page may read the answer. */
const answeredToPages = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "x-sentry-error, x-sentry-rate-limits, retry-after",
};
const preflightHeaders = {
  "access-control-allow-methods": "POST",
  "access-control-allow-headers": "x-sentry-auth, authorization, content-type, content-encoding",
  "access-control-max-age": "3600",
};

/** Adds what clients read: to wait after 429, they need the categories that it applies to, which are all. */
async function answerHeaders(_request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  reply.headers(answeredToPages);
  if (reply.statusCode === 429) reply.header("x-sentry-rate-limits", `${reply.getHeader("retry-after")}::key`);
  if (reply.statusCode >= 400 && typeof payload === "string") {
    // A header takes only visible ASCII.
    reply.header("x-sentry-error", payload.replace(/[^\x20-\x7e]/g, "?").slice(0, 500));
  }
  return payload;
}

async function refuseUnknownEncoding(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (isPacked(request) !== undefined) return;
  reply.header("accept-encoding", acceptedEncodings);
  throw gatewayErrors.create("WHENCE_ERR_SENTRY_ENCODING");
}

/** Clients name a type of their own, `text/plain`, or none. */
function takeEveryType(app: FastifyInstance, { bytes }: GatewayMetrics): void {
  const reading = { bytes, queue: new UnpackQueue() };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", async (request: FastifyRequest, body: IncomingMessage) => {
    try {
      request.envelope = isStore(request)
        ? onlyEvent(await readWhole(request, body, reading))
        : await readEnvelope(request, body, reading);
    } catch (error) {
      // The answer comes once the client has sent everything, for as long as a request may take.
      body.resume();
      throw error;
    }
  });
}

/** `store` takes one event without an envelope. */
function onlyEvent(payload: Buffer): Envelope {
  const isTooLarge = payload.length > sentryLimits.itemBytesMax;
  return { eventId: undefined, dsn: undefined, sentAt: undefined, items: [{ type: "event", payload, isTooLarge }] };
}

function isStore({ routeOptions }: FastifyRequest): boolean {
  return /\/store\/?$/.test(routeOptions.url ?? "");
}

/** Hooks that admit a request by the key in its headers or query, or else by the DSN in its envelope. */
function admission({ find, keyless, isWithinLimits }: SentryRoutesOptions) {
  const admit = async (key: string, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const sender = await find(key, request, reply);
    refuseForeign(request, projectOf(sender));
    request.sender = sender;
    for (const check of isWithinLimits) await check(request, reply);
  };
  return {
    async byRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const key = keyOfRequest(request);
      // Its body is read before its key is known.
      if (key === undefined) await keyless.refuseWhenSpent(request, reply);
      else await admit(key, request, reply);
    },
    async byEnvelope(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      if (request.sender) return;
      const key = keyOfDsn(request.envelope?.dsn);
      if (key === undefined) throw gatewayErrors.create("WHENCE_ERR_SENTRY_KEY_MISSING");
      await admit(key, request, reply);
    },
  };
}

function projectOf({ project, scopes }: Sender): SentryProject {
  if (!project) throw gatewayErrors.create("WHENCE_ERR_SENTRY_KEY", [scopes.join(" or ")]);
  return project;
}

function refuseForeign({ params, headers }: FastifyRequest, project: SentryProject): void {
  const { project: asked } = paramsSchema.parse(params);
  if (asked !== project.id) throw gatewayErrors.create("WHENCE_ERR_SENTRY_PROJECT", [asked.slice(0, 40)]);
  const { origin } = headers;
  if (origin !== undefined && !allowsOrigin(project, origin)) {
    throw gatewayErrors.create("WHENCE_ERR_SENTRY_ORIGIN", [origin.slice(0, 255)]);
  }
}

async function take(
  request: FastifyRequest,
  bounds: { readonly turns: Turns; readonly releases: ReleaseAllowance },
  { queue, clock, metrics, quota, allowance }: SentryRoutesOptions,
) {
  const leave = request.place?.share();
  try {
    const sender = senderOf(request);
    const frame = frameOf(sender, clock());
    const { envelope } = request;
    request.envelope = null;
    const taken = await takeEnvelope(envelope, { project: projectOf(sender), frame, allowance, ...bounds });
    const { id, messages, events, spans, sessionItems, hasLosses, runs, items } = taken;
    await queue.publish(telemetryTopic, messages).catch((error: unknown) => {
      allowance.giveBack(frame.scopeId, spans);
      throw error;
    });
    if (runs.length > 0) await queue.publish(checkInsTopic, runs);
    // What a client lost, each report of sessions, and each run of a job, is written like an event.
    quota.count(request, events + sessionItems + (hasLosses ? 1 : 0) + runs.length);
    metrics.events.inc({ outcome: "accepted" }, events);
    for (const { type, outcome } of items) metrics.sentryItems.inc({ type: countedType(type), outcome });
    return id === undefined ? {} : { id };
  } finally {
    leave?.();
  }
}
