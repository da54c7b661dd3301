import { saidBy } from "../../words/thrown.ts";
import { textOf } from "../code/expressions.ts";
import type { Failure } from "../failure.ts";
import { placeAt, type Trail } from "../follow/trail.ts";

/** What a message says about an object's state, and the calls that bring about that state. */
const changes: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bclosed?\b/i, ["close", "closeSync", "end", "destroy", "quit", "disconnect"]],
  [/\b(?:ended|finished|after end)\b/i, ["end", "finish", "close"]],
  [/\bdestroyed\b/i, ["destroy", "end"]],
  [/\breleased\b/i, ["release", "end"]],
  [/\b(?:aborted|cancell?ed)\b/i, ["abort", "cancel"]],
  [/\b(?:disposed|terminated|stopped|shut ?down|revoked)\b/i, ["dispose", "terminate", "stop", "shutdown", "revoke"]],
  [/\b(?:read.only|not extensible|frozen|immutable|unmodifiable)\b/i, ["freeze", "seal", "preventExtensions"]],
];
/** More places than this show nothing. */
const placesMax = 3;

/** Adds the calls that bring an object into the state in which the message says it couldn't be used. */
export function findStateChanges({ codebase, chain }: Failure, trail: Trail): void {
  const said = chain.map(({ exception }) => saidBy(exception));
  const from = trail.first;
  const names = changes.flatMap(([pattern, calls]) => (said.some((text) => pattern.test(text)) ? calls : []));
  const found = codebase
    .near()
    .flatMap((program) =>
      [...new Set(names)].flatMap((name) => (program.calls.get(name) ?? []).map((call) => ({ program, call, name }))),
    );
  if (found.length > placesMax) return;
  for (const { program, call, name } of found) {
    const args = { how: "call", name, code: textOf(call, program.source) } as const;
    trail.add({ kind: "value-step", args }, placeAt(program, call), from);
  }
}
