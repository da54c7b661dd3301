import type { ValueSource } from "../../signals/code/value-sources.ts";
import type { SentRequest } from "../../signals/sent-request.ts";
import { argumentsOf, keyText, lastName, plain, receiverOf } from "../code/expressions.ts";
import { type CodeNode, functionNodesMax, part, walk } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { resolve, writesReaching } from "../code/scopes.ts";

/** Steps that take in the result of a call. */
const answering: ReadonlySet<ValueSource> = new Set<ValueSource>([
  ...(["outside-answer", "parsed-text", "answer-field", "awaited-call"] as const),
]);
/** Those that take in something from outside. */
const reading: ReadonlySet<ValueSource> = new Set<ValueSource>(["outside-answer", "parsed-text"]);
/** Names in code that checks the status, or tells its client to. */
const statusName =
  /^(?:ok|status(?:Code|_code|Text)?|raise_for_status|is_success|is_error|throwForStatus|throwOnError)$/i;
const checkingCall = /^(?:check|assert|ensure|expect)/i;
/** A path within a URL. */
const pathPart = /\/[\w-]{2}/;
/** A placeholder in a format string. */
const placeholder = /\$?\{[^}]*\}/;
/** Names of request options that hold the URL. */
const urlNames = /^(?:url|uri|href|path(?:name)?|endpoint)$/i;
const partsMax = 8;

/** Returns what a step's expression requests from another service; null when it takes in no result of a call. */
export function sentRequest(program: Program, step: CodeNode, how: ValueSource): SentRequest | null {
  if (!answering.has(how)) return null;
  const node = plain(step);
  const asked = requestIn(program, node) ? node : (requestOf(program, node) ?? node);
  const isHttp = reading.has(how) && (asked !== node || requestIn(program, node) || readsBody(program, node));
  const around = node.owner ?? program.tree;
  return { urlParts: urlParts(asked), isHttp, takesAnyStatus: isHttp && takesAnyStatus(program, around) };
}

/**
 * Returns whether an expression has a call that returns a response of any status; other clients raise for 400 and
 * above.
 */
function requestIn(program: Program, node: CodeNode): boolean {
  for (const one of walk(node, functionNodesMax)) if (isRequest(program, one)) return true;
  return false;
}

function isRequest({ dialect: { calls } }: Program, node: CodeNode): boolean {
  const callee = node.kind === "call" ? part(node, "callee") : null;
  if (!callee) return false;
  const on = callee.kind === "member" ? part(callee, "on") : null;
  return on ? calls.httpClients.has(lastName(on) ?? "") : callee.kind === "name" && calls.requests.has(node.name ?? "");
}

/** Matches `answer.json()`. */
function readsBody({ dialect }: Program, node: CodeNode): boolean {
  return (
    node.kind === "call" &&
    dialect.calls.bodies.has(node.name ?? "") &&
    receiverOf(node) !== null &&
    argumentsOf(node).length === 0
  );
}

/** Returns the expression that produced `answer` in `answer.json()`. */
function requestOf(program: Program, node: CodeNode): CodeNode | null {
  const on = readsBody(program, node) ? receiverOf(node) : null;
  const answer = on && plain(on);
  const binding = answer?.kind === "name" ? resolve(program, answer.name ?? "", answer) : null;
  const [write] = binding && answer ? writesReaching(binding, answer) : [];
  return write?.value ? plain(write.value) : null;
}

function takesAnyStatus(program: Program, around: CodeNode): boolean {
  let isAsked = false;
  for (const node of walk(around, functionNodesMax)) {
    if (looksAtStatus(node)) return false;
    isAsked ||= isRequest(program, node);
  }
  return isAsked;
}

function looksAtStatus(node: CodeNode): boolean {
  const key = node.kind === "index" ? part(node, "key") : null;
  const name = key ? keyText(key) : node.name;
  if (name === null || node.kind === "string" || node.kind === "template") return false;
  return statusName.test(name) || (node.kind === "call" && checkingCall.test(name));
}

/** Returns the literal parts of the URL in a call's arguments, without those of other options and of functions. */
function urlParts(asked: CodeNode): string[] {
  const found: string[] = [];
  const pending: CodeNode[] = [asked];
  for (let node = pending.pop(); node !== undefined && found.length < partsMax; node = pending.pop()) {
    if (node.kind === "function") continue;
    if (node.kind === "string")
      found.push(...(node.name ?? "").split(placeholder).filter((text) => pathPart.test(text)));
    else pending.push(...node.children.filter((child) => mayHoldUrl(child)).toReversed());
  }
  return found;
}

function mayHoldUrl({ kind, name, parent }: CodeNode): boolean {
  return kind !== "entry" || parent?.kind !== "object" || urlNames.test(name ?? "");
}
