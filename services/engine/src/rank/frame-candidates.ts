import type { Findings, LocatedFrame, Observation, ParsedException, Ranked } from "../findings.ts";
import { observeCode, observeException, observeFrame } from "../observe.ts";
import { inlineCode, placeText } from "../prose.ts";
import type { AnyFact } from "../telemetry-facts.ts";
import { categoryOf, isWaiting } from "./category.ts";
import { cameFromElsewhere } from "./origin.ts";
import { weights } from "./weights.ts";

/** Deeper frames are callers of callers: they are listed by the analysis, not suspected. */
const framesConsidered = 6;

/** The places on the stack, each as a possible cause: the baseline that clues have to beat. */
export function frameCandidates(findings: Findings): Ranked[] {
  return findings.error.chain.flatMap((index) => {
    const exception = findings.error.exceptions[index];
    if (!exception) return [];
    const frames = findings.frames.filter((frame) => frame.exception === index && frame.frame.origin !== "runtime");
    return frames
      .slice(0, framesConsidered)
      .map((frame, position) => candidate(findings, exception, frame, position, frames));
  });
}

/** Whether a package failed by itself: the runtime threw inside its code, and the package did not throw on purpose. */
export function failedInPackage(findings: Findings): boolean {
  const first = findings.frames.find(({ frame }) => frame.origin !== "runtime");
  return first?.frame.origin === "dependency" && !throwsOnPurpose(findings, first);
}

function throwsOnPurpose({ clues, error }: Findings, located: LocatedFrame): boolean {
  const thrown = clues.some(
    (clue) =>
      clue.kind === "thrown-by-code" && clue.place.file === located.file && clue.place.line === located.frame.line,
  );
  const type = error.exceptions[located.exception]?.type ?? "";
  return thrown || !runtimeTypes.has(type);
}

/** What the runtime itself throws; anything else was thrown by somebody's code. */
const runtimeTypes: ReadonlySet<string> = new Set([
  "TypeError",
  "ReferenceError",
  "RangeError",
  "SyntaxError",
  "URIError",
]);

function candidate(
  findings: Findings,
  exception: ParsedException,
  located: LocatedFrame,
  position: number,
  frames: readonly LocatedFrame[],
): Ranked {
  const { frame, file, place } = located;
  const name = place?.function ?? frame.function;
  const firstOwn = frames.find((one) => one.frame.origin === "app");
  const evidence: Observation<AnyFact>[] = [observeException(findings, exception)];
  const printed = observeFrame(findings, located);
  if (printed) evidence.push(printed);
  const where = placeText({ file, line: frame.line, function: name });
  if (place) evidence.push(observeCode(findings, place));
  const reason =
    position === 0
      ? "the innermost frame of the stack"
      : located === firstOwn
        ? "the innermost frame of the service's own code"
        : "a frame of the stack";
  return {
    category: categoryOf(findings),
    statement: isWaiter(findings, located)
      ? `${where} waited in vain for what others hold and do not give back.`
      : `${inlineCode(exception.type)} came up in ${where}.`,
    location: { file, line: frame.line, function: name },
    place,
    score: scoreOf(findings, located, position, firstOwn),
    reason,
    evidence,
    support: [`it is ${reason}`],
    against: [...against(located), ...(isWaiter(findings, located) ? ["who holds it is not on this stack"] : [])],
    subject: null,
    clue: null,
  };
}

function scoreOf(
  findings: Findings,
  located: LocatedFrame,
  position: number,
  firstOwn: LocatedFrame | undefined,
): number {
  const special = specialScore(findings, located, position);
  if (special !== null) return special;
  const isPackageFault = failedInPackage(findings);
  const isDependency = located.frame.origin === "dependency";
  if (position === 0 && isDependency) {
    const missed = findings.clues.find(
      ({ kind, place }) => kind === "nullish-operand" && place.line === located.frame.line,
    );
    const isHandedIn = missed !== undefined && cameFromElsewhere(missed, findings);
    const base = isPackageFault ? weights.topFrame : weights.topFrameRefusing;
    return isHandedIn ? base * weights.handedIn : base;
  }
  if (located === firstOwn)
    return isPackageFault ? weights.topOwnFrame * weights.ownCodeBehindPackage : weights.topOwnFrame;
  const base = Math.max(weights.otherFrame - position * weights.frameStep, 0.05);
  return isDependency && !isPackageFault ? base * weights.installedCode : base;
}

/** What a stack tells by its shape: who recurs, and who waits for a lock or a pool. */
function specialScore(findings: Findings, located: LocatedFrame, position: number): number | null {
  if (categoryOf(findings) === "infinite-loop" && timesOnStack(findings, located) > 1) {
    return weights.recursion - position * weights.frameStep;
  }
  return isWaiter(findings, located) ? weights.takerOfResource - position * weights.frameStep : null;
}

/** Whether the frame asked a lock or a pool that gave up: it waited for what others hold. */
function isWaiter(findings: Findings, located: LocatedFrame): boolean {
  const top = findings.frames.find(({ frame }) => frame.origin !== "runtime");
  const isBelow = top !== undefined && located.frame.origin === "app" && located.file !== top.file;
  return isBelow && isWaiting(findings) && throwsOnPurpose(findings, top);
}

function timesOnStack({ frames }: Findings, { file, frame }: LocatedFrame): number {
  return frames.filter(
    (other) => other.file === file && other.frame.function === frame.function && frame.function !== null,
  ).length;
}

function against({ frame, place }: LocatedFrame): string[] {
  return [
    ...(place ? [] : ["its source was not given, so that nothing there was checked"]),
    ...(frame.origin === "dependency"
      ? ["it is code of an installed package, which may only show a fault of its caller"]
      : []),
  ];
}
