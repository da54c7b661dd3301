import { setTimeout as delay } from "node:timers/promises";
import { dayMs, hourMs, minuteMs, type NotificationRule, WhenceError } from "@whence/protocol";
import type { ControlDb, MatchedRule, NotificationOccasion, TakenDelivery } from "@whence/storage";
import type { AnalyzerMetrics } from "../metrics.ts";
import { type DeliverOptions, deliver } from "./deliver.ts";
import { matchRule } from "./match-rule.ts";

/** How often to look for new occasions. */
export const notifyIntervalMs = 2_000;
/** Maximum messages that one process sends at once, and that all processes send at once for one organization. */
const messagesMax = 16;
const perScopeMax = 4;
/** A message that hasn't been settled by then was lost with its process. */
const holdMs = minuteMs;
const occasionsPerLook = 100;
const summariesPerLook = 20;
const forgetIntervalMs = hourMs;
/** How long the outcome of a message is kept. */
const keptMs = 90 * dayMs;
const forgottenAtOnce = 1_000;
const statusUnavailable = 503;

export interface NotifierOptions extends DeliverOptions {
  readonly control: Pick<ControlDb, "scope" | "alertSources" | "notifications">;
  readonly metrics: Pick<AnalyzerMetrics, "notifications">;
}

export interface Notifier {
  /** Resolves when nothing is being sent, or after `graceMs`; other analyzers send the rest. */
  stop(graceMs: number): Promise<void>;
}

/**
 * Notifies people about incidents: looks for new occasions every two seconds, finds the rules that match, and sends what is
 * due. Any number of processes may run it: a message belongs to one at a time. A message is sent at least once, under one
 * id; it is sent again if its process died after sending it and before recording that.
 */
export function startNotifier(options: NotifierOptions): Notifier {
  const { control, clock, logger } = options;
  const underWay = new Set<Promise<void>>();
  let stopped = false;
  let running: Promise<void> | undefined;
  let isMore = false;
  let forgetAt = 0;

  async function look(): Promise<void> {
    isMore = false;
    try {
      // In a storm, planned messages go out before the rest is planned.
      isMore = await planSome(options, () => stopped);
      await sendDue();
      await control.notifications.summarise(new Date(clock()), summariesPerLook);
      if (clock() < forgetAt) return;
      const forgotten = await control.notifications.forget(new Date(clock() - keptMs), forgottenAtOnce);
      // The next round takes the rest, so that none takes long.
      if (forgotten < forgottenAtOnce) forgetAt = clock() + forgetIntervalMs;
    } catch (error) {
      logger.error({ err: error }, "could not process notifications; will retry");
    }
  }

  async function sendDue(): Promise<void> {
    const max = messagesMax - underWay.size;
    if (stopped || max <= 0) return;
    for (const taken of await control.notifications.take(new Date(clock()), { max, perScopeMax, holdMs })) {
      const sending: Promise<void> = send(options, taken).finally(() => {
        underWay.delete(sending);
        start();
      });
      underWay.add(sending);
    }
  }

  function start(): void {
    if (stopped) return;
    running ??= look().finally(() => {
      running = undefined;
      if (isMore) start();
    });
  }

  start();
  const looking = setInterval(start, notifyIntervalMs).unref();
  return {
    async stop(graceMs) {
      stopped = true;
      clearInterval(looking);
      await running;
      await Promise.race([Promise.all(underWay), delay(graceMs, undefined, { ref: false })]);
    },
  };
}

/** Plans messages for the oldest occasions; returns whether there may be more. */
async function planSome(options: NotifierOptions, isStopped: () => boolean): Promise<boolean> {
  const { control } = options;
  const rules: KnownRules = new Map();
  const occasions = await control.notifications.occasions(new Date(options.clock()), occasionsPerLook);
  for (const occasion of occasions) {
    if (isStopped()) return false;
    const matched = await matching(options, occasion, rules);
    await control.notifications.plan(occasion, matched, new Date(options.clock()));
  }
  return occasions.length === occasionsPerLook;
}

/** The rules of scopes, read once per round. */
type KnownRules = Map<string, readonly NotificationRule[]>;

async function matching(
  { control, logger, clock }: NotifierOptions,
  { scopeId, incidentId, kind }: NotificationOccasion,
  known: KnownRules,
): Promise<MatchedRule[]> {
  const { incidents, notifications } = control.scope(scopeId);
  try {
    const rules = known.get(scopeId) ?? (await notifications.list());
    known.set(scopeId, rules);
    const incident = await incidents.find(incidentId);
    if (!incident) return [];
    return rules.flatMap((rule) => {
      const match = matchRule(rule, incident, kind, new Date(clock()));
      return match ? [{ ruleId: rule.id, severity: incident.severity, ...match }] : [];
    });
  } catch (error) {
    if (error instanceof WhenceError && error.status === statusUnavailable) throw error;
    // An incident that can't be read, as after a rollback, must not hold up other messages.
    logger.error(
      { err: error, incident: incidentId },
      "could not plan the notifications of an incident; none are sent",
    );
    return [];
  }
}

async function send(options: NotifierOptions, taken: TakenDelivery): Promise<void> {
  const { control, clock, logger, metrics } = options;
  const { channel } = taken;
  try {
    const outcome = await deliver(options, taken);
    if (!outcome || !(await control.notifications.settle(taken, outcome, new Date(clock())))) return;
    metrics.notifications.inc({ channel, outcome: outcome.state === "waiting" ? "retried" : outcome.state });
  } catch (error) {
    logger.error({ err: error, delivery: taken.id }, "could not process a notification; will retry");
  }
}
