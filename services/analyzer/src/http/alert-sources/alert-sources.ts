import {
  type AddedAlertSource,
  type AlertSource,
  type AlertSourceList,
  addAlertSourceSchema,
  addedAlertSourceSchema,
  alertSourceAudienceSchema,
  alertSourceInputsSchema,
  alertSourceListSchema,
  alertSourceSchema,
  enteredAlertSourceInputs,
  violation,
} from "@whence/protocol";
import type { AlertScope, AlertSourceStore, AuditScope, Scoped, StoredAlertSource } from "@whence/storage";
import { type AlertSender, VendorFailure } from "@whence/vendors";
import type { FastifyInstance, FastifySchema } from "fastify";
import { z } from "zod";
import { verifySource } from "../../conversations/verify-source.ts";
import { analyzerErrors } from "../../errors.ts";
import { madeInputs, madeSecret, missingInputs, separated } from "../../triggers/source-inputs.ts";
import { triggerLimits } from "../../triggers/trigger-limits.ts";
import { byMember, byOwner } from "../access.ts";
import { recordChange } from "../accounts/audit.ts";
import type { HttpContext } from "../context.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { parse } from "../validation.ts";
import { requireMember, requireOwner } from "../viewer.ts";
import { knownSource } from "./known-alert-source.ts";

const operations = {
  list: {
    operationId: "list_alert_sources",
    tags: ["triggers"],
    summary: "List the senders whose webhooks start an investigation, without secrets",
    response: { 200: alertSourceListSchema },
  },
  add: {
    operationId: "add_alert_source",
    tags: ["triggers"],
    summary: "Add a sender of webhooks; the secret that is made for it is shown only once",
    body: addAlertSourceSchema,
    response: { 200: addedAlertSourceSchema },
    errors: ["WHENCE_ERR_ALERT_SOURCES_FULL", "WHENCE_ERR_ALERT_SOURCE_REFUSED"],
  },
  enter: {
    operationId: "enter_alert_source_inputs",
    tags: ["triggers"],
    summary: "Enter what the sender of a source shows; what isn't given stays",
    body: alertSourceInputsSchema,
    response: { 200: alertSourceSchema },
    errors: [
      "WHENCE_ERR_ALERT_SOURCE_UNKNOWN",
      "WHENCE_ERR_ALERT_SOURCE_SECRET_MADE",
      "WHENCE_ERR_ALERT_SOURCE_REFUSED",
    ],
  },
  renew: {
    operationId: "replace_alert_source_secret",
    tags: ["triggers"],
    summary: "Replace the secret that was made for a source; the old one stops working",
    response: { 200: addedAlertSourceSchema },
    errors: ["WHENCE_ERR_ALERT_SOURCE_UNKNOWN", "WHENCE_ERR_ALERT_SOURCE_SECRET_ENTERED"],
  },
  answer: {
    operationId: "set_alert_source_audience",
    tags: ["triggers"],
    summary: "Set whether the bot of a source also answers where people from outside of the organization read",
    body: alertSourceAudienceSchema,
    response: { 200: alertSourceSchema },
    errors: ["WHENCE_ERR_ALERT_SOURCE_UNKNOWN"],
  },
  remove: {
    operationId: "remove_alert_source",
    tags: ["triggers"],
    summary: "Remove a sender with its secrets, alerts, and conversations; its incidents stay",
    response: { 200: z.object({ id: z.string() }) },
    errors: ["WHENCE_ERR_ALERT_SOURCE_UNKNOWN"],
  },
} as const satisfies Record<string, FastifySchema>;

interface SourceRoute {
  readonly Params: { readonly id: string };
}

type Context = HttpContext<AlertSourceStore & Scoped<AlertScope & AuditScope>>;

/** Routes for senders of webhooks: members see them and their alerts, owners add and remove them. */
export function alertSourceRoutes(app: FastifyInstance, context: Context): void {
  secretRoute(app, context);
  const { control, clock, senders } = context;
  const kinds = senders.all.map(({ kind, label, inputs }) => ({ kind, label, inputs }));
  const present = (source: StoredAlertSource) => presented(context, source);

  app.get("/api/alert-sources", { ...byMember, schema: operations.list }, async (request): Promise<AlertSourceList> => {
    const { organizationId } = await requireMember(context, request);
    const sources = await control.scope(organizationId).alertSources.list();
    return { alert_sources: sources.map(present), kinds };
  });

  app.post("/api/alert-sources", { ...byOwner, schema: operations.add }, async (request): Promise<AddedAlertSource> => {
    requireSameOrigin(request, context);
    const owner = await requireOwner(context, request);
    const { kind, name, inputs } = parse(addAlertSourceSchema, request.body, "body");
    const { alertSources } = control.scope(owner.organizationId);
    if ((await alertSources.list()).length >= triggerLimits.alertSourcesMax) {
      throw analyzerErrors.create("WHENCE_ERR_ALERT_SOURCES_FULL", [triggerLimits.alertSourcesMax]);
    }
    const sender = senders.find(kind);
    if (!sender) throw violation(["body", "kind"], "enum", `Input should be ${quoted(kinds)}`);
    const values = await verified(context, sender, { ...enteredValues(sender, inputs), ...madeInputs(sender) });
    const by = { id: owner.userId, name: owner.name };
    const added = await alertSources.add({ kind, name, ...separated(sender, values), by, now: new Date(clock()) });
    await recordChange(context, owner, "alert-source.added", name);
    return { ...present(added), secret: madeSecret(sender, values) };
  });

  app.put<SourceRoute>(
    "/api/alert-sources/:id/inputs",
    { ...byOwner, schema: operations.enter },
    async (request): Promise<AlertSource> => {
      requireSameOrigin(request, context);
      const owner = await requireOwner(context, request);
      const { inputs } = parse(alertSourceInputsSchema, request.body, "body");
      const { alertSources } = control.scope(owner.organizationId);
      const { id, kind, name } = knownSource(await alertSources.find(request.params.id), request.params.id);
      const sender = senders.find(kind);
      if (!sender || enteredAlertSourceInputs(sender).length === 0) {
        throw analyzerErrors.create("WHENCE_ERR_ALERT_SOURCE_SECRET_MADE", [sender?.label ?? kind]);
      }
      const stored = (await control.alertSources.find(id))?.inputs;
      const values = await verified(context, sender, { ...stored, ...enteredValues(sender, inputs) });
      const entered = { ...separated(sender, values), now: new Date(clock()) };
      const changed = knownSource(await alertSources.enter(id, entered), id);
      await recordChange(context, owner, "alert-source.changed", name);
      return present(changed);
    },
  );

  app.put<SourceRoute>(
    "/api/alert-sources/:id/audience",
    { ...byOwner, schema: operations.answer },
    async (request): Promise<AlertSource> => {
      requireSameOrigin(request, context);
      const owner = await requireOwner(context, request);
      const { answers_publicly: answersPublicly } = parse(alertSourceAudienceSchema, request.body, "body");
      const { alertSources } = control.scope(owner.organizationId);
      const { id } = request.params;
      const changed = knownSource(await alertSources.answerPublicly(id, answersPublicly), id);
      const action = answersPublicly ? "alert-source.opened" : "alert-source.closed";
      await recordChange(context, owner, action, changed.name);
      return present(changed);
    },
  );

  app.delete<SourceRoute>(
    "/api/alert-sources/:id",
    { ...byOwner, schema: operations.remove },
    async (request): Promise<{ id: string }> => {
      requireSameOrigin(request, context);
      const owner = await requireOwner(context, request);
      const { alertSources } = control.scope(owner.organizationId);
      const { id, name } = knownSource(await alertSources.remove(request.params.id), request.params.id);
      await recordChange(context, owner, "alert-source.removed", name);
      return { id };
    },
  );
}

/** Replaces the secret that was made for a source. */
function secretRoute(app: FastifyInstance, context: Context): void {
  const { control, clock, senders } = context;

  app.post<SourceRoute>(
    "/api/alert-sources/:id/secret",
    { ...byOwner, schema: operations.renew },
    async (request): Promise<AddedAlertSource> => {
      requireSameOrigin(request, context);
      const owner = await requireOwner(context, request);
      const { alertSources } = control.scope(owner.organizationId);
      const { id, kind, name } = knownSource(await alertSources.find(request.params.id), request.params.id);
      const sender = senders.find(kind);
      const made = sender ? madeInputs(sender) : {};
      const secret = sender ? madeSecret(sender, made) : null;
      if (!sender || secret === null) {
        throw analyzerErrors.create("WHENCE_ERR_ALERT_SOURCE_SECRET_ENTERED", [sender?.label ?? kind]);
      }
      const stored = (await control.alertSources.find(id))?.inputs;
      const entered = { ...separated(sender, { ...stored, ...made }), now: new Date(clock()) };
      const changed = knownSource(await alertSources.enter(id, entered), id);
      await recordChange(context, owner, "alert-source.secret-replaced", name);
      return { ...presented(context, changed), secret };
    },
  );
}

type Values = Readonly<Record<string, string>>;

function quoted(kinds: readonly { readonly kind: string }[]): string {
  return kinds.map(({ kind }) => `'${kind}'`).join(", ");
}

/** Returns a source with what its address and its sender tell. One whose sender is gone can only be removed. */
function presented(
  { appUrl, senders, conversationVendors }: Pick<HttpContext, "appUrl" | "senders" | "conversationVendors">,
  { known, ...source }: StoredAlertSource,
): AlertSource {
  const url = `${appUrl}/api/webhooks/${source.id}`;
  const sender = senders.find(source.kind);
  return {
    ...source,
    url,
    setup: sender?.setup(url) ?? "",
    missing: sender ? missingInputs(sender, { ...source, known }) : [],
    has_conversations: conversationVendors[source.kind] !== undefined,
  };
}

/** Returns the entered values; rejects inputs that the sender doesn't have. */
function enteredValues(sender: AlertSender, inputs: Values): Values {
  const wanted = enteredAlertSourceInputs(sender).map(({ name }) => name);
  const surplus = Object.keys(inputs).find((name) => !wanted.includes(name));
  if (surplus === undefined) return inputs;
  throw violation(["body", "inputs", surplus], "extra_forbidden", "Extra inputs are not permitted");
}

/**
 * Returns the values with what the vendor of its conversations says about the bot. Throws the vendor's error when they
 * don't work.
 */
async function verified(
  { conversationVendors: vendors, integrations: outbound }: Pick<HttpContext, "conversationVendors" | "integrations">,
  sender: AlertSender,
  values: Values,
): Promise<Values> {
  try {
    return { ...values, ...(await verifySource({ vendors, outbound }, sender, values)) };
  } catch (error) {
    if (!(error instanceof VendorFailure)) throw error;
    throw analyzerErrors.create("WHENCE_ERR_ALERT_SOURCE_REFUSED", [error.message]);
  }
}
