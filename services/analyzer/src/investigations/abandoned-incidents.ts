import { minuteMs, parseJson } from "@whence/protocol";
import { investigationsTopic, type Queue } from "@whence/storage";
import { analyzerErrors } from "../errors.ts";
import { type InvestigationContext, investigationMessageSchema } from "./investigation-context.ts";

/** How often to look for dead investigations. */
export const lookIntervalMs = minuteMs;
const lettersPerLook = 200;

export interface AbandonedIncidents {
  /** Resolves when no look is running. */
  stop(): Promise<void>;
}

/**
 * Ends incidents whose investigation won't be retried: its message is a dead letter, because one process after another died
 * while handling it. Without this they would stay `investigating` forever. Runs at once, then every minute; several
 * processes may do so, and an incident that has ended in the meantime stays as it is.
 */
export function startAbandonedIncidents(
  queue: Queue,
  { control, clock, logger, metrics }: InvestigationContext,
): AbandonedIncidents {
  let running: Promise<void> | undefined;

  async function look(): Promise<void> {
    try {
      for (const letter of await queue.deadLetters(investigationsTopic, lettersPerLook)) await end(letter);
    } catch (error) {
      logger.error({ err: error }, "could not look for dead investigations; will retry");
    }
  }

  async function end({ body, attempts, reason }: { body: string; attempts: number; reason: string }): Promise<void> {
    const message = investigationMessageSchema.safeParse(parseJson(body));
    // A report that couldn't be refined stays as it is.
    if (!message.success || message.data.refine) return;
    const { incident_id: id, scope_id: scopeId } = message.data;
    const { incidents } = control.scope(scopeId);
    const attempt = await incidents.begin(id, new Date(clock()));
    if (attempt === null) return;
    const { code, message: text } = analyzerErrors.create("WHENCE_ERR_INVESTIGATION_FAILED", [attempts, reason]);
    logger.error({ incident: id, attempts, reason }, "gave up on an investigation that kept killing its process");
    if (await incidents.fail(id, attempt, { code, message: text }, new Date(clock()))) {
      metrics.investigations.inc({ outcome: "failed" });
    }
  }

  function start(): void {
    running ??= look().finally(() => {
      running = undefined;
    });
  }

  start();
  const looking = setInterval(start, lookIntervalMs).unref();
  return {
    async stop() {
      clearInterval(looking);
      await running;
    },
  };
}
