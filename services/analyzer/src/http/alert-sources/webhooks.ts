import { type KnownAlertSource, webhooksTopic } from "@whence/storage";
import {
  type AlertSender,
  headerOf,
  parseBoundedJson,
  type ReceivedWebhook,
  type SenderApp,
  type SenderInputs,
  senderApps,
} from "@whence/vendors";
import type { FastifyInstance, FastifyRequest, FastifySchema } from "fastify";
import { z } from "zod";
import { analyzerErrors } from "../../errors.ts";
import { triggerLimits } from "../../triggers/trigger-limits.ts";
import { installedSources, noteInstallation } from "../../webhooks/installed-source.ts";
import { queuedWebhook } from "../../webhooks/queued-webhook.ts";
import { byAnyone } from "../access.ts";
import type { HttpContext } from "../context.ts";

const received = {
  tags: ["triggers"],
  body: z.unknown(),
  response: { 200: z.record(z.string(), z.union([z.string(), z.literal(true)])) },
  errors: ["WHENCE_ERR_WEBHOOK_REFUSED"],
} as const satisfies FastifySchema;

const operations = {
  ofSource: {
    ...received,
    operationId: "receive_webhook",
    summary: "Take a webhook of an alert source, in its sender's format and signed as the sender signs",
  },
  ofApp: {
    ...received,
    operationId: "receive_app_webhook",
    summary: "Take a webhook of an application that organizations installed at its sender",
  },
} as const satisfies Record<string, FastifySchema>;

/**
 * `POST /api/webhooks/:id`: verifies the signature over the raw body, puts the webhook on the queue, and answers. An
 * unknown address is answered like a wrong signature. It parses bodies itself, so register it in a separate scope.
 *
 * `POST /api/webhooks/apps/:kind`: the same for an application of the operator. An application that no organization
 * installed is answered like a wrong signature.
 */
export function webhookRoutes(app: FastifyInstance, context: HttpContext): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  const options = { ...byAnyone, bodyLimit: triggerLimits.webhookBytesMax };

  app.post<{ Params: { id: string } }>(
    "/api/webhooks/:id",
    { ...options, schema: operations.ofSource },
    async (request) => {
      const source = await context.control.alertSources.find(request.params.id);
      const sender = source && context.senders.find(source.kind);
      const webhook = webhookOf(request);
      if (!sender || !(await isVerified(context, webhook, sender, source.inputs))) {
        if (source) await noteRefusal(context, source);
        throw refused(context, source?.kind ?? null);
      }
      const challenge = sender.challenge?.(webhook) ?? null;
      if (challenge) return challenge;
      await accept(context, webhook, sender, [source]);
      // Linear accepts only 200 as success.
      return { received: true };
    },
  );

  app.post<{ Params: { kind: string } }>(
    "/api/webhooks/apps/:kind",
    { ...options, schema: operations.ofApp },
    async (request) => {
      const of = senderApps.find(({ sender }) => sender.kind === request.params.kind);
      const secret = of?.secretOf(context.integrations.applications ?? {});
      const webhook = webhookOf(request);
      if (!of || secret === undefined || !(await isVerified(context, webhook, of.sender, { secret }))) {
        throw refused(context, of?.sender.kind ?? null);
      }
      const sources = await sourcesOf(context, of, parseBoundedJson(webhook.body.toString("utf8")));
      if (sources.length === 0) throw refused(context, of.sender.kind);
      await accept(context, webhook, of.sender, sources);
      return { received: true };
    },
  );
}

type Source = Pick<KnownAlertSource, "id" | "scopeId" | "kind">;

async function isVerified(
  { clock, senderRequests: { fetchText } }: HttpContext,
  webhook: ReceivedWebhook,
  sender: AlertSender,
  inputs: SenderInputs,
): Promise<boolean> {
  return sender.verify(webhook, inputs, { now: clock(), fetchText });
}

function refused({ metrics }: HttpContext, kind: string | null): Error {
  metrics.webhooks.inc({ kind: kind ?? "none", outcome: "refused" });
  return analyzerErrors.create("WHENCE_ERR_WEBHOOK_REFUSED");
}

/** Returns the sources of the organizations that installed the application, for a verified body. */
async function sourcesOf(context: HttpContext, app: SenderApp, body: unknown): Promise<readonly Source[]> {
  const addressee = app.addresseeOf(body);
  if (!addressee) return [];
  const installation = app.installationOf(body);
  if (installation !== null) await noteInstallation(context, app, { addressee, installation });
  return installedSources(context.control, app, addressee);
}

async function accept(
  { queue, metrics, clock }: HttpContext,
  webhook: ReceivedWebhook,
  sender: AlertSender,
  sources: readonly Source[],
): Promise<void> {
  const delivery = {
    id: sender.deliveryId(webhook),
    headers: keptHeaders(webhook, sender),
    body: webhook.body.toString("utf8"),
    receivedAt: clock(),
  };
  const messages = sources.map((source) => queuedWebhook(source, delivery));
  await queue.publish(webhooksTopic, messages);
  for (const { kind } of sources) metrics.webhooks.inc({ kind, outcome: "accepted" });
}

async function noteRefusal({ control, clock }: HttpContext, { id, scopeId }: Source): Promise<void> {
  const failure = "a webhook was refused: its signature or its time is wrong";
  await control.scope(scopeId).alertSources.note(id, { failure }, new Date(clock()));
}

function webhookOf({ headers, body }: FastifyRequest): ReceivedWebhook {
  return { headers, body: Buffer.isBuffer(body) ? body : Buffer.alloc(0) };
}

function keptHeaders(webhook: ReceivedWebhook, { keptHeaders: names = [] }: AlertSender): Record<string, string> {
  const sent = names.map((name) => [name, headerOf(webhook, name)] as const);
  return Object.fromEntries(sent.filter((header): header is [string, string] => header[1] !== null));
}
