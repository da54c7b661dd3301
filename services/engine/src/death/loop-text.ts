import type { SilencedProcess } from "@whence/protocol";
import { inlineCode } from "../prose.ts";
import { secondsText } from "./assess.ts";

const minuteMs = 60_000;

/** A loop without its end: such as "`orders` was started 4 times within 6 min, was heard for 20 s each time, and never told its end". */
export function loopText(rounds: readonly SilencedProcess[]): string {
  const [first, last] = [rounds[0], rounds.at(-1)];
  if (!first || !last) return "";
  const spanMs = Date.parse(last.firstHeardAt) - Date.parse(first.firstHeardAt);
  const span = spanMs < 2 * minuteMs ? secondsText(spanMs) : `${Math.round(spanMs / minuteMs)} min`;
  return `${inlineCode(first.service)} was started ${rounds.length} times within ${span}, was heard ${heardText(rounds)}, and never told its end`;
}

function heardText(rounds: readonly SilencedProcess[]): string {
  const heardMs = rounds.map(({ firstHeardAt, lastHeardAt }) => Date.parse(lastHeardAt) - Date.parse(firstHeardAt));
  const [shortest, longest] = [secondsText(Math.min(...heardMs)), secondsText(Math.max(...heardMs))];
  if (longest === secondsText(0)) return "only once each time";
  return shortest === longest ? `for ${longest} each time` : `for ${shortest} to ${longest}`;
}
