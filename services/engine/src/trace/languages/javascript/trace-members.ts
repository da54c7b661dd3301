import ts from "typescript";
import { inlineCode } from "../../../prose.ts";
import { anyKey, classAround, findBinding, memberWrites, propertyWrites } from "./bindings.ts";
import { methodOf } from "./calls.ts";
import { isLiteral, isNullish, plain, spreadsOf, valueOfKey } from "./expressions.ts";
import { nameOf } from "./functions.ts";
import { noteLostMethod } from "./lost-methods.ts";
import { type FunctionNode, isFunction, lastName, type Program } from "./program.ts";
import type { Subject, Tracing } from "./subject.ts";
import { loopTooFar } from "./value-kinds.ts";
import { textOf } from "./walk.ts";

const writesMax = 3;

export function followMember(
  trace: Tracing,
  subject: Subject,
  node: ts.PropertyAccessExpression | ts.ElementAccessExpression,
  steps: number,
): void {
  const { program, path } = subject;
  const property = lastName(node);
  const whole = inlineCode(textOf(node));
  const receiver = plain(node.expression).node;
  if (receiver.getText(program.tree) === "process.env") {
    if (property === null && noteNamedSetting(trace, subject, node, steps)) return;
    trace.log.note(
      program,
      node,
      "environment",
      property ?? "process.env",
      `${whole} is read from the environment`,
      steps,
    );
    return;
  }
  const tooFar = property === null ? loopTooFar(node) : null;
  if (tooFar)
    trace.log.note(
      program,
      tooFar,
      "overrun",
      textOf(tooFar.condition ?? node),
      `${whole} is read in a loop that includes its bound`,
      steps,
    );
  else trace.log.note(program, node, "property", property ?? "", `${whole} is read here`, steps);
  if (receiver.kind === ts.SyntaxKind.ThisKeyword) {
    if (property !== null) followThis(trace, subject, property, node, steps + 1);
    return;
  }
  if (property !== null) {
    for (const value of propertyWrites(program, property, receiver).slice(0, writesMax)) {
      followWritten(trace, subject, property, value, steps + 1);
    }
  } else if (
    ts.isElementAccessExpression(node) &&
    path.length === 0 &&
    !subject.wrong &&
    !tooFar &&
    !isLiteral(node.argumentExpression)
  ) {
    trace.value({ ...subject, node: node.argumentExpression, path: [], isNullish: false, wrong: undefined }, steps + 2);
  }
  const key =
    property ??
    (ts.isElementAccessExpression(node) && ts.isNumericLiteral(node.argumentExpression)
      ? node.argumentExpression.text
      : anyKey);
  trace.value({ ...subject, node: node.expression, path: [key, ...path] }, steps + 1);
}

/** `required("NAME")`, which reads `process.env[name]`: the setting is named by who calls. */
function noteNamedSetting(
  trace: Tracing,
  { program, via }: Subject,
  node: ts.PropertyAccessExpression | ts.ElementAccessExpression,
  steps: number,
): boolean {
  const key = ts.isElementAccessExpression(node) ? node.argumentExpression : null;
  const binding = key && ts.isIdentifier(key) ? findBinding(program, key.text, key) : null;
  if (!via || binding?.kind !== "parameter" || binding.owner !== via.entered) return false;
  const name = via.call.arguments?.[binding.position];
  if (!name || !ts.isStringLiteralLike(name)) return false;
  const says = `${inlineCode(name.text)} is read from the environment`;
  trace.log.note(via.program, via.call, "environment", name.text, says, steps);
  return true;
}

function followWritten(trace: Tracing, subject: Subject, property: string, value: ts.Expression, steps: number): void {
  trace.log.note(
    subject.program,
    value,
    "assignment",
    property,
    `${inlineCode(property)} is set to ${inlineCode(textOf(value))}`,
    steps,
  );
  trace.value({ ...subject, node: value }, steps + 1);
}

/** A member of the object that a function is a method of: its writes, its field, its getter. */
function followThis(trace: Tracing, subject: Subject, property: string, at: ts.Node, steps: number): void {
  const { program } = subject;
  const owner = classAround(at);
  followMemberOf(trace, { ...subject, program }, owner, property, steps);
  if (owner) return;
  const getter = program.functions.find((node) => nameOf(node) === property && isReader(node));
  if (getter) trace.returns(subject, { program, node: getter }, property, steps);
}

export function followMemberOf(
  trace: Tracing,
  used: Subject,
  owner: ts.ClassLikeDeclaration | null,
  property: string,
  steps: number,
): void {
  // What is written was written by another call than the one on the stack.
  const subject = { ...used, frame: null };
  const { program } = subject;
  for (const value of memberWrites(program, property, owner).slice(0, writesMax))
    followWritten(trace, subject, property, value, steps);
  const field = owner?.members.find(
    (member) => ts.isPropertyDeclaration(member) && member.name.getText(program.tree) === property,
  );
  if (field && ts.isPropertyDeclaration(field) && field.initializer)
    followWritten(trace, subject, property, field.initializer, steps);
  const getter = methodOf(owner, property);
  if (getter && ts.isGetAccessor(getter)) trace.returns(subject, { program, node: getter }, property, steps);
}

export function followObject(
  trace: Tracing,
  subject: Subject,
  object: ts.ObjectLiteralExpression,
  steps: number,
): void {
  const { program, path } = subject;
  const [key, ...rest] = path;
  const values = object.properties.flatMap((property) =>
    ts.isPropertyAssignment(property)
      ? [property.initializer]
      : ts.isShorthandPropertyAssignment(property)
        ? [property.name]
        : [],
  );
  const spreads = spreadsOf(object);
  if (key === undefined || key === anyKey) {
    trace.parts({ ...subject, path: rest }, [...spreads, ...values], steps + 1);
    return;
  }
  const value = valueOfKey(object, key);
  if (value && !isFunction(value)) {
    trace.log.note(program, value, "property", key, `${inlineCode(key)} is given ${inlineCode(textOf(value))}`, steps);
    trace.value({ ...subject, node: value, path: rest }, steps + 1);
    return;
  }
  if (spreads.length > 0 && noteLostMethod(trace, subject, object, steps)) return;
  noteMerge(trace, subject, object, spreads, steps);
  const sure = subject.isNullish ? [] : spreads.filter((node) => hasKey(program, node, key));
  for (const node of sure.length > 0 ? sure : spreads) trace.value({ ...subject, node }, steps + 1);
  // Every object has these.
  if (spreads.length > 0 || value || key in Object.prototype) return;
  trace.log.note(program, object, "missing-key", key, `the object made here has no ${inlineCode(key)}`, steps);
}

/** `{ ...defaults, ...given }`: what the second has under a key replaces the whole of what the first has there. */
function noteMerge(
  trace: Tracing,
  { program, path, isNullish: mustBeNullish }: Subject,
  object: ts.ObjectLiteralExpression,
  spreads: readonly ts.Expression[],
  steps: number,
): void {
  const [key, inner] = path;
  if (!mustBeNullish || key === undefined || inner === undefined || inner === anyKey || spreads.length < 2) return;
  const says = `the objects are merged one level deep: a ${inlineCode(key)} of the later one replaces all of the earlier one's, ${inlineCode(inner)} with it`;
  trace.log.note(program, object, "setting", `${key}.${inner}`, says, steps);
}

/** Whether an object that is spelled out in this file has the key. */
function hasKey(program: Program, node: ts.Expression, key: string): boolean {
  const binding = ts.isIdentifier(node) ? findBinding(program, node.text, node) : null;
  const value = binding?.kind === "variable" && binding.value ? plain(binding.value).node : null;
  return value !== null && ts.isObjectLiteralExpression(value) && valueOfKey(value, key) !== null;
}

export function followArray(trace: Tracing, subject: Subject, array: ts.ArrayLiteralExpression, steps: number): void {
  const [key, ...rest] = subject.path;
  const one = key !== undefined && /^\d+$/.test(key) ? array.elements[Number(key)] : undefined;
  const elements = (one ? [one] : array.elements).map((node) => (ts.isSpreadElement(node) ? node.expression : node));
  trace.parts({ ...subject, path: rest }, elements, steps + 1);
}

export function noteLiteral(
  trace: Tracing,
  { program, node, path, isNullish: mustBeNullish, wrong }: Subject,
  steps: number,
): void {
  // What is written at the failing expression itself is what it is meant to be.
  if (path.length > 0 || steps === 1 || (mustBeNullish && !isNullish(node)) || ts.isRegularExpressionLiteral(node))
    return;
  if (!mustBeNullish && isListed(node) && wrong?.texts.includes(text(node)) !== true) return;
  // A counter begins somewhere.
  if (isCounter(node.parent, program)) return;
  const shown = textOf(node, 40);
  trace.log.note(program, node, "literal", shown, `the value is written here: ${inlineCode(shown)}`, steps);
}

function text(node: ts.Expression): string {
  return ts.isStringLiteralLike(node) ? node.text : node.getText();
}

/** `let i = 0`, which is then counted up. */
function isCounter(declared: ts.Node, { tree }: Program): boolean {
  if (!ts.isVariableDeclaration(declared) || !ts.isIdentifier(declared.name)) return false;
  if (ts.isForStatement(declared.parent.parent)) return true;
  const name = declared.name.text;
  const after = tree.text.slice(declared.end, declared.end + counterUnitsMax);
  return [`${name}++`, `++${name}`, `${name} += 1`, `${name}--`].some((step) => after.includes(step));
}

const counterUnitsMax = 2000;

/** A field of one of several objects in a list: what is spelled out like that is the program's input. */
function isListed({ parent }: ts.Expression): boolean {
  if (!ts.isPropertyAssignment(parent)) return false;
  const list = parent.parent.parent;
  if (ts.isArrayLiteralExpression(list)) return list.elements.length > 1;
  // `{ a: { … }, b: { … } }`
  const table = ts.isPropertyAssignment(list) ? list.parent.properties : [];
  return (
    table.filter((one) => ts.isPropertyAssignment(one) && ts.isObjectLiteralExpression(one.initializer)).length > 1
  );
}

/** Whether a function is run when a property is read: a getter, also as a property's description. */
function isReader(node: FunctionNode): boolean {
  if (ts.isGetAccessor(node)) return true;
  const own = node.name && ts.isIdentifier(node.name) ? node.name.text : null;
  const outer =
    ts.isPropertyAssignment(node.parent) && ts.isIdentifier(node.parent.name) ? node.parent.name.text : null;
  return own === "get" || outer === "get";
}
