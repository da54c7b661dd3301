import { type AnalyzerMetrics, analyzerMetrics } from "@whence/analyzer";
import type { ControlDb, EventStore, Queue } from "@whence/storage";
import {
  addressGuard,
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
}

export async function openAnalyzerPorts({
  config: { allowedNetworks, applications, smtp },
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
  return {
    ...{ queue, events, control, senderRequests },
    metrics: analyzerMetrics(registry, control.outbox),
    outbound: { mayReach, clock, applications },
    mailer: smtp ? smtpMailer(smtp) : logMailer(app.log),
  };
}
