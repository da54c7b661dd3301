import type { Link } from "./link.ts";

/** Other things than responses have a status, too: an order, a job. */
const ofResponse = /response\b|\bresp?\b|\b[1-5]\d\d\b/i;

/** Returns whether a condition, as written, is about the status of a response. */
function isOfStatus(condition: string): boolean {
  return /\.ok\b/.test(condition) || (/status/i.test(condition) && ofResponse.test(condition));
}

/** Returns whether the program, or its client, threw an error because of a response's status: it is checked before it is read. */
export function testsResponse(chain: readonly Link[]): boolean {
  return chain.some((link) => {
    if (link.kind !== "code") return false;
    const { signal, isRaised } = link.args;
    if (isRaised) return true;
    return signal.kind === "deliberate-throw" && isOfStatus(signal.args.condition ?? "");
  });
}

/** Returns whether a link is an outgoing call, whose prevention is to check the response. */
export function isCall({ kind }: Link): boolean {
  return kind === "call" || kind === "failing-calls";
}
