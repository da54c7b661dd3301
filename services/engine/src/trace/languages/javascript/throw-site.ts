import ts from "typescript";
import type { LocatedFrame, ParsedException } from "../../../findings.ts";
import { inlineCode } from "../../../prose.ts";
import { findBinding, receiverOf } from "./bindings.ts";
import { callAt } from "./calls.ts";
import { isLiteral, plain } from "./expressions.ts";
import { nameOf } from "./functions.ts";
import { type CallNode, isFunction, lastName, type Program } from "./program.ts";
import type { Programs } from "./programs.ts";
import type { Subject } from "./subject.ts";
import { around, nodeAt, textOf, visitBetween } from "./walk.ts";
import { type WrongValue, wrongValueOf } from "./wrong-value.ts";

/** What is wrong at the place where an error was thrown, and what of it can be followed. */
export interface Suspicion {
  /** The operand that had no value, the thing that was called, the argument that was refused. */
  readonly subjects: readonly Subject[];
  /** One sentence about the throw site. */
  readonly says: string;
  readonly kind: "nullish-operand" | "thrown-by-code" | "throw-site";
}

interface Site {
  readonly program: Program;
  readonly frame: LocatedFrame;
  readonly start: number;
  readonly end: number;
  /** Of the column in the text. */
  readonly position: number | null;
  readonly programs: Programs;
  /** What the error tells of a value that is there, and wrong. */
  readonly wrong: WrongValue | undefined;
}

/** What is followed is the value itself. */
const whole = { path: [], isNullish: false, via: null };
/** Calls of the runtime of which only the first arguments decide whether they can be carried out: paths, patterns, texts. */
const argumentsThatMatter: ReadonlyMap<string, number> = new Map(
  Object.entries({
    1: "open openSync readFile readFileSync writeFile writeFileSync appendFile appendFileSync mkdir mkdirSync readdir readdirSync stat statSync unlink unlinkSync rmdir rmdirSync access accessSync createReadStream createWriteStream chmod chmodSync watch parse RegExp encodeURIComponent decodeURIComponent encodeURI decodeURI atob Array stringify BigInt",
    2: "rename renameSync link linkSync symlink symlinkSync copyFile copyFileSync URL",
  }).flatMap(([count, names]) => names.split(" ").map((name) => [name, Number(count)] as const)),
);
/** Operands of one condition, arguments of one call. */
const operandsMax = 6;

/**
 * What the message of an error says about the expression at a frame: which operand was nullish, what was called, whose
 * arguments were refused. `isDirect`: nothing but the runtime is between the frame and the error.
 */
export function suspect(
  error: ParsedException,
  located: LocatedFrame,
  programs: Programs,
  isDirect: boolean,
): Suspicion | null {
  const { place, frame } = located;
  const program = place && programs.of(place.source);
  if (!program || !place) return null;
  const { start, end } = place.source.lines(place.line, place.line);
  const position = frame.column === null ? null : start + frame.column - 1;
  const wrong = (isDirect && !isMissing(error) && wrongValueOf(error)) || undefined;
  const site: Site = { program, frame: located, start, end, position, programs, wrong };
  if (isAboutState(error))
    return { kind: "throw-site", subjects: [], says: "the call comes at the wrong time or place" };
  if (located.index > 0) return refusedArguments(site, isMissing(error));
  return (
    nullishRead(error.message, site) ??
    namedOperand(error.message, site) ??
    assigned(error.message, site) ??
    converted(error.message, site) ??
    thrown(site) ??
    refusedArguments(site, isMissing(error))
  );
}

/** Whether the call could not be carried out whatever it is given: nothing that it is given is at fault. */
function isAboutState({ properties }: ParsedException): boolean {
  return typeof properties.code === "string" && stateCodes.has(properties.code);
}

const stateCodes: ReadonlySet<string> = new Set([
  "EXDEV",
  "ERR_HTTP_HEADERS_SENT",
  "ERR_INVALID_STATE",
  "ERR_METHOD_NOT_IMPLEMENTED",
  "ERR_SERVER_ALREADY_LISTEN",
  "ERR_SERVER_NOT_RUNNING",
  "ERR_SOCKET_DGRAM_NOT_RUNNING",
  "ERR_STREAM_ALREADY_FINISHED",
  "ERR_STREAM_DESTROYED",
  "ERR_STREAM_WRITE_AFTER_END",
]);

/** Whether the message says that the value which was refused is none. */
function isMissing({ message, properties }: ParsedException): boolean {
  return properties.input === "undefined" || /\b(?:Received (?:undefined|null)|undefined or null)\b/.test(message);
}

const reading =
  /^Cannot (?:read|set) propert(?:y|ies) (?:'([^']{1,200})' )?of (undefined|null)(?: \((?:reading|setting) '([^']{1,200})'\))?/;

/** `Cannot read properties of undefined (reading 'x')`: what stands before `.x`. */
function nullishRead(message: string, site: Site): Suspicion | null {
  const match = reading.exec(message);
  const property = match?.[3] ?? match?.[1];
  if (!match || property === undefined) return null;
  const access = accessOf(site, property) ?? takenApart(site, property);
  if (!access) return null;
  const text = textOf(access, 120);
  return {
    kind: "nullish-operand",
    subjects: [subjectOf(site, access, true)],
    says: `${inlineCode(text)} was ${match[2]} when ${inlineCode(`.${property}`)} was read`,
  };
}

/** What the property is read of: at the column, else the first such access on the line. */
function accessOf(site: Site, property: string): ts.Expression | null {
  const accesses = nodesOnLine(
    site,
    (node) => ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node),
  );
  const named = accesses.filter((node) => lastName(node) === property);
  const pool = named.length > 0 ? named : accesses.filter(ts.isElementAccessExpression);
  const placeOf = (node: ts.Node): number =>
    ts.isPropertyAccessExpression(node)
      ? node.name.getStart(site.program.tree)
      : ts.isElementAccessExpression(node)
        ? node.expression.end
        : node.getStart(site.program.tree);
  const nearest = pool.find((node) => site.position !== null && placeOf(node) >= site.position) ?? pool[0];
  return nearest ? receiverOf(nearest) : null;
}

/** `const { property } = value`. */
function takenApart(site: Site, property: string): ts.Expression | null {
  const patterns = nodesOnLine(site, ts.isObjectBindingPattern);
  const has = (node: ts.Node): boolean =>
    ts.isObjectBindingPattern(node) &&
    node.elements.some(({ name, propertyName }) => (propertyName ?? name).getText() === property);
  const declared = patterns.find(has)?.parent;
  return declared && ts.isVariableDeclaration(declared) ? (declared.initializer ?? null) : null;
}

const operandPatterns: readonly (readonly [pattern: RegExp, says: (name: string) => string])[] = [
  [
    /^(?:\(intermediate value\)\.)?(.{1,200}?) is not a function/,
    (name) => `${inlineCode(name)} was called and is no function`,
  ],
  [/^(.{1,200}?) is not a constructor/, (name) => `${inlineCode(name)} was constructed and is no constructor`],
  [/^(.{1,200}?) is not iterable/, (name) => `${inlineCode(name)} was iterated over and is not iterable`],
  [/^(.{1,200}?) is not defined/, (name) => `${inlineCode(name)} is used and not defined`],
  [
    /^Cannot access '(.{1,200}?)' before initialization/,
    (name) => `${inlineCode(name)} is used before its declaration has run`,
  ],
  [
    /^Cannot destructure property '.{1,200}?' of '(.{1,200}?)' as it is/,
    (name) => `${inlineCode(name)} had no value when it was taken apart`,
  ],
];

/** Messages that name the operand as it is written. */
function namedOperand(message: string, site: Site): Suspicion | null {
  for (const [pattern, says] of operandPatterns) {
    const name = pattern.exec(message)?.[1];
    if (name === undefined) continue;
    const node = findWritten(site, name);
    const isUndeclared = message.includes("is not defined") || message.includes("before initialization");
    return {
      kind: "nullish-operand",
      subjects: node && !isUndeclared ? [subjectOf(site, node, isMissingMember(node, message))] : [],
      says: says(name),
    };
  }
  return null;
}

/** What is no function, and a member of something, is nearly always not there at all. */
function isMissingMember(node: ts.Expression, message: string): boolean {
  return ts.isPropertyAccessExpression(node) && message.includes("is not a function");
}

/** The expression on the line that spells a name such as `parser.fn`; by its last word when it is printed shortened. */
function findWritten(site: Site, name: string): ts.Expression | null {
  const last = /[\w$#]+$/.exec(name)?.[0] ?? name;
  const found = nodesOnLine(
    site,
    (node): node is ts.Identifier | ts.PropertyAccessExpression =>
      (ts.isIdentifier(node) && !ts.isPropertyAccessExpression(node.parent)) ||
      ts.isPropertyAccessExpression(node) ||
      ts.isParameter(node),
  ).filter((node) => lastName(node) === last);
  const at = (node: ts.Node): number =>
    ts.isPropertyAccessExpression(node) ? node.name.getStart(site.program.tree) : node.getStart(site.program.tree);
  return found.find((node) => site.position !== null && at(node) >= site.position) ?? found[0] ?? null;
}

/** `throw …` at the place: what the condition around it looks at, and what its message shows. */
function thrown(site: Site): Suspicion | null {
  const statement = throwAt(site);
  return statement && raisedAt(site.program, statement, site.frame);
}

/** What led to a `throw`, or to the making of an error: the condition around it, and what its message shows. */
export function raisedAt(
  program: Program,
  statement: ts.ThrowStatement | CallNode,
  frame: LocatedFrame | null,
): Suspicion {
  const guard = guardOf(statement);
  const shown = shownBy(statement);
  const guarding = guard ? operandsOf(guard) : [];
  // What the message shows matters when no condition says what went wrong.
  const subjects = guarding.length > 0 ? guarding : shown;
  const unique = subjects.filter(
    (node, index) => subjects.findIndex((one) => one.getText() === node.getText()) === index,
  );
  return {
    kind: "thrown-by-code",
    subjects: unique.slice(0, operandsMax).map((node) => ({ program, node, frame, ...whole })),
    says: guard ? `the code throws this itself, when ${inlineCode(textOf(guard, 120))}` : "the code throws this itself",
  };
}

function shownBy(statement: ts.ThrowStatement | CallNode): ts.Expression[] {
  if (ts.isNewExpression(statement)) return operandsOf(statement);
  return statement.expression ? operandsOf(statement.expression) : [];
}

/** `throw new E(…)`, also when the line is that of the `new`, and `reject(new E(…))`. */
function throwAt(site: Site): ts.ThrowStatement | ts.CallExpression | null {
  const isRaise = (node: ts.Node): node is ts.ThrowStatement | ts.CallExpression =>
    ts.isThrowStatement(node) ||
    (ts.isCallExpression(node) &&
      /^(?:reject|fail|next|callback|cb|done)$/.test(lastName(node.expression) ?? "") &&
      hasError(node));
  if (site.position !== null) {
    const at = around(
      nodeAt(site.program.tree, site.position),
      (node): node is ts.ThrowStatement | ts.CallExpression => isRaise(node) || isFunction(node),
    );
    if (at && isRaise(at)) return at;
  }
  return nodesOnLine(site, isRaise)[0] ?? null;
}

function hasError(call: ts.CallExpression): boolean {
  return call.arguments.some((argument) => ts.isNewExpression(argument));
}

/** The condition under which a statement runs, within its function. */
function guardOf(statement: ts.Node): ts.Expression | null {
  for (let node = statement; node.parent !== undefined && !isFunction(node); node = node.parent) {
    const { parent } = node;
    if (ts.isIfStatement(parent) && node !== parent.expression) return parent.expression;
    if (ts.isConditionalExpression(parent) && node !== parent.condition) return parent.condition;
    if (ts.isCaseClause(parent) || ts.isDefaultClause(parent)) return parent.parent.parent.expression;
    if (ts.isBlock(parent)) {
      const before = earlierExit(parent, node);
      if (before) return before;
    }
  }
  return null;
}

/** `if (ok) return; throw …`: what has to be untrue to get there. */
function earlierExit(block: ts.Block, statement: ts.Node): ts.Expression | null {
  const before = block.statements.findLast((one) => one.end <= statement.pos);
  if (!before || !ts.isIfStatement(before) || before.elseStatement) return null;
  const last = ts.isBlock(before.thenStatement) ? before.thenStatement.statements.at(-1) : before.thenStatement;
  return last && (ts.isReturnStatement(last) || ts.isContinueStatement(last)) ? before.expression : null;
}

/** Every name, member and call of an expression, without what is part of another. */
export function operandsOf(expression: ts.Expression): ts.Expression[] {
  const { node } = plain(expression);
  if (ts.isBinaryExpression(node)) return [...operandsOf(node.left), ...operandsOf(node.right)];
  if (ts.isPrefixUnaryExpression(node)) return operandsOf(node.operand);
  if (ts.isTypeOfExpression(node) || ts.isAwaitExpression(node)) return operandsOf(node.expression);
  if (ts.isTemplateExpression(node)) return node.templateSpans.flatMap((span) => operandsOf(span.expression));
  if (ts.isConditionalExpression(node))
    return [...operandsOf(node.condition), ...operandsOf(node.whenTrue), ...operandsOf(node.whenFalse)];
  if (ts.isNewExpression(node))
    return (node.arguments ?? []).flatMap((argument) =>
      ts.isObjectLiteralExpression(argument) ? [] : operandsOf(argument),
    );
  if (ts.isCallExpression(node)) return [...node.arguments.flatMap(operandsOf), node];
  return isLiteral(node) ||
    ts.isFunctionLike(node) ||
    ts.isRegularExpressionLiteral(node) ||
    ts.isObjectLiteralExpression(node)
    ? []
    : [node];
}

/** `Cannot assign to read only property`, `has only a getter`, `Assignment to constant variable`: what is assigned to. */
function assigned(message: string, site: Site): Suspicion | null {
  if (
    !/^(?:Cannot (?:assign to|add|delete|set|define|redefine) (?:read only )?property|Assignment to constant)/.test(
      message,
    )
  )
    return null;
  const writes = nodesOnLine(
    site,
    (node): node is ts.BinaryExpression =>
      ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken,
  );
  const write =
    writes.find((node) => site.position !== null && node.operatorToken.getStart() >= site.position) ?? writes[0];
  if (!write) return null;
  const target = receiverOf(write.left) ?? write.left;
  return {
    kind: "nullish-operand",
    subjects: [subjectOf(site, target, false)],
    says: `${inlineCode(textOf(write.left, 120))} is assigned to and may not be`,
  };
}

/** `Cannot convert a Symbol value to a string`, `Cannot mix BigInt`: the operands of what stands at the place. */
function converted(message: string, site: Site): Suspicion | null {
  if (!/^Cannot (?:convert (?:a |object )|mix )/.test(message) || message.includes("to object")) return null;
  const isJoining = (node: ts.Node): node is ts.BinaryExpression | ts.TemplateExpression =>
    ts.isBinaryExpression(node) || ts.isTemplateExpression(node);
  const joined = nodesOnLine(site, isJoining).find((node) => site.position === null || node.end >= site.position);
  if (!joined) return null;
  return {
    kind: "nullish-operand",
    subjects: operandsOf(joined).map((node) => subjectOf(site, node, false)),
    says: `${inlineCode(textOf(joined, 120))} cannot be made of what it is given`,
  };
}

/** The call at a frame threw, or called what threw: its arguments, and what it was called on. */
function refusedArguments(site: Site, isNullish: boolean): Suspicion | null {
  const found = callAt(site.programs, site.frame, null);
  if (!found) return null;
  const { call } = found;
  const receiver = receiverOf(plain(call.expression).node);
  const all = (call.arguments ?? []).map((node) => (ts.isSpreadElement(node) ? node.expression : node));
  const values = all.slice(0, argumentsThatMatter.get(lastName(call.expression) ?? "") ?? all.length);
  const callee = targetOfCallback(call);
  // Without arguments it is what the method was called on.
  const isReceiver = receiver !== null && values.length === 0 && !isModule(site.program, receiver);
  const subjects = isReceiver ? [receiver] : values;
  return {
    kind: "throw-site",
    subjects: subjects.slice(0, operandsMax).map((node) => subjectOf(site, node, isNullish)),
    says: `the call of ${inlineCode(callee ?? textOf(call.expression, 120))} failed`,
  };
}

function targetOfCallback(call: CallNode): string | null {
  return isFunction(call.expression) ? nameOf(call.expression) : null;
}

/** `fs` of `fs.readFile()`: a module is not what is wrong. */
function isModule(program: Program, receiver: ts.Expression): boolean {
  if (!ts.isIdentifier(receiver)) return false;
  const binding = findBinding(program, receiver.text, receiver);
  if (!binding) return true;
  if (binding.kind === "import") return true;
  return binding.kind === "variable" && binding.value !== null && /^require\(/.test(binding.value.getText());
}

function subjectOf({ program, frame, wrong }: Site, node: ts.Expression, isNullish: boolean): Subject {
  return { program, node, frame, ...whole, isNullish, wrong: isNullish ? undefined : wrong };
}

/** Nodes that begin on the line, or span it as an access does over several lines. */
function nodesOnLine<N extends ts.Node>({ program, start, end }: Site, test: (node: ts.Node) => node is N): N[];
function nodesOnLine(site: Site, test: (node: ts.Node) => boolean): ts.Expression[];
function nodesOnLine({ program, start, end }: Site, test: (node: ts.Node) => boolean): ts.Node[] {
  const found: ts.Node[] = [];
  visitBetween(program.tree, start, end, (node) => {
    if (!test(node)) return;
    const at = (ts.isPropertyAccessExpression(node) ? node.name : node).getStart(program.tree);
    if (at >= start && at <= end) found.push(node);
  });
  return found;
}
