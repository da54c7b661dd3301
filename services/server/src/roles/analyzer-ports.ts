import {
  type AnalyzerMetrics,
  type AskModel,
  analyzerMetrics,
  type BuiltFileMaps,
  builtFiles,
  codeHostSources,
  configuredCheckouts,
  configuredModels,
  firstProvider,
  type IssueSources,
  issueSources,
  type Models,
  reportModel,
  type SentSources,
  type SourceProvider,
  sentSources,
  uploadedSources,
} from "@whence/analyzer";
import type { ControlDb, EventStore, Queue } from "@whence/storage";
import {
  addressGuard,
  integrationRegistry,
  logMailer,
  type Mailer,
  type OutboundContext,
  openSenderRequests,
  type SenderRequests,
  smtpMailer,
} from "@whence/vendors";
import type { RoleContext } from "./role-context.ts";

/** What the API and the background work of the analyzer share. */
export interface AnalyzerPorts {
  readonly queue: Queue;
  readonly events: EventStore;
  readonly control: ControlDb;
  readonly metrics: AnalyzerMetrics;
  readonly outbound: OutboundContext;
  readonly senderRequests: SenderRequests;
  readonly mailer: Mailer;
  /** The code of services, wherever it is. */
  readonly sources: SourceProvider;
  /** The code around issues. */
  readonly issueSources: IssueSources;
  readonly sentSources: SentSources;
  readonly builtFiles: BuiltFileMaps;
  readonly models: Models;
  readonly askModel: AskModel;
}

export async function openAnalyzerPorts({
  config: { allowedNetworks, applications, smtp, sources: places, installationModel },
  app,
  storage,
  registry,
  clock,
  parts,
}: RoleContext): Promise<AnalyzerPorts> {
  const [queue, events, control] = await Promise.all([storage.queue(), storage.events(), storage.control()]);
  const mayReach = addressGuard(allowedNetworks);
  const senderRequests = openSenderRequests(mayReach);
  parts.defer(() => senderRequests.close());
  const metrics = analyzerMetrics(registry, control.outbox);
  const outbound: OutboundContext = { mayReach, clock, applications };
  const logger = app.log;
  const checkouts = configuredCheckouts(places, { control, logger });
  const code = {
    sources: firstProvider([uploadedSources(control), checkouts, codeHostSources(control, outbound)]),
    issueSources: issueSources(control, outbound),
    sentSources: sentSources(control, clock),
    builtFiles: builtFiles(control),
  };
  const models = configuredModels({ control, clock, outbound, metrics, installationModel });
  return {
    queue,
    events,
    control,
    senderRequests,
    metrics,
    outbound,
    models,
    ...code,
    mailer: smtp ? smtpMailer(smtp) : logMailer(logger),
    askModel: reportModel({
      control,
      events,
      clock,
      logger,
      metrics,
      models,
      ...code,
      integrations: { ...outbound, registry: integrationRegistry, logger },
    }),
  };
}
