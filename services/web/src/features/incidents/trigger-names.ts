import { type Trigger, triggerSchema } from "@whence/protocol";

/** Every kind of trigger. */
export const triggerKinds: readonly Trigger["kind"][] = triggerSchema.options.map(({ shape }) => shape.kind.value);

const kindNames: Readonly<Record<string, string>> = {
  analyze: "Requested",
  event: "Telemetry",
  "process-exit": "Process exit",
  alert: "Alert",
  conversation: "Conversation",
};

/** Returns a short name for what started an analysis; an unknown kind is shown by its own name. */
export function triggerName(kind: string): string {
  return kindNames[kind] ?? kind;
}

/** Returns the same for one incident: `Alert from Grafana`, `Asked by Ada in Slack`. */
export function startedBy(trigger: Trigger): string {
  if (trigger.kind === "alert")
    return trigger.source === "monitor" ? "Alert of a monitor" : `Alert from ${trigger.sender}`;
  if (trigger.kind === "conversation") return `Asked by ${trigger.author} in ${trigger.sender}`;
  return triggerName(trigger.kind);
}
