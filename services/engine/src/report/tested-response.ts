import type { Link } from "./link.ts";

/** What a response's status is compared by. */
const ofStatus = /status|\.ok\b/i;

/** Returns whether the program threw the error because of a response's status: it checks responses before reading them. */
export function testsResponse(chain: readonly Link[]): boolean {
  return chain.some((link) => {
    if (link.kind !== "code") return false;
    const { signal } = link.args;
    return signal.kind === "deliberate-throw" && ofStatus.test(signal.args.condition ?? "");
  });
}

/** Returns whether a link is an outgoing call, whose prevention is to check the response. */
export function isCall({ kind }: Link): boolean {
  return kind === "call" || kind === "failing-calls";
}
