import type { Actor } from "@whence/protocol";
import type { Erasure, ErasureStore, EventStore, FailureScope, Scoped } from "@whence/storage";

/** The stores to erase from. */
export interface ErasedPorts {
  readonly control: ErasureStore & Scoped<FailureScope>;
  readonly events: Pick<EventStore, "forScope">;
}

/**
 * Erases a service of a scope, or everything the scope has: at once from the control database and from every answer of
 * the event store. The request stays recorded, so that a later pass removes telemetry that is still in the queue.
 */
export async function erase(
  { control, events }: ErasedPorts,
  request: { scopeId: string; service: string | null; by: Actor; now: Date },
): Promise<void> {
  const erasure = await control.erasures.request(request);
  await control.erasures.removeRows(erasure, request.by);
  if (erasure.service !== null) await forgetThresholds(control, erasure.scopeId, erasure.service);
  await eraseTelemetry({ events }, erasure);
}

/** Removes telemetry received before the request. Idempotent. */
export async function eraseTelemetry(
  { events }: Pick<ErasedPorts, "events">,
  { scopeId, service, requestedAt }: Erasure,
): Promise<void> {
  await events.forScope(scopeId).erase({ service: service ?? undefined, receivedBefore: requestedAt });
}

/** Removes mutes, so that a service that comes back isn't muted. */
async function forgetThresholds(control: Scoped<FailureScope>, scopeId: string, service: string): Promise<void> {
  const { thresholds } = control.scope(scopeId);
  const chosen = await thresholds.read();
  if (!chosen.muted_services.includes(service)) return;
  await thresholds.replace({ ...chosen, muted_services: chosen.muted_services.filter((name) => name !== service) });
}
