import type { LocatedFrame, ParsedException } from "../../../findings.ts";
import { inlineCode } from "../../../prose.ts";
import { coversLine } from "./calls.ts";
import { type CodeNode, part } from "./code-node.ts";
import { argumentsOf, isLiteral, lastName, operandsOf, plain, receiverOf, textOf } from "./expressions.ts";
import type { CodeProgram } from "./program.ts";
import type { CodePrograms } from "./programs.ts";

/** What a value that is followed turned out to be: that tells which of its origins can be meant. */
export type Wanted = "nothing" | "zero" | "any";

/** An expression of the throw site that is followed. */
export interface SuspectNode {
  readonly node: CodeNode;
  readonly wanted: Wanted;
  /** What was read of it, outermost first. */
  readonly path?: readonly string[];
}

/** What is wrong at the place where an error was thrown, and what of it can be followed. */
export interface Suspicion {
  readonly kind: "nullish-operand" | "thrown-by-code" | "throw-site";
  readonly subjects: readonly SuspectNode[];
  /** One sentence about the throw site. */
  readonly says: string;
}

/** Where in the code a frame is. */
export interface Site {
  readonly programs: CodePrograms;
  readonly program: CodeProgram;
  readonly frame: LocatedFrame;
  /** What begins on the line, and what that is a part of within its statement, in the order of the text. */
  readonly nodes: readonly CodeNode[];
}

/** A message of the runtime, and which expression of the line it means. */
export interface Failing {
  /** Of the type and the message, with `: ` between them. */
  readonly pattern: RegExp;
  readonly find: (site: Site, match: RegExpExecArray) => Suspicion | null;
}

const subjectsMax = 6;
const nodesOnLineMax = 2_000;
/** How far out from the line the expression may begin. */
const outwardMax = 6;

export function siteOf(programs: CodePrograms, frame: LocatedFrame): Site | null {
  const program = frame.place && programs.of(frame.place.source);
  if (!program || !frame.place) return null;
  return { programs, program, frame, nodes: nodesAt(program, frame.place.line) };
}

/** A call of several lines is on the stack by the line of its name or of its bracket. */
function nodesAt(program: CodeProgram, line: number): CodeNode[] {
  const own = (program.byLine.get(line) ?? []).slice(0, nodesOnLineMax);
  const found = new Set(own);
  for (const node of own) {
    let at = node.parent;
    for (let out = 0; at && out < outwardMax && expressions.has(at.kind); out++) {
      found.add(at);
      at = at.parent;
    }
  }
  return [...found].sort((left, right) => left.start - right.start || right.end - left.end);
}

const expressions: ReadonlySet<string> = new Set(["member", "index", "call", "binary", "wrapper", "throw", "entry"]);

/** What the message of an error says about the expression at a frame. */
export function suspect(error: ParsedException, frame: LocatedFrame, programs: CodePrograms): Suspicion | null {
  const site = siteOf(programs, frame);
  if (!site) return null;
  const said = `${error.type}: ${error.message}`;
  if (isInnermost(frame, site)) {
    for (const { pattern, find } of site.program.dialect.failures) {
      const match = pattern.exec(said);
      const found = match && find(site, match);
      if (found) return found;
    }
    const thrown = thrownAt(site);
    if (thrown) return thrown;
  }
  return refusedArguments(site);
}

/** The first frame, or the first that is not the runtime's. */
function isInnermost({ index, frame }: LocatedFrame, { program }: Site): boolean {
  if (index === 0 || frame.origin === "runtime") return true;
  return program.dialect.name === "java" || program.dialect.name === "go";
}

/** `raise …` at the place: what the condition around it looks at, and what its message shows. */
function thrownAt(site: Site): Suspicion | null {
  const { program, frame } = site;
  const line = frame.place?.line ?? 0;
  const raise = program.raises.find((node) => coversLine(program, node, line));
  return raise ? raisedBy(program, raise) : null;
}

/** What an error that the code raises itself depends on. */
export function raisedBy(program: CodeProgram, raise: CodeNode): Suspicion {
  const guard = guardOf(raise);
  const guarding = guard ? operandsOf(guard) : [];
  const shown = operandsOf(raise.kind === "throw" ? (raise.children[0] ?? raise) : raise).filter(
    (node) => node !== raise,
  );
  const isConstructed = (node: CodeNode): boolean =>
    node.kind === "call" && /^[A-Z]/.test(lastName(node, program.source) ?? "");
  const subjects = guarding.length > 0 ? guarding : shown.filter((node) => !isConstructed(node));
  const unique = subjects.filter(
    (node, index) =>
      subjects.findIndex((one) => textOf(one, program.source) === textOf(node, program.source)) === index,
  );
  return {
    kind: "thrown-by-code",
    subjects: unique.slice(0, subjectsMax).map((node) => ({ node, wanted: "any" as const })),
    says: guard
      ? `the code throws this itself, when ${inlineCode(textOf(guard, program.source, 120))}`
      : "the code throws this itself",
  };
}

/** The condition under which a statement runs, within its function. */
function guardOf(statement: CodeNode): CodeNode | null {
  for (let node = statement; node.parent !== null && node.kind !== "function"; node = node.parent) {
    const { parent } = node;
    if (parent.kind === "if" || parent.kind === "choice") {
      const condition = part(parent, "condition");
      if (condition && condition !== node) return plain(condition);
    }
    if (parent.kind === "block") {
      const before = parent.children.findLast(({ end }) => end <= node.start);
      if (before?.kind === "if" && !part(before, "otherwise") && leavesBy(before)) return part(before, "condition");
    }
  }
  return null;
}

/** `if ok: return`: what follows runs only when it is not so. */
function leavesBy(condition: CodeNode): boolean {
  const then = part(condition, "consequence");
  const last = then?.kind === "block" ? (then.children.at(-1) ?? null) : then;
  return last?.kind === "return";
}

/** The call at a frame threw, or called what threw: its arguments, or what it was called on. */
function refusedArguments({ program, nodes, frame }: Site): Suspicion | null {
  const line = frame.place?.line ?? 0;
  const calls = nodes.filter((node) => node.kind === "call" && coversLine(program, node, line));
  const call = calls.find((node) => argumentsOf(node, program.source).length > 0) ?? calls[0];
  if (!call) return null;
  const given = argumentsOf(call, program.source).map(({ value }) => value);
  const receiver = receiverOf(call);
  const values = given.length > 0 ? given : receiver ? [receiver] : [];
  const name = lastName(call, program.source) ?? textOf(call, program.source, 60);
  return {
    kind: "throw-site",
    subjects: values
      .filter((node) => !isLiteral(node) && node.kind !== "function")
      .slice(0, subjectsMax)
      .map((node) => ({ node, wanted: "any" as const })),
    says: `it happened inside the call of ${inlineCode(name)}`,
  };
}

// What the messages of runtimes mean: each finds one kind of expression on the line.

/** `value.name`, of a value that has no such member: what stands before it. */
export function readOf(site: Site, name: string, wanted: Wanted, value: string): Suspicion | null {
  const { program } = site;
  const node = site.nodes.find(
    (one) => isRead(one) && lastName(one, program.source) === name && receiverOf(one) !== null,
  );
  const receiver = node && receiverOf(node);
  if (!receiver) return null;
  return missing(site, receiver, wanted, `was ${inlineCode(value)} when ${inlineCode(name)} was read of it`);
}

function isRead({ kind }: CodeNode): boolean {
  return kind === "member" || kind === "call";
}

/** `value[…]`, of a value that has no elements. */
export function elementOf(site: Site, wanted: Wanted, value: string): Suspicion | null {
  const node = site.nodes.find(({ kind }) => kind === "index");
  const on = node && part(node, "on");
  return on ? missing(site, on, wanted, `was ${inlineCode(value)} when an element of it was read`) : null;
}

/** `container["key"]`, which lacks the key: the container, and what is read of it. */
export function keyOf(site: Site, key: string): Suspicion | null {
  const { program } = site;
  const reads = site.nodes.filter(({ kind }) => kind === "index" || kind === "call");
  for (const node of reads) {
    const at = keyRead(program, node);
    if (!at) continue;
    const written = textOf(at.key, program.source);
    const isComputed = !isLiteral(at.key);
    const isIt = written.replace(/^[:"'`]+|["'`]+$/g, "") === key;
    if (!isIt && !isComputed) continue;
    return {
      kind: "nullish-operand",
      says: `${inlineCode(textOf(at.on, program.source))} has no ${inlineCode(key)}`,
      subjects: [
        { node: at.on, wanted: "nothing", path: [key] },
        ...(isComputed ? [{ node: at.key, wanted: "any" as const }] : []),
      ],
    };
  }
  return null;
}

/** What is read under which key: `on[key]`, `on.fetch(key)`, `on.get(key)`. */
export function keyRead(
  program: CodeProgram,
  node: CodeNode,
): { on: CodeNode; key: CodeNode; fallback: CodeNode | null } | null {
  const on = receiverOf(node);
  if (!on) return null;
  if (node.kind === "index") {
    const key = part(node, "key");
    return key ? { on, key, fallback: null } : null;
  }
  const name = lastName(node, program.source) ?? "";
  if (!program.dialect.calls.lookups.has(name) || name.startsWith("find")) return null;
  const [key, fallback] = argumentsOf(node, program.source);
  return key ? { on, key: key.value, fallback: fallback?.value ?? null } : null;
}

/** What is divided by. */
export function divisor(site: Site): Suspicion | null {
  const { source } = site.program;
  const node = site.nodes.find((one) => one.kind === "binary" && /^(?:\/\/?|%)$/.test(operatorOf(one, source.text)));
  const right = node && part(node, "right");
  return right ? missing(site, right, "zero", "was 0 when it was divided by") : null;
}

export function operatorOf(node: CodeNode, text: string): string {
  const operator = part(node, "operator");
  return operator ? text.slice(operator.start, operator.end) : "";
}

/** An operand of an operator that it has no value for: the first that is no literal, as there is no telling. */
export function operandOf(site: Site, operator: string, wanted: Wanted, value: string): Suspicion | null {
  const { source } = site.program;
  const node = site.nodes.find((one) => one.kind === "binary" && operatorOf(one, source.text) === operator);
  const sides = node ? [part(node, "left"), part(node, "right")].filter((one) => one !== null && !isLiteral(one)) : [];
  const [first] = sides;
  if (!node || !first) return null;
  return {
    kind: "nullish-operand",
    says: `an operand of ${inlineCode(textOf(node, source))} was ${inlineCode(value)}`,
    subjects: sides.flatMap((one) => (one ? [{ node: one, wanted }] : [])),
  };
}

/** The first argument of one of some calls. */
export function argumentOf(site: Site, names: readonly string[], wanted: Wanted, value: string): Suspicion | null {
  const { source } = site.program;
  const call = site.nodes.find((one) => one.kind === "call" && names.includes(lastName(one, source) ?? ""));
  const given = call ? (argumentsOf(call, source)[0]?.value ?? receiverOf(call)) : null;
  if (!call || !given) return null;
  const says = `${inlineCode(textOf(given, source))} was ${inlineCode(value)} when ${inlineCode(lastName(call, source) ?? "")} was called with it`;
  return { kind: "nullish-operand", says, subjects: [{ node: given, wanted }] };
}

/** A name as the message spells it. */
export function named(site: Site, name: string, wanted: Wanted, says: string): Suspicion | null {
  const { source } = site.program;
  const node = site.nodes.find((one) => textOf(one, source, 200) === name && one.kind !== "operator");
  return node ? { kind: "nullish-operand", says: `${inlineCode(name)} ${says}`, subjects: [{ node, wanted }] } : null;
}

/** Whatever the line reads a member of: the message does not say which. */
export function anyReceiver(site: Site, value: string): Suspicion | null {
  const { program } = site;
  const read = site.nodes.filter((one) => one.kind === "member" || one.kind === "index" || isDereference(program, one));
  const receivers = read
    .map((one) => (one.kind === "unary" ? part(one, "operand") : part(one, "on")))
    .filter((one) => one !== null && !isPackage(program, one));
  const unique = receivers.filter(
    (one, index) =>
      one !== null &&
      receivers.findIndex(
        (other) => other !== null && textOf(other, program.source) === textOf(one, program.source),
      ) === index,
  );
  const [first] = unique;
  if (!first) return null;
  return {
    kind: "nullish-operand",
    says: `${unique.flatMap((one) => (one ? [inlineCode(textOf(one, program.source))] : [])).join(" or ")} was ${inlineCode(value)} when a field of it was used`,
    subjects: unique.flatMap((node) => (node ? [{ node, wanted: "nothing" as const }] : [])).slice(0, subjectsMax),
  };
}

function isDereference({ source }: CodeProgram, node: CodeNode): boolean {
  return node.kind === "unary" && source.text[node.start] === "*";
}

/** `fmt` of `fmt.Sprintf`: an import is not what is nil. */
function isPackage(program: CodeProgram, node: CodeNode): boolean {
  if (node.kind !== "name") return false;
  const name = textOf(node, program.source);
  const imports = program.tree.children.filter(({ kind }) => kind === "import");
  return imports.some((one) =>
    new RegExp(`[/"\\s]${name.replace(/\W/g, "")}"`).test(program.source.text.slice(one.start, one.end)),
  );
}

export function missing(site: Site, node: CodeNode, wanted: Wanted, says: string): Suspicion {
  return {
    kind: "nullish-operand",
    says: `${inlineCode(textOf(node, site.program.source, 120))} ${says}`,
    subjects: [{ node, wanted }],
  };
}
