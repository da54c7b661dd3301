import { failureMessageSchema, reportedRunSchema } from "@whence/protocol";
import {
  type ControlDb,
  checkInsTopic,
  failuresTopic,
  investigationsTopic,
  type Queue,
  webhooksTopic,
} from "@whence/storage";
import { type AlertSenders, addressGuard, type SenderRequests } from "@whence/vendors";
import { startConsumer } from "./consumers/consume.ts";
import { startExpirySweep } from "./consumers/expiry-sweep.ts";
import { sharingTime } from "./consumers/sharing-time.ts";
import type { ConversationContext } from "./conversations/conversation-context.ts";
import { startPoster } from "./conversations/poster.ts";
import { startDeploymentWatch } from "./deployments/deployment-watch.ts";
import { failureHandler } from "./incidents/decide-failures.ts";
import { startAbandonedIncidents } from "./investigations/abandoned-incidents.ts";
import { type InvestigationContext, investigationMessageSchema } from "./investigations/investigation-context.ts";
import { investigationLanes } from "./investigations/investigation-lanes.ts";
import { investigationHandler } from "./investigations/investigations.ts";
import { type OutboxRelay, startOutboxRelay } from "./investigations/outbox-relay.ts";
import { openRankedInvestigators } from "./investigations/ranked-investigators.ts";
import { startRefinementWatch } from "./investigations/refinement/refinement-watch.ts";
import { modelPlaces } from "./model-run/model-places.ts";
import { startMonitorWatch } from "./monitors/monitor-watch.ts";
import { runHandler } from "./monitors/record-run.ts";
import { startPredictionWatch } from "./predictions/prediction-watch.ts";
import { startExitWatch } from "./process-exits/heartbeat-watch.ts";
import { triggerLimits } from "./triggers/trigger-limits.ts";
import { webhookHandler } from "./webhooks/handle-webhook.ts";
import { webhookMessageSchema } from "./webhooks/webhook-message.ts";

/** Few lanes, because decisions are short and their transactions wait for each other. */
const failureLanes = 1;
/** One, so that runs are recorded in their order. */
const runLanes = 1;
const defaultPerOrganization = 2;
const defaultRetentionDays = 30;

export interface ConsumersOptions extends InvestigationContext {
  readonly control: ControlDb;
  readonly queue: Queue;
  /** The senders of webhooks; those that there are by default. */
  readonly senders?: AlertSenders;
  /** Answers the requests of webhook senders. */
  readonly senderRequests: SenderRequests;
  /** The dependencies for taking part in conversations; requests wait without them. */
  readonly conversations?: Pick<ConversationContext, "vendors" | "outbound" | "appUrl" | "askModel">;
  /** Concurrent investigations of one organization in this process. 2 by default. */
  readonly perOrganization?: number;
  /** How long a process may send nothing before it counts as ended. 150 s by default. */
  readonly exitAfterMs?: number;
  /** The default retention of inputs of analyses; 30 days when absent. */
  readonly retentionDays?: number;
}

export interface Consumers {
  readonly relayOutbox: () => void;
  /** Finishes the current messages, or hands them back after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/**
 * Starts the analyzer's background work: failures become incidents, incidents become reports, reports are refined, their
 * predictions are checked, conversations are answered, deployments are watched, monitors are checked, and expired data is removed. Any number of
 * analyzers may run it on the same queue and database:
 * while one holds a message, no other gets it.
 */
export function startConsumers(options: ConsumersOptions): Consumers {
  const { queue, control, clock, logger, perOrganization = defaultPerOrganization } = options;
  const { retentionDays = defaultRetentionDays } = options;
  const lanes = investigationLanes(perOrganization);
  const relay: OutboxRelay = startOutboxRelay({ control, queue, clock, logger, perOrganization });
  const sweep = startExpirySweep({ ...options, retentionDays });
  const exits = startExitWatch({ ...options, relayOutbox: relay.kick });
  const abandoned = startAbandonedIncidents(queue, options);
  const predictions = startPredictionWatch(options);
  const deployments = startDeploymentWatch({ ...options, relayOutbox: relay.kick });
  const mayReach = options.integrations?.mayReach ?? addressGuard([]);
  const monitors = startMonitorWatch({ ...options, mayReach, relayOutbox: relay.kick });
  const refinements = startRefinementWatch({ ...options, relayOutbox: relay.kick });
  const poster = options.conversations
    ? startPoster({ ...options, ...options.conversations, relayOutbox: relay.kick })
    : undefined;
  const investigators = openRankedInvestigators(perOrganization);
  const consumers = [
    startConsumer({
      queue,
      logger,
      topic: failuresTopic,
      schema: failureMessageSchema,
      concurrency: failureLanes,
      handle: sharingTime(failureHandler({ ...options, relayOutbox: relay.kick })),
    }),
    startConsumer({
      queue,
      logger,
      topic: checkInsTopic,
      schema: reportedRunSchema,
      concurrency: runLanes,
      handle: sharingTime(runHandler({ ...options, mayReach, relayOutbox: relay.kick })),
    }),
    startConsumer({
      queue,
      logger,
      topic: webhooksTopic,
      schema: webhookMessageSchema,
      concurrency: triggerLimits.webhookLanes,
      handle: sharingTime(
        webhookHandler({ ...options, relayOutbox: relay.kick, ...(poster && { kickPoster: poster.kick }) }),
      ),
    }),
    startConsumer({
      queue,
      logger,
      topic: investigationsTopic,
      schema: investigationMessageSchema,
      concurrency: lanes.total,
      handle: investigationHandler({
        ...options,
        investigatorsOf: investigators.of,
        modelPlaces: modelPlaces(Math.max(1, perOrganization - 1)),
      }),
      onDone: relay.done,
    }),
  ];
  return {
    relayOutbox: relay.kick,
    async stop(graceMs) {
      await Promise.all(consumers.map((consumer) => consumer.stop(graceMs)));
      await poster?.stop(graceMs);
      await Promise.all([exits.stop(), refinements.stop(), deployments.stop(), monitors.stop()]);
      await Promise.all([relay.stop(), sweep.stop(), abandoned.stop(), predictions.stop()]);
      await investigators.close();
    },
  };
}
