import type { Clue, Findings, Observation, Ranked } from "../findings.ts";
import { observeBreadcrumb, observeCode, observeException, observeMechanism } from "../observe.ts";
import { capital, placeText } from "../prose.ts";
import type { AnyFact } from "../telemetry-facts.ts";
import { categoryOf, categoryOfClue, isUnhandledRejection, isWaiting, recentCalls, troubledCalls } from "./category.ts";
import { failedInPackage } from "./frame-candidates.ts";
import { cameFromElsewhere, isInstalledFile, packageOf } from "./origin.ts";
import { consequenceOf } from "./rules.ts";
import { originWeights, siteWeights, weights } from "./weights.ts";

/** Places that the code itself points at: where the value was made, what is not awaited, what is not released. */
export function clueCandidates(findings: Findings): Ranked[] {
  const site = findings.clues.find(({ steps, how }) => steps === 0 && how === null);
  return findings.clues.flatMap((clue) => {
    const score = scoreOf(clue, findings);
    if (score === null) return [];
    const evidence = evidenceOf(clue, site, findings);
    return [
      {
        category: consequenceOf(clue, findings)?.category ?? categoryOfClue(clue, findings),
        statement: statementOf(clue, site),
        location: { file: clue.place.file, line: clue.place.line, function: clue.place.function },
        place: clue.place,
        score,
        reason: reasonOf(clue),
        evidence,
        support: [clue.says],
        against: againstOf(clue),
        subject: clue.subject,
        clue,
      },
    ];
  });
}

function scoreOf(clue: Clue, findings: Findings): number | null {
  const base = baseOf(clue, findings);
  if (base === null || isAnsweredAddress(clue, findings)) return null;
  const isOrigin = clue.isEnd && clue.how !== null;
  const steps = clue.how === null ? 0 : Math.min(clue.steps, weights.stepsCounted);
  const towardsOrigin = base + steps * weights.stepTowardsOrigin + (isOrigin ? weights.endOfTrail : 0);
  if (isInput(clue, findings)) return towardsOrigin * weights.input;
  const isInstalled = isInstalledFile(clue.place.file);
  const isPackageFault = failedInPackage(findings);
  if (clue.kind === "suspicious-code") {
    // Whose answer is known to have failed is asked first.
    const isExplained = clue.rule === "unchecked-status" && troubledCalls(findings).length > 0;
    if (isExplained) return base * weights.givingUp;
    const isNear = !isInstalled || isPackageFault || isPackageOnStack(clue, findings);
    return isNear ? base : base * weights.installedCode;
  }
  if (isHandedAcross(clue, findings)) return base;
  if (isInstalled && isPackageFault) return clue.steps === 0 ? towardsOrigin : towardsOrigin * weights.insidePackage;
  if (isInstalled) return towardsOrigin * weights.installedCode;
  return !isInstalled && isPackageFault ? towardsOrigin * weights.ownCodeBehindPackage : towardsOrigin;
}

/** What the program's own beginning, at the bottom of the stack, hands in: what fails on it has to stand it. */
function isInput({ how, place }: Clue, { frames }: Findings): boolean {
  if (how === null || how === "environment" || place.function !== null) return false;
  const bottom = frames.findLast(({ frame }) => frame.origin === "app");
  return (
    bottom !== undefined &&
    bottom.place?.function === null &&
    bottom.file === place.file &&
    frames[0]?.file !== place.file
  );
}

/** A setting or a variable that led to an answer, which then could not be read, was set: the answer is at fault. */
function isAnsweredAddress({ how }: Clue, findings: Findings): boolean {
  if (how !== "setting" && how !== "environment") return false;
  const isAboutAnswer = ["parse-error", "upstream-bad-response"].includes(categoryOf(findings));
  return isAboutAnswer && troubledCalls(findings).some(({ data }) => data.status_code !== undefined);
}

/** `base + offset` with a text among the two: it joins where it was to add. */
function isTextJoined(clue: Clue, { error, clues }: Findings): boolean {
  if (clue.how !== "computed" || !clue.subject.includes(" + ")) return false;
  const isText = error.chain.some((index) =>
    /type string|received '?\d+'?\b|string \(/i.test(error.exceptions[index]?.message ?? ""),
  );
  return isText && clues.some(({ how, steps }) => how === "environment" && steps > clue.steps);
}

/** What one package hands another that then fails on it: whoever calls knows what it may hand over. */
function isHandedAcross(clue: Clue, { clues }: Findings): boolean {
  const site = clues.find(
    ({ kind }) => kind === "nullish-operand" || kind === "throw-site" || kind === "thrown-by-code",
  );
  if (clue.how !== "argument" || !site || !isInstalledFile(site.place.file)) return false;
  return (
    isInstalledFile(clue.place.file) && packageOf(clue.place.file) !== packageOf(site.place.file) && clue.steps <= 2
  );
}

/** A package that is on the stack, or any when no own code is. */
function isPackageOnStack({ place }: Clue, { frames }: Findings): boolean {
  const isOwnOnStack = frames.some(({ frame }) => frame.origin === "app");
  return !isOwnOnStack || frames.some(({ file }) => packageOf(file) === packageOf(place.file));
}

function baseOf(clue: Clue, findings: Findings): number | null {
  switch (clue.kind) {
    case "unawaited-call":
      return awaitScore(clue, findings);
    case "unreleased-resource":
      return isExhaustion(findings) ? weights.unreleased : null;
    case "broken-file":
      return weights.brokenFile;
    case "suspicious-code":
      return consequenceOf(clue, findings)?.worth ?? null;
    case "literal-value":
      return /\.[cm]?[jt]sx?$/.test(clue.place.file) ? weights.writtenInCode : weights.writtenSetting;
    case "value-origin":
    case "environment-read":
      if (clue.how === "outside-answer" && recentCalls(findings).length > 0) return weights.changedAnswer;
      if (clue.how === null) return null;
      if (isTextJoined(clue, findings)) return weights.joinedText;
      if (isHandedAcross(clue, findings)) return weights.handedAcross;
      return isWaiting(findings) ? originWeights[clue.how] * weights.givingUp : originWeights[clue.how];
    default:
      return scoreOfSite(clue, findings);
  }
}

function scoreOfSite(clue: Clue, findings: Findings): number | null {
  const base = siteWeights[clue.kind] ?? null;
  if (base === null) return null;
  if (clue.kind === "thrown-by-code" && isWaiting(findings)) return base * weights.givingUp;
  const isHandedIn = clue.kind === "nullish-operand" && cameFromElsewhere(clue, findings);
  return isHandedIn ? base * weights.handedIn : base;
}

/** A promise that is not awaited matters when a rejection was not handled, or when a value turned out to be none. */
function awaitScore(clue: Clue, findings: Findings): number | null {
  const isUnhandled = isUnhandledRejection(findings);
  const isOnPath = findings.frames.some(
    ({ place, file }) =>
      file === clue.place.file && (place === null || place.function === clue.place.function || isUnhandled),
  );
  // `forEach(async …)`: the loop does not wait, so that what it fills is empty.
  if (clue.says.startsWith("nothing awaits the async callback")) {
    const isOnTrail = findings.clues.some(
      ({ how, place }) => how !== null && place.file === clue.place.file && place.function === clue.place.function,
    );
    return isOnTrail ? weights.forgottenAwait + 0.04 : null;
  }
  const isForgotten = clue.says.startsWith("nothing awaits");
  // What the module itself starts has nobody that could wait for it.
  const isStart = clue.place.function === null;
  if (isForgotten && isStart) return isUnhandled || isFatal(findings) ? weights.forgottenStart : null;
  if (isForgotten)
    return isUnhandled || (isFatal(findings) && isOfTop(clue, findings))
      ? weights.forgottenAwait
      : isFatal(findings)
        ? weights.forgottenAwait * 0.7
        : null;
  const isShape = ["null-dereference", "type-mismatch"].includes(categoryOf(findings));
  return isShape && isOnPath ? weights.promiseAsValue : null;
}

/** Whether what nobody awaits is the very function that threw: then nobody could catch it. */
function isOfTop({ subject }: Clue, { frames }: Findings): boolean {
  const top = frames.find(({ frame }) => frame.origin !== "runtime")?.place?.function;
  return top !== undefined && top !== null && subject.split(".").at(-1) === top;
}

function isFatal({ error }: Findings): boolean {
  return error.chain.some((index) => error.exceptions[index]?.fatal);
}

function isExhaustion(findings: Findings): boolean {
  return ["resource-exhaustion", "timeout"].includes(categoryOf(findings));
}

function evidenceOf(clue: Clue, site: Clue | undefined, findings: Findings): Observation<AnyFact>[] {
  const first = findings.error.chain
    .map((index) => findings.error.exceptions[index])
    .find((exception) => exception !== undefined);
  const evidence: Observation<AnyFact>[] = [observeCode(findings, clue.place)];
  if (first) evidence.push(observeException(findings, first));
  if (site && site !== clue) evidence.push(observeCode(findings, site.place));
  if (clue.kind === "unawaited-call" && findings.event) evidence.push(observeMechanism(findings.event));
  const isAnswer = clue.how !== null && answered.has(clue.how);
  const call = isAnswer ? (troubledCalls(findings)[0] ?? recentCalls(findings)[0]) : undefined;
  if (call && findings.event) {
    const observed = observeBreadcrumb(findings.event, call.index);
    if (observed) evidence.push(observed);
  }
  return evidence;
}

/** Values that come, or may come, from an answer of another service. */
const answered: ReadonlySet<string> = new Set(["outside-answer", "answer-field", "awaited-call"]);

function statementOf(clue: Clue, site: Clue | undefined): string {
  const where = placeText(clue.place);
  const here = `${capital(clue.says)} (${where}).`;
  return !site || site === clue || clue.how === null ? here : `${capital(site.says)}; ${clue.says} (${where}).`;
}

function reasonOf(clue: Clue): string {
  if (clue.kind === "unawaited-call") return "a promise that is not awaited";
  if (clue.kind === "unreleased-resource") return "a resource that is not released";
  if (clue.kind === "broken-file") return "a file that cannot be read";
  if (clue.kind === "suspicious-code") return "code that leads to such an error";
  if (clue.kind === "literal-value") return "the value of the error is written there";
  if (clue.how === "environment") return "a setting read from the environment";
  return clue.steps === 0 ? "the failing expression" : "the way of the value";
}

function againstOf(clue: Clue): string[] {
  const isFar = clue.steps > 4;
  return isFar ? ["it lies several steps along the data from where the error came up"] : [];
}
