import { secondMs } from "@whence/protocol";
import type { ControlDb, KnownAlertSource, TakenDelivery } from "@whence/storage";
import {
  type ConversationClient,
  type ConversationVendors,
  DeliveryFailure,
  type MessageDocument,
  type OutboundContext,
  VendorFailure,
  type VendorFailureReason,
} from "@whence/vendors";
import { withButtons } from "../conversations/incident-buttons.ts";
import { isReadByOthers, readByOthers } from "../conversations/refusal.ts";

/** The dependencies for posting as an organization's own app. */
export interface AppContext {
  readonly control: Pick<ControlDb, "scope" | "alertSources">;
  readonly vendors: ConversationVendors;
  readonly outbound: OutboundContext;
}

const noApp = "no Slack app is connected: add the source Slack under Settings → Triggers, or enter a webhook's URL";
/** Failures that another attempt wouldn't change. */
const finalReasons: readonly VendorFailureReason[] = ["unauthorized", "forbidden", "not-found"];

/**
 * Posts a message in a Slack channel as the organization's app, with the buttons that answers have. Of several apps, the
 * first that sees the channel posts. Rejects with a {@link DeliveryFailure}.
 */
export async function postAsApp(
  context: AppContext,
  { scopeId, incidentId, id: key }: TakenDelivery,
  {
    channel,
    message,
    signal,
  }: { readonly channel: string; readonly message: MessageDocument; readonly signal: AbortSignal },
): Promise<void> {
  const incident = incidentId === null ? null : await context.control.scope(scopeId).incidents.find(incidentId);
  const posted = incident ? withButtons(message, incident) : message;
  let failure = new DeliveryFailure(noApp, { isFinal: true });
  for await (const { client, start, source } of slackApps(context, scopeId)) {
    try {
      if (await isReadByOthers(client, { channel }, source, signal))
        throw new DeliveryFailure(`${channel}: ${readByOthers}`, { isFinal: true });
      await start(channel, posted, { key, signal });
      return;
    } catch (error) {
      if (!(error instanceof VendorFailure)) throw error;
      failure = deliveryFailure(error);
      if (error.reason !== "not-found") break;
    }
  }
  throw failure;
}

interface OpenedApp {
  readonly client: ConversationClient;
  readonly start: NonNullable<ConversationClient["start"]>;
  readonly source: KnownAlertSource;
}

/** Opens the organization's Slack apps, one after the other; each is closed before the next. */
async function* slackApps({ control, vendors, outbound }: AppContext, scopeId: string): AsyncGenerator<OpenedApp> {
  const sources = await control.scope(scopeId).alertSources.list();
  for (const { id } of sources.filter(({ kind }) => kind === "slack")) {
    const source = await control.alertSources.find(id);
    const client = source && vendors[source.kind]?.open(source.inputs, outbound);
    if (!source || !client) continue;
    try {
      if (client.start) yield { client, start: client.start, source };
    } finally {
      await client.close();
    }
  }
}

function deliveryFailure({ reason, message, retryAfterMs }: VendorFailure): DeliveryFailure {
  const isFinal = finalReasons.includes(reason);
  const retryAfter = retryAfterMs === null ? undefined : String(Math.ceil(retryAfterMs / secondMs));
  return new DeliveryFailure(message, { isFinal, retryAfter });
}
