import { join } from "node:path";
import {
  addressGuard,
  analyzerMetrics,
  analyzerRoutes,
  type BuiltFiles,
  createIdentity,
  emailChannel,
  logMailer,
  openAnalysisBodyReader,
  openPreviewer,
  operatorRoutes,
  operatorToken,
  readServedClients,
  readWebBundle,
  smtpMailer,
  startConsumers,
  startNotifier,
  webhookChannel,
} from "@whence/analyzer";
import { limits } from "@whence/protocol";
import { type Bootstrapped, bootstrap } from "../bootstrap.ts";
import type { RoleContext } from "./role-context.ts";

/** What the build of the web application leaves, in a workspace and in the image. */
const webFolder: string = join(import.meta.dirname, "../../../web/dist");
/** Likewise the build of the documentation. */
const documentationFolder: string = join(import.meta.dirname, "../../../../docs/.vitepress/dist");
/** Likewise the build of the clients. */
const clientsFolder: string = join(import.meta.dirname, "../../../../sdks/tarballs/dist");
/** How long a stopping process finishes what it has in hand; the rest is handed back and comes again. */
const drainGraceMs = 10_000;
/** The same for notifications; most of them are sent at once. */
const notifyGraceMs = 3_000;

/** Turns failures into incidents and incidents into reports, and serves people, agents and operators. */
export async function startAnalyzerRole(place: RoleContext): Promise<Bootstrapped> {
  const { config, app, storage, disk, registry, clock, secretKeys, appUrl, parts } = place;
  const [queue, events, control] = await Promise.all([storage.queue(), storage.events(), storage.control()]);
  const [secretKey, ...formerKeys] = secretKeys;
  if (secretKey === undefined) throw new TypeError("the analyzer runs without a secret key");
  const { bootstrapApiKey, openSignUp, silentAfterMs, retentionDays, sources } = config;
  const bootstrapped = await bootstrap(control, { bootstrapApiKey, secretKey, now: new Date(clock()) });

  const metrics = analyzerMetrics(registry, control.outbox);
  const logger = app.log;
  const consumers = startConsumers({
    queue,
    events,
    control,
    clock,
    logger,
    metrics,
    perOrganization: config.investigationsPerOrganization,
    silentAfterMs,
    retentionDays,
    checkouts: sources,
  });
  parts.defer(() => consumers.stop(drainGraceMs));
  const previewer = openPreviewer();
  parts.defer(() => previewer.close());
  const bodies = openAnalysisBodyReader();
  parts.defer(() => bodies.close());
  const { providers, smtp, webhookNetworks } = config;
  const mailer = smtp ? smtpMailer(smtp) : logMailer(logger);
  const hasMailServer = smtp !== undefined;
  const channels = {
    email: emailChannel({ mailer, hasMailServer, appUrl }),
    webhook: webhookChannel({ control, clock, mayReach: addressGuard(webhookNetworks) }),
  };
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
  const { unclaimedAgentLifetimeMs, unclaimedAgentOpenAnalysesMax } = limits;
  const rates = { ...config.rates, unclaimedAgentLifetimeMs, unclaimedAgentOpenAnalysesMax };
  const { organizationId, setupToken: token } = bootstrapped;
  await app.register(
    analyzerRoutes(
      {
        ...{
          control,
          events,
          disk,
          identity,
          appUrl,
          isAppUrlGiven: config.appUrl !== undefined,
          clock,
          limits: rates,
          mayAgentsRegister: config.mayAgentsRegister,
          retentionDays,
          metrics,
        },
        ...{
          relayOutbox: consumers.relayOutbox,
          preview: previewer.preview,
          readAnalysisBody: bodies.read,
          hasMailServer,
        },
      },
      { organizationId, token },
      readBuiltFiles(),
    ),
  );
  await app.register(operatorRoutes({ queue, control, events, metrics, clock, token: operatorToken(secretKey) }));
  return bootstrapped;
}

function readBuiltFiles(): BuiltFiles {
  return {
    bundle: readWebBundle(webFolder),
    documentation: readWebBundle(documentationFolder),
    clients: readServedClients(clientsFolder),
  };
}
