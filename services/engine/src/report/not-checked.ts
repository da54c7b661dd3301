import { isCrashLoop } from "@whence/protocol";
import type { Findings, LocatedFrame } from "../findings.ts";
import type { Gap } from "../gaps.ts";
import type { OfKind } from "../kinds.ts";
import type { Traced } from "../trace/traced.ts";
import type { Messages } from "./messages.en.ts";

/** What an investigation could not see, in words, each once. */
export function notChecked(findings: Findings, traced: Traced, messages: Messages): string[] {
  const gaps = [...findings.notChecked, ...(findings.death ? deathGaps(findings.death) : gapsOf(findings, traced))];
  return [...new Set(gaps.map((gap) => gapText(gap, messages)))];
}

/** What a gap is, in words. */
export function gapText<K extends Gap["kind"]>(gap: OfKind<Gap, K>, { gaps }: Pick<Messages, "gaps">): string {
  return gaps[gap.kind](gap);
}

function gapsOf(findings: Findings, { leftOut }: Traced): Gap[] {
  const { event, files, frames, error } = findings;
  const own = frames.filter(({ frame }) => frame.origin === "app");
  const blind = own.filter((one) => !hasText(one, findings));
  return [
    ...error.unread,
    ...leftOut.map((one) => ({ kind: "code-left-out" as const, ...one })),
    ...(event ? [] : [{ kind: "no-telemetry" as const }]),
    ...(!event && files.length === 0 && blind.length > 0 ? [{ kind: "no-files" as const }] : []),
    ...(own.length > 0 && blind.length > 0
      ? [{ kind: "frames-without-text" as const, frames: blind.length, of: own.length }]
      : []),
    ...(frames.length > 0 && own.length === 0 ? [{ kind: "no-own-frame" as const }] : []),
  ];
}

/** Whether the code of a frame came along: attached, sent with the event, or printed in the traceback. */
function hasText({ place, frame, exception }: LocatedFrame, { error }: Findings): boolean {
  if (place !== null || frame.context !== null) return true;
  const text = error.exceptions[exception]?.source.text;
  if (!frame.printed || text === undefined) return false;
  const [, next = ""] = text.slice(frame.printed.start, frame.printed.end + lineUnitsMax).split("\n");
  return printedCode.test(next);
}

const lineUnitsMax = 300;
/** Python prints a frame's line of code below its file, indented by four. */
const printedCode = /^ {4}\S/;

function deathGaps(death: NonNullable<Findings["death"]>): Gap[] {
  const { processes } = death;
  const unread = processes.filter(({ readings }) => readings.length === 0).length;
  return [
    { kind: "machine" },
    ...(isCrashLoop(death) ? [{ kind: "process-output" as const }, { kind: "planned-runs" as const }] : []),
    ...(processes.every(({ breadcrumbs }) => breadcrumbs.length === 0) ? [{ kind: "no-last-activity" as const }] : []),
    ...(unread > 0 ? [{ kind: "no-heartbeats" as const, processes: unread }] : []),
  ];
}
