import type { Alert, Clue, Findings, Ranked } from "../findings.ts";
import { capital, fill, inlineCode, placeText } from "../prose.ts";

/** A second file is worth a look when it is no further behind than this. */
const closeScore = 0.12;
const looksMax = 4;

/** What would show that the first candidate is wrong: for the kind of reason it rests on, and for the failure as it is known. */
export function disproofs(findings: Findings, first: Ranked): string[] {
  const own = first.clue ? disproofOfClue(first.clue) : disproofOfPlace(first);
  const known = findings.signatures[0];
  return [...(own === null ? [] : [own]), ...(known ? [fill(known.signature.rulesOut, known.groups)] : [])];
}

function disproofOfClue(clue: Clue): string | null {
  const subject = inlineCode(clue.subject);
  const where = placeText(clue.place);
  if (clue.how === "environment")
    return `${subject} is set, and not empty, in the environment of the process that failed`;
  if (clue.how === "setting") return `${subject} has a value in the configuration that the failing process read`;
  if (clue.kind === "unawaited-call") return `the same failure comes with ${subject} awaited`;
  if (clue.kind === "unreleased-resource")
    return `the number of ${subject} in use falls back to what it was when the requests have ended`;
  if (clue.kind === "broken-file") return `${subject} as it is deployed can be parsed`;
  if (clue.kind === "literal-value") return `the process that failed ran with another value than ${subject}`;
  if (clue.rule !== undefined) return `the same failure comes after ${where} was changed`;
  if (clue.how !== null)
    return `a breakpoint or a log line at ${where} shows that the value is as it should be there, with the input that failed`;
  return clue.kind === "nullish-operand"
    ? `a log line before ${where} shows that the value is there, with the input that failed`
    : null;
}

function disproofOfPlace({ location, subject, reason }: Ranked): string | null {
  if (reason.startsWith("a dependency") && subject !== null)
    return `the log of ${inlineCode(subject)} shows that it answered this request as it always does`;
  if (reason === "a failure of another service" && subject !== null)
    return `this service fails while ${inlineCode(subject)} is well`;
  return location ? `the same error comes with stacks that do not pass ${placeText(location)}` : null;
}

/** What to look at next, the most telling first: what is missing for a surer answer, and what else is likely. */
export function nextLooks(findings: Findings, first: Ranked, others: readonly Ranked[]): string[] {
  const known = findings.signatures[0];
  const second = others.find(
    ({ location, score }) => location && location.file !== first.location?.file && first.score - score <= closeScore,
  );
  const looks = [
    known ? `See whether ${fill(known.signature.confirms, known.groups)}.` : null,
    missingCode(findings, first),
    second?.location ? `Look at ${placeText(second.location)} too: it is nearly as likely.` : null,
    missingLog(findings),
  ];
  return looks.filter((look) => look !== null).slice(0, looksMax);
}

/** Code that would tell more, by the names under which it stands on the stack. */
function missingCode({ frames }: Findings, { location, place }: Ranked): string | null {
  if (place) return null;
  const blind = frames.filter((frame) => frame.frame.origin === "app" && frame.place === null);
  const files = [...new Set([...(location ? [location.file] : []), ...blind.map(({ file }) => file)])].slice(0, 3);
  if (files.length === 0) return null;
  return `Hand in ${files.map(inlineCode).join(", ")}: with the code the value can be followed to where it was made.`;
}

function missingLog({ error, event }: Findings): string | null {
  const hasStack = error.exceptions.some(({ frames }) => frames.length > 0);
  if (event || hasStack) return null;
  if (error.alert) return `${capital(sourceOf(error.alert))}: the error that set the alert off stands there.`;
  const object = error.records.find(({ fields }) => String(fields.object ?? "").startsWith("pod/"))?.fields.object;
  if (object !== undefined)
    return `Read the log of the process before it ended (${inlineCode(`kubectl logs ${String(object)} --previous`)}).`;
  return "Hand in the log from a few minutes before the failure, with the stack of the error if there is one.";
}

function sourceOf({ labels, startedAt }: Alert): string {
  const since = startedAt === null ? "" : ` from shortly before ${startedAt}`;
  const { pod, namespace, service, app, job, host, instance } = labels;
  if (pod !== undefined) {
    const command = `kubectl logs ${namespace === undefined ? "" : `-n ${namespace} `}${pod} --previous`;
    return `read the log of the pod${since} (${inlineCode(command)})`;
  }
  const name = service ?? app ?? job ?? host ?? instance;
  return `read the log${name === undefined ? "" : ` of ${inlineCode(name)}`}${since}`;
}
