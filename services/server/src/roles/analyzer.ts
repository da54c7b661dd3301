import { join } from "node:path";
import {
  analyzerMetrics,
  analyzerRoutes,
  type BuiltFiles,
  type ConsumersOptions,
  checkoutChanges,
  checkoutLineHistory,
  codeHostChanges,
  codeHostLineHistory,
  codeHostSources,
  configuredCheckouts,
  createIdentity,
  firstChanges,
  firstLineHistory,
  firstProvider,
  openAnalysisBodyReader,
  openPreviewer,
  openWebBundle,
  operatorRoutes,
  operatorToken,
  readServedClients,
  startConsumers,
  startNotifier,
  startSenderConnections,
  uploadedChanges,
  uploadedSources,
} from "@whence/analyzer";
import { limits } from "@whence/protocol";
import {
  addressGuard,
  alertSenders,
  conversationVendors,
  everyChannel,
  integrationRegistry,
  logMailer,
  type OutboundContext,
  openSenderRequests,
  smtpMailer,
} from "@whence/vendors";
import { type Bootstrapped, bootstrap } from "../bootstrap.ts";
import type { RoleContext } from "./role-context.ts";

/** The build output of the web application, in a workspace and in the image. */
const webFolder: string = join(import.meta.dirname, "../../../web/dist");
/** The build output of the documentation. */
const documentationFolder: string = join(import.meta.dirname, "../../../../docs/.vitepress/dist");
/** The build output of the clients. */
const clientsFolder: string = join(import.meta.dirname, "../../../../sdks/tarballs/dist");
/** How long a stopping process continues its work; the rest is handed back and retried. */
const drainGraceMs = 10_000;
/** The same for notifications. Most are sent at once. */
const notifyGraceMs = 3_000;

/**
 * Starts the role that turns failures into incidents and incidents into reports, and serves people, agents, and
 * operators.
 */
export async function startAnalyzerRole(place: RoleContext): Promise<Bootstrapped> {
  const { config, app, storage, disk, registry, clock, secretKeys, appUrl, parts } = place;
  const [queue, events, control] = await Promise.all([storage.queue(), storage.events(), storage.control()]);
  const [secretKey, ...formerKeys] = secretKeys;
  if (secretKey === undefined) throw new TypeError("the analyzer runs without a secret key");
  const { bootstrapApiKey, openSignUp, retentionDays } = config;
  const bootstrapped = await bootstrap(control, { bootstrapApiKey, secretKey, now: new Date(clock()) });

  const metrics = analyzerMetrics(registry, control.outbox);
  const logger = app.log;
  const mayReach = addressGuard(config.allowedNetworks);
  const outbound: OutboundContext = { mayReach, clock, applications: config.applications };
  const senderRequests = openSenderRequests(mayReach);
  parts.defer(() => senderRequests.close());
  const consumers = startConsumers(
    backgroundOptions(place, { queue, events, control, metrics, outbound, senderRequests }),
  );
  parts.defer(() => consumers.stop(drainGraceMs));
  const socketMode = startSenderConnections({ control, queue, metrics, outbound, logger });
  parts.defer(() => socketMode.stop());
  const previewer = openPreviewer();
  parts.defer(() => previewer.close());
  const bodies = openAnalysisBodyReader();
  parts.defer(() => bodies.close());
  const { providers, smtp } = config;
  const mailer = smtp ? smtpMailer(smtp) : logMailer(logger);
  const hasMailServer = smtp !== undefined;
  const channels = everyChannel({ clock, mayReach, mailer, hasMailServer, appUrl });
  const notifier = startNotifier({ control, clock, logger, metrics, appUrl, channels });
  parts.defer(() => notifier.stop(notifyGraceMs));
  const secrets = [secretKey, ...formerKeys];
  const identity = createIdentity({
    control,
    clock,
    secretKeys: secrets,
    appUrl,
    openSignUp,
    providers,
    mailer,
    logger,
  });
  const { organizationId, setupToken: token } = bootstrapped;
  await app.register(
    analyzerRoutes(
      {
        control,
        events,
        disk,
        identity,
        appUrl,
        isAppUrlGiven: config.appUrl !== undefined,
        clock,
        limits: { ...limits, ...config.rates },
        mayAgentsRegister: config.mayAgentsRegister,
        retentionDays,
        metrics,
        relayOutbox: consumers.relayOutbox,
        preview: previewer.preview,
        readAnalysisBody: bodies.read,
        hasMailServer,
        queue,
        senderRequests,
        senders: alertSenders,
        conversationVendors,
        integrations: { ...outbound, registry: integrationRegistry },
      },
      { organizationId, token },
      readBuiltFiles(),
    ),
  );
  await app.register(operatorRoutes({ queue, control, events, metrics, clock, token: operatorToken(secretKey) }));
  return bootstrapped;
}

type Ports = Pick<ConsumersOptions, "queue" | "events" | "control" | "metrics" | "senderRequests"> & {
  readonly outbound: OutboundContext;
};

function backgroundOptions(
  { config, app, clock, appUrl }: RoleContext,
  { outbound, ...ports }: Ports,
): ConsumersOptions {
  const { sources, investigationsPerOrganization: perOrganization, exitAfterMs, retentionDays } = config;
  const logger = app.log;
  const checkouts = configuredCheckouts(sources, { control: ports.control, logger });
  return {
    ...ports,
    clock,
    logger,
    perOrganization,
    exitAfterMs,
    retentionDays,
    integrations: { ...outbound, registry: integrationRegistry, logger },
    conversations: { outbound, vendors: conversationVendors, appUrl },
    sources: firstProvider([uploadedSources(ports.control), checkouts, codeHostSources(ports.control, outbound)]),
    changes: firstChanges([
      uploadedChanges(ports.control),
      checkoutChanges(sources, ports.control),
      codeHostChanges(ports.control, outbound),
    ]),
    lineHistory: firstLineHistory([
      checkoutLineHistory(sources, ports.control),
      codeHostLineHistory(ports.control, outbound),
    ]),
  };
}

function readBuiltFiles(): BuiltFiles {
  return {
    bundle: openWebBundle(webFolder),
    documentation: openWebBundle(documentationFolder),
    clients: readServedClients(clientsFolder),
  };
}
