import { parseText } from "@whence/engine";
import { type Exception, fingerprint, messageTemplate } from "@whence/protocol";
import type { FailureRepository, KnownFailure } from "@whence/storage";
import { likelierFirst, mostLikelyAround } from "../triggers/alerted-failure.ts";
import { triggerLimits } from "../triggers/trigger-limits.ts";

const inWord = /[\p{L}\p{N}_-]/u;
/** A message with fewer characters of its own, beside its type and its values, may stand in a text by chance. */
const messageLengthMin = 12;
/** Maximum lines of a text that are searched for a failure's title. */
const linesMax = 2_000;

/**
 * Returns the failures in telemetry that a text written by people is most likely about, the most likely first; none when
 * the text is about no known failure. It is about those whose stack it quotes, else about those whose message it
 * quotes, whenever that was. Else it is about the failures, around that time, of a service whose name is a word in it,
 * unless the text states errors of other types.
 */
export async function discussedFailures(
  failures: Pick<FailureRepository, "list">,
  { text, at }: { readonly text: string; readonly at: string },
): Promise<readonly KnownFailure[]> {
  const recent = await failures.list({ limit: triggerLimits.failuresLookedAtMax });
  const isNamed = namedIn(text);
  const error = parseText(text);
  const chain = error.chain.flatMap((index) => error.exceptions[index] ?? []).map(toException);
  const quoted = chain.some(({ frames }) => frames.length > 0) ? recent.filter(isSameFailure(text, chain)) : [];
  const found = quoted.length > 0 ? quoted : recent.filter(quotedIn(text));
  if (found.length > 0) {
    const named = found.filter(({ service }) => isNamed(service));
    return (named.length > 0 ? named : found).toSorted(likelierFirst);
  }
  const types = error.exceptions.map(({ type }) => type);
  const mayBe = ({ title }: KnownFailure): boolean => types.length === 0 || types.some((type) => isOfType(title, type));
  return mostLikelyAround(
    recent.filter((failure) => isNamed(failure.service) && mayBe(failure)),
    at,
  );
}

function toException({ type, message, frames }: ReturnType<typeof parseText>["exceptions"][number]) {
  const places = frames.map(({ file, function: name, origin }) => ({
    ...(file !== null && { file }),
    ...(name !== null && { function: name }),
    in_app: origin === "app",
  }));
  return { type, message, stack: "", frames: places } satisfies Exception;
}

function isSameFailure(message: string, exceptions: readonly Exception[]): (failure: KnownFailure) => boolean {
  const ofService = new Map<string, string>();
  return ({ service, fingerprint: known }) => {
    const found = ofService.get(service) ?? fingerprint({ service, message, exceptions });
    ofService.set(service, found);
    return found === known;
  };
}

/** Ids, numbers, and other values may differ from those of the failure's first occurrence. */
function quotedIn(text: string): (failure: KnownFailure) => boolean {
  const lines = text.split("\n", linesMax).map(messageTemplate);
  return ({ title, fingerprint: known }) => {
    if (text.includes(known)) return true;
    const message = messageTemplate(title.replace(/…$/, ""));
    const own = message.replace(/^[\w.$]+:/, "").replace(/<\w+>/g, "");
    return own.trim().length >= messageLengthMin && lines.some((line) => line.includes(message));
  };
}

function isOfType(title: string, type: string): boolean {
  return title === type || title.startsWith(`${type}:`);
}

function namedIn(text: string): (service: string) => boolean {
  const written = text.toLowerCase();
  const known = new Map<string, boolean>();
  return (service) => {
    const isNamed = known.get(service) ?? isWordOf(written, service.toLowerCase());
    known.set(service, isNamed);
    return isNamed;
  };
}

/** Service names contain hyphens: `cart` isn't a word in `cart-worker`. */
function isWordOf(text: string, name: string): boolean {
  for (let at = text.indexOf(name); name !== "" && at >= 0; at = text.indexOf(name, at + 1)) {
    if (!inWord.test(text.slice(at - 1, at)) && !inWord.test(text.charAt(at + name.length))) return true;
  }
  return false;
}
