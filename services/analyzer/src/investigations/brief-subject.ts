import type { Gap, InvestigationSubject } from "@whence/engine";

/** The length read of a text that took too long, which takes a few milliseconds. */
export const briefTextUnitsMax = 65_536;

/** A subject that can be investigated quickly: without code, and only the beginning of a long text. The report says so. */
export function briefSubject(subject: InvestigationSubject): InvestigationSubject {
  const { input } = subject;
  if (input.kind === "process-exit") return { ...subject, input: { kind: input.kind, exit: input.exit } };
  const isCut = input.kind === "text" && input.errorLog.length > briefTextUnitsMax;
  const gap: Gap = { kind: "stopped-early", textUnitsRead: isCut ? briefTextUnitsMax : null };
  const notChecked = [...(subject.notChecked ?? []), gap];
  if (input.kind === "text") {
    const errorLog = input.errorLog.slice(0, briefTextUnitsMax);
    return { ...subject, notChecked, input: { ...input, errorLog, files: [] } };
  }
  const exceptions = input.event.exceptions?.map((exception) => ({
    ...exception,
    frames: exception.frames?.map(({ context: _, ...frame }) => frame) ?? [],
  }));
  const event = { ...input.event, ...(exceptions ? { exceptions } : {}) };
  return { ...subject, notChecked, input: { ...input, files: [], notRead: [], event } };
}
