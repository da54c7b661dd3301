import { argumentsOf, keyText, lastName, plain, receiverOf, textOf } from "../code/expressions.ts";
import { ownName } from "../code/functions.ts";
import { around, type CodeNode, type Kind, part, walk } from "../code/ir.ts";
import { type Program, parametersOf } from "../code/program.ts";
import { resolve } from "../code/scopes.ts";
import type { Failure } from "../failure.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { isCompressed } from "./compressed-texts.ts";
import { ownNodes } from "./own-nodes.ts";

const usesMax = 60_000;
const foundMax = 3;
/** What is left of a character whose bytes were decoded apart. */
const torn = /\ufffd|UnicodeDecodeError: [^\n]{0,120}unexpected end of data/;
/** Names of what has bytes: a text is handed on in chunks, too. */
const bytes = /^(?:chunk|buf|buffer|data|bytes|block|piece|part)$/i;
/** Python's readers of a part of a stream. */
const reading =
  /^(?:read|recv|iter_content|iter_chunks|iter_chunked|iter_bytes|iter_raw|aiter_bytes|aiter_raw|chunks|stream|iter)$/;
/** What makes a stream give texts instead of bytes. */
const decoding: ReadonlySet<string> = new Set(["setEncoding", "TextDecoderStream", "decodeStream"]);
/** Encodings with one character for each byte, or of bytes as text. */
const byteEncoding = /^(?:hex|base64(?:url)?|latin-?1|binary|ascii|iso-?8859-1)$/i;

/** Calls that write a text to a log. */
const logging = /^(?:log|debug|verbose|info|warn|warning|error|trace|print|println|printf|puts)$/;
const consoles: ReadonlySet<string> = new Set(["stdout", "stderr"]);

/**
 * Notes where each part of a stream is decoded on its own, if the error shows a character that was torn apart. What is
 * only logged can't be what failed.
 */
export function findSplitTexts({ codebase, said, chain }: Failure, trail: Trail): void {
  if (!torn.test(said) || isCompressed(said)) return;
  const found = [...ownNodes(codebase)].flatMap(({ program, node }) => {
    const chunk = decodedIn(node);
    return chunk && isChunk(program, chunk) && !isOnlyLogged(program, node) ? [{ program, node, chunk }] : [];
  });
  if (found.length > foundMax || chain.length === 0) return;
  for (const { program, node, chunk } of found) {
    const args = { code: textOf(node, program.source), chunk: textOf(chunk, program.source) };
    trail.add({ kind: "split-text", args }, placeAt(program, node), null);
  }
}

/** Returns the name whose bytes an expression turns into a text. */
function decodedIn(node: CodeNode): CodeNode | null {
  const named = (value: CodeNode | null | undefined): CodeNode | null =>
    value && plain(value).kind === "name" ? plain(value) : null;
  if (node.kind === "call") {
    const [first, second] = argumentsOf(node);
    if (node.name === "String" && !receiverOf(node)) return named(first?.value);
    const encoding = first && keyText(first.value);
    if (node.name === "toString") return encoding && byteEncoding.test(encoding) ? null : named(receiverOf(node));
    if (node.name !== "decode") return null;
    // `decoder.decode(chunk, { stream: true })` keeps an unfinished character.
    const isKept = second !== undefined || /incremental|decoder/i.test(lastName(receiverOf(node) ?? node) ?? "");
    const given = first ? named(first.value) : null;
    if (given && bytes.test(given.name ?? "")) return second === undefined ? given : null;
    return (isKept && first !== undefined) || (encoding && byteEncoding.test(encoding))
      ? null
      : named(receiverOf(node));
  }
  const isAdded = node.kind === "assign" && node.name === "+=";
  const added = isAdded ? named(part(node, "value")) : null;
  return added && bytes.test(added.name ?? "") ? added : null;
}

/** Returns whether a name has one part of a stream. */
function isChunk(program: Program, use: CodeNode): boolean {
  if (use.name === null) return false;
  const binding = resolve(program, use.name, use);
  if (!binding || isDecoded(program)) return false;
  if (binding.kind === "parameter") return isGivenChunks(binding.node);
  return binding.writes.some(({ node, value }) => {
    const isReadAgain = value !== null && isInLoop(use) && reading.test(lastName(value) ?? "");
    return isReadAgain || (node.kind === "loop" && isOverStream(program, node, use));
  });
}

/** Returns whether a file has streams give texts: `setEncoding("utf8")`, `createReadStream(path, "utf8")`. */
function isDecoded({ calls, entries }: Program): boolean {
  if ([...decoding].some((name) => calls.has(name)) || entries.has("encoding")) return true;
  return (calls.get("createReadStream") ?? []).some((call) => argumentsOf(call).length > 1);
}

/** Returns whether a loop goes through the parts of a stream, rather than through a list of values. */
function isOverStream({ source }: Program, loop: CodeNode, use: CodeNode): boolean {
  const over = part(loop, "over");
  const name = (over && lastName(over)) ?? "";
  if (reading.test(name)) return true;
  const isAsync = /^(?:async\s+for|for\s+await)\b/.test(source.text.slice(loop.start, loop.start + asyncUnits));
  return bytes.test(use.name ?? "") && (isAsync || streams.test(name));
}

/** As much of a loop as says whether it waits for each element. */
const asyncUnits = 20;
const streams = /stream|response|socket|^(?:req|res|request|body|file|stdin|stdout)$/i;

function isInLoop(node: CodeNode): boolean {
  for (let at: CodeNode | null = node; at !== null && at.kind !== "function"; at = at.parent)
    if (at.kind === "loop") return true;
  return false;
}

/** Returns whether a function gets the parts of a stream one by one: `_transform(chunk)`, `on("data", (chunk) => …)`. */
function isGivenChunks(parameter: CodeNode): boolean {
  const owner = parameter.parent;
  if (owner?.kind !== "function" || parametersOf(owner)[0] !== parameter) return false;
  const name = ownName(owner) ?? "";
  if (name === "_transform" || name === "_write") return true;
  const isOfOptions = /^(?:transform|write)$/.test(name) && parametersOf(owner).length > 1;
  const call = owner.role === "argument" ? owner.parent : null;
  const [event] = call?.kind === "call" && /^(?:on|addListener)$/.test(call.name ?? "") ? argumentsOf(call) : [];
  return isOfOptions || (event !== undefined && keyText(event.value) === "data");
}

/** Returns whether a text, or the variable that it is stored in, is only logged. */
function isOnlyLogged(program: Program, text: CodeNode): boolean {
  if (isLogged(text)) return true;
  const name = storedIn(text);
  const binding = name?.name ? resolve(program, name.name, text) : null;
  if (binding?.kind !== "variable") return false;
  const uses = [...walk(binding.scope, usesMax)].filter(
    (one) =>
      one.kind === "name" &&
      one.name === binding.name &&
      one.role !== "target" &&
      resolve(program, binding.name, one) === binding,
  );
  return uses.length > 0 && uses.every(isLogged);
}

/** Returns whether an expression, or what its methods make of it, is an argument of a call that logs it. */
function isLogged(text: CodeNode): boolean {
  for (let at = text; at.parent !== null && !statements.has(at.kind); at = at.parent)
    if (at.role === "argument") return at.parent.kind === "call" && logs(at.parent);
  return false;
}

const statements: ReadonlySet<Kind> = new Set<Kind>(["declare", "assign", "block", "function"]);

function logs(call: CodeNode): boolean {
  const on = receiverOf(call);
  return logging.test(call.name ?? "") || (call.name === "write" && on !== null && consoles.has(lastName(on) ?? ""));
}

/** Returns the variable that a text is stored in or added to, as its declaration or its name; null for none. */
function storedIn(text: CodeNode): CodeNode | null {
  const setting = around(text, "declare", "assign", "block", "function");
  if (setting?.kind === "declare") return setting;
  const target = setting?.kind === "assign" ? part(setting, "target") : null;
  return target?.kind === "name" ? target : null;
}
