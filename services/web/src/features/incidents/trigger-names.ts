import { type Trigger, triggerSchema } from "@whence/protocol";

/** Every kind of trigger there is. */
export const triggerKinds: readonly Trigger["kind"][] = triggerSchema.options.map(({ shape }) => shape.kind.value);

const names: Readonly<Record<string, string>> = { analyze: "Requested", event: "Telemetry", silence: "Silence" };

/** What started an analysis, in a word or two; a kind that this page does not know yet by its own name. */
export function triggerName(kind: string): string {
  return names[kind] ?? kind;
}
