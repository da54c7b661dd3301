import { type Draft, newDraft } from "./draft.ts";
import { parseInlineProperties } from "./formats/node-properties.ts";
import { isAtStart, parseHeader } from "./header.ts";
import { toError } from "./json/json-log.ts";
import type { ReadableLine } from "./readable-line.ts";
import type { Reading } from "./reading.ts";

/** Further errors without stacks are dropped: the first ones show what happened first. */
const stacklessMax = 20;

/** Reasons of Kubernetes that say that something failed before, and not what. */
const consequences = new Set(["BackOff", "CrashLoopBackOff", "ImagePullBackOff", "Unhealthy", "Killing", "Error"]);

/** Errors given by a name and a message only, or by a sentence that was logged as an error. */
export function readStackless({ free, records }: Reading): Draft[] {
  const named = readNamed(free);
  if (named.length > 0) return named;
  const failed = records.filter(({ level }) => level === "error" || level === "fatal");
  return failed.slice(0, stacklessMax).map((record) => {
    const { reason } = record.fields;
    const draft = toError(record);
    // Kubernetes has names for what goes wrong.
    if (typeof reason === "string" && /^[A-Z]\w{2,60}$/.test(reason)) draft.type = reason;
    // What follows from another failure is looked into when there is nothing else.
    if (typeof reason === "string" && consequences.has(reason)) draft.level = "warn";
    return draft;
  });
}

function readNamed(lines: readonly ReadableLine[]): Draft[] {
  const found: Draft[] = [];
  for (const { text, printed } of lines) {
    const header = parseHeader(text);
    if (!header || (header.message === "" && !isAtStart(text, header))) continue;
    const parent = /^caused by: /i.test(text.trim()) ? (found.at(-1) ?? null) : null;
    found.push(
      newDraft(header.type, header.message, printed, {
        properties: { ...(header.code ? { code: header.code } : {}), ...parseInlineProperties(text) },
        parent,
        relation: parent ? "cause" : null,
      }),
    );
    if (found.length >= stacklessMax) break;
  }
  return found;
}
