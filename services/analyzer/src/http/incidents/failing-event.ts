import { type FailingEvent, type TelemetryEvent, withheldText } from "@whence/protocol";
import type { DeliveryAccount, ScopedEvents, StoredEvent } from "@whence/storage";

const mappedFramesShown = 20;
const framesWithVariablesShown = 20;

/** Returns what an event lacks, and what its client changed in it. Considers its process from `since` (RFC 3339) on. */
export async function readFailingEvent(
  events: ScopedEvents,
  stored: StoredEvent,
  since: string,
): Promise<FailingEvent> {
  const { event, instance, claimedAt } = stored;
  const accounts = await events.deliveries({ since, instance, limit: 1 });
  return {
    event_id: event.id,
    claimed_at: claimedAt ?? null,
    redactions: [...(event.redactions ?? [])],
    withheld:
      event.message === withheldText || (event.exceptions ?? []).some(({ message }) => message === withheldText),
    kept_back: keptBack(accounts[0]),
    mapped_frames: mappedFrames(event),
    local_variables: localVariables(event),
  };
}

function keptBack(account: DeliveryAccount | undefined): number {
  const ranges = account?.missing.filter(({ reason }) => reason === "before_send") ?? [];
  return ranges.reduce((sum, { fromSeq, toSeq }) => sum + toSeq - fromSeq + 1, 0);
}

function mappedFrames({ exceptions = [] }: TelemetryEvent): FailingEvent["mapped_frames"] {
  const frames = exceptions.flatMap((exception) => exception.frames ?? []);
  return frames
    .flatMap(({ file, line, generated, in_app: isOwn }) =>
      generated === undefined || file === undefined || isOwn === false
        ? []
        : [{ file, line: line ?? null, generated: { file: generated.file, line: generated.line ?? null } }],
    )
    .slice(0, mappedFramesShown);
}

function localVariables({ exceptions = [] }: TelemetryEvent): FailingEvent["local_variables"] {
  const frames = exceptions.flatMap((exception) => exception.frames ?? []);
  return frames
    .flatMap(({ file, line, function: name, vars: variables }) =>
      variables === undefined || file === undefined
        ? []
        : [{ file, line: line ?? null, function: name ?? null, variables }],
    )
    .slice(0, framesWithVariablesShown);
}
