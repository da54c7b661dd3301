import { join } from "node:path";
import {
  analyzerRoutes,
  type BuiltFiles,
  createIdentity,
  latestBuild,
  openAnalysisBodyReader,
  openBundleReader,
  openPreviewer,
  openWebBundle,
  operatorRoutes,
  operatorToken,
  readServedClients,
} from "@whence/analyzer";
import { limits } from "@whence/protocol";
import { alertSenders, conversationVendors, integrationRegistry } from "@whence/vendors";
import { type Bootstrapped, bootstrap } from "../bootstrap.ts";
import type { AnalyzerPorts } from "./analyzer-ports.ts";
import type { RoleContext } from "./role-context.ts";

/** The build output of the web application, in a workspace and in the image. */
const webFolder: string = join(import.meta.dirname, "../../../web/dist");
/** The build output of the documentation. */
const documentationFolder: string = join(import.meta.dirname, "../../../../docs/.vitepress/dist");
/** The build output of the clients. */
const clientsFolder: string = join(import.meta.dirname, "../../../../sdks/tarballs/dist");

/** Opened when first asked for, and after each build. */
const builtFiles: BuiltFiles = {
  bundle: latestBuild(webFolder, openWebBundle),
  documentation: latestBuild(documentationFolder, openWebBundle),
  clients: latestBuild(clientsFolder, readServedClients),
};

/** Serves people, agents, and operators. Calls `relayOutbox` after a request has left work in the outbox. */
export async function serveApi(
  { config, app, disk, clock, secretKeys, appUrl, parts }: RoleContext,
  { queue, events, control, metrics, outbound, senderRequests, mailer, askModel }: AnalyzerPorts,
  relayOutbox: () => void,
): Promise<Bootstrapped> {
  const [secretKey] = secretKeys;
  if (secretKey === undefined) throw new TypeError("the API runs without a secret key");
  const { bootstrapApiKey, openSignUp, providers, retentionDays } = config;
  const bootstrapped = await bootstrap(control, { bootstrapApiKey, secretKey, now: new Date(clock()) });
  const previewer = openPreviewer();
  parts.defer(() => previewer.close());
  const bodies = openAnalysisBodyReader();
  parts.defer(() => bodies.close());
  const bundles = openBundleReader();
  parts.defer(() => bundles.close());
  const identity = createIdentity({
    control,
    clock,
    secretKeys,
    appUrl,
    openSignUp,
    providers,
    mailer,
    logger: app.log,
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
        relayOutbox,
        preview: previewer.preview,
        readAnalysisBody: bodies.read,
        readBundle: bundles.read,
        mailer,
        hasMailServer: config.smtp !== undefined,
        installationModel: config.installationModel,
        queue,
        senderRequests,
        senders: alertSenders,
        conversationVendors,
        askModel,
        integrations: { ...outbound, registry: integrationRegistry },
      },
      { organizationId, token },
      builtFiles,
    ),
  );
  await app.register(operatorRoutes({ queue, control, events, metrics, clock, token: operatorToken(secretKey) }));
  return bootstrapped;
}
