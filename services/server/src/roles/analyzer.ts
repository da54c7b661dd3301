import {
  type ConsumersOptions,
  checkoutChanges,
  checkoutLineHistory,
  codeHostChanges,
  codeHostLineHistory,
  firstChanges,
  firstLineHistory,
  startConsumers,
  startNotifier,
  startSenderConnections,
  uploadedChanges,
  withReleaseCommits,
} from "@whence/analyzer";
import { conversationVendors, everyChannel, integrationRegistry } from "@whence/vendors";
import type { Bootstrapped } from "../bootstrap.ts";
import { type AnalyzerPorts, openAnalyzerPorts } from "./analyzer-ports.ts";
import type { RoleContext } from "./role-context.ts";
import { serveApi } from "./serve-api.ts";

/** How long a stopping process continues its work; the rest is handed back and retried. */
const drainGraceMs = 10_000;
/** The same for notifications. Most are sent at once. */
const notifyGraceMs = 3_000;

/** Starts the role that turns failures into incidents and incidents into reports, and serves the API too. */
export async function startAnalyzerRole(place: RoleContext): Promise<Bootstrapped> {
  const ports = await openAnalyzerPorts(place);
  const relayOutbox = startBackgroundWork(place, ports);
  return serveApi(place, ports, relayOutbox);
}

/** Returns what publishes the outbox. */
function startBackgroundWork(place: RoleContext, ports: AnalyzerPorts): () => void {
  const { config, app, clock, appUrl, parts } = place;
  const { queue, control, metrics, outbound, mailer } = ports;
  const { mayReach } = outbound;
  const logger = app.log;
  const consumers = startConsumers(backgroundOptions(place, ports));
  parts.defer(() => consumers.stop(drainGraceMs));
  const socketMode = startSenderConnections({ control, queue, metrics, outbound, logger });
  parts.defer(() => socketMode.stop());
  const hasMailServer = config.smtp !== undefined;
  const channels = everyChannel({ clock, mayReach, mailer, hasMailServer, appUrl });
  const notifier = startNotifier({
    control,
    clock,
    logger,
    metrics,
    appUrl,
    channels,
    apps: { vendors: conversationVendors, outbound },
  });
  parts.defer(() => notifier.stop(notifyGraceMs));
  return consumers.relayOutbox;
}

function backgroundOptions(
  { config, app, clock, appUrl }: RoleContext,
  { outbound, askModel, mailer: _, ...ports }: AnalyzerPorts,
): ConsumersOptions {
  const { control } = ports;
  const { sources, investigationsPerOrganization: perOrganization, exitAfterMs, retentionDays } = config;
  const logger = app.log;
  return {
    ...ports,
    clock,
    logger,
    perOrganization,
    exitAfterMs,
    retentionDays,
    integrations: { ...outbound, registry: integrationRegistry, logger },
    conversations: { outbound, vendors: conversationVendors, appUrl, askModel },
    changes: withReleaseCommits(
      firstChanges([uploadedChanges(control), checkoutChanges(sources, control), codeHostChanges(control, outbound)]),
      control,
    ),
    lineHistory: firstLineHistory([checkoutLineHistory(sources, control), codeHostLineHistory(control, outbound)]),
  };
}
