import type { Breadcrumb, ExitedProcess } from "@whence/protocol";
import type { StoredEvent } from "@whence/storage";
import { z } from "zod";

type LastAction = ExitedProcess["breadcrumbs"][number];

/** The number of actions of one process: those that a report names, and some before them. */
const actionsMax = 20;
const textLengthMax = 300;

const callSchema = z.object({
  method: z.string(),
  url: z.string(),
  status_code: z.number().optional(),
  duration_ms: z.number().optional(),
  error: z.string().optional(),
  error_code: z.string().optional(),
});

/**
 * Returns the last actions of a process, oldest first: the breadcrumbs of its events and the failures it reported. A
 * call that was in flight in one event and answered in the next counts once, with its answer.
 */
export function lastActions(events: readonly StoredEvent[]): LastAction[] {
  const inTime = events.toSorted((left, right) => Date.parse(left.event.timestamp) - Date.parse(right.event.timestamp));
  const actions = new Map<string, LastAction>();
  for (const { event } of inTime) {
    for (const breadcrumb of event.breadcrumbs ?? []) actions.set(identityOf(breadcrumb), toAction(breadcrumb));
    if (event.type !== "exception" && event.type !== "log") continue;
    actions.set(event.id, {
      at: event.timestamp,
      category: event.type,
      message: event.message.slice(0, textLengthMax),
    });
  }
  return [...actions.values()].toSorted((left, right) => Date.parse(left.at) - Date.parse(right.at)).slice(-actionsMax);
}

function identityOf({ timestamp, category, message = "", data }: Breadcrumb): string {
  return JSON.stringify([timestamp, category, message, data?.method, data?.url]);
}

function toAction({ timestamp: at, category, message = "", data }: Breadcrumb): LastAction {
  const call = callSchema.safeParse(data);
  const text = call.success ? callText(call.data) : message === "" && data ? JSON.stringify(data) : message;
  return { at, category, message: text.slice(0, textLengthMax) };
}

/** Such as `POST https://payments/charge 200 in 12 ms`. */
function callText({ method, url, status_code, duration_ms, error, error_code }: z.infer<typeof callSchema>): string {
  const code = error_code !== undefined && error?.includes(error_code) ? undefined : error_code;
  const failed = [code, error].filter((part) => part !== undefined).join(" ");
  const ended = [status_code, failed].filter((part) => part !== undefined && part !== "").join(", ");
  const took = duration_ms === undefined ? "" : ` in ${Math.round(duration_ms)} ms`;
  return `${method} ${url} ${ended === "" ? "with no answer yet" : `${ended}${took}`}`;
}
