import { type Lifecycle, lifecycleSchema, openedLifecycle } from "@whence/protocol";
import type { Selectable, Updateable } from "kysely";
import type { IncidentTable } from "../tables.ts";

/** The stored lifecycle of an incident. */
export function lifecycleOf({
  lifecycle_json: json,
  created_at: createdAt,
}: Pick<Selectable<IncidentTable>, "lifecycle_json" | "created_at">): Lifecycle {
  return json === null ? openedLifecycle(createdAt) : lifecycleSchema.parse(JSON.parse(json));
}

/** The columns of an incident that hold a lifecycle. */
export function lifecycleColumns(lifecycle: Lifecycle): Updateable<IncidentTable> {
  const { state, mute } = lifecycle;
  return {
    state,
    muted_until: mute?.kind === "time" ? new Date(mute.at).toISOString() : null,
    lifecycle_json: JSON.stringify(lifecycle),
  };
}
