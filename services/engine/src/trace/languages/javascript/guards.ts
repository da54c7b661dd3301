import ts from "typescript";
import type { Clue, LocatedFrame, ParsedException } from "../../../findings.ts";
import { inlineCode } from "../../../prose.ts";
import { type Binding, findBinding } from "./bindings.ts";
import { callAt, calleeOf } from "./calls.ts";
import { clueAt } from "./clue-at.ts";
import { isNullish } from "./expressions.ts";
import { functionAround } from "./functions.ts";
import { type FunctionNode, lastName, type Program } from "./program.ts";
import type { Programs } from "./programs.ts";
import { textOf, visit, within } from "./walk.ts";

const validating = /^(?:is|has|check|validate|verify|assert|can|should|test)(?:[A-Z_]|$)|valid/;
const framesMax = 8;
/** Arguments of one call, each looked for in all of its function. */
const argumentsMax = 8;

/** What the functions on the stack hand on, what they check, and what their checks let through. */
export function guardsOnStack(
  programs: Programs,
  { message }: ParsedException,
  frames: readonly LocatedFrame[],
): Clue[] {
  const isCircular = message.startsWith("Converting circular structure");
  const isFixed =
    /^Cannot (?:assign to|add|delete|define|redefine) (?:read only )?property|object is not extensible/.test(message);
  const clues: Clue[] = [];
  for (const located of frames.slice(0, framesMax)) {
    const site = callAt(programs, located, null);
    if (!site || !located.place) continue;
    const { program, call } = site;
    clues.push(...lateChecks(program, call), ...weakChecks(programs, program, call));
    if (isCircular && clues.length === 0) clues.push(...wholeObjects(program, call));
    if (isFixed && clues.length === 0) clues.push(...sharedTargets(program, call));
  }
  return clues;
}

/** `log.info("login", { request })`: an object that belongs to somebody else, with all that hangs on it. */
function wholeObjects(program: Program, call: ts.CallExpression | ts.NewExpression): Clue[] {
  for (const argument of call.arguments ?? []) {
    if (!ts.isObjectLiteralExpression(argument)) continue;
    for (const property of argument.properties) {
      const value = ts.isShorthandPropertyAssignment(property)
        ? property.name
        : ts.isPropertyAssignment(property)
          ? property.initializer
          : null;
      const binding = value && ts.isIdentifier(value) ? findBinding(program, value.text, value) : null;
      if (!value || !binding || binding.kind === "function" || isPassedOn(binding, argument)) continue;
      const name = inlineCode(textOf(value));
      const says = `the whole object ${name} is handed over to be written as JSON, with everything that it refers to, itself included (circular)`;
      const remedy = `Hand over only the fields of ${name} that are needed.`;
      return [{ ...clueAt(program, call, "suspicious-code", textOf(value), says), rule: "whole-object", remedy }];
    }
  }
  return [];
}

/** The parameters of a helper are what its caller chose. */
function isPassedOn(binding: Binding, argument: ts.ObjectLiteralExpression): boolean {
  return (
    binding.kind === "parameter" && argument.properties.length > 1 && argument.properties.some(ts.isSpreadAssignment)
  );
}

/** `change(defaults)`: what the whole module shares is given to somebody who changes it. */
function sharedTargets(program: Program, call: ts.CallExpression | ts.NewExpression): Clue[] {
  const shared = (call.arguments ?? []).find((argument) => {
    if (!ts.isIdentifier(argument)) return false;
    const binding = findBinding(program, argument.text, argument);
    return binding?.kind === "import" || (binding?.kind === "variable" && functionAround(binding.node) === null);
  });
  if (!shared) return [];
  const name = inlineCode(textOf(shared));
  const says = `${name} is shared by the whole module and may be frozen, and it is given here as what ${inlineCode(textOf(call.expression))} changes`;
  const remedy = `Give a copy: \`{ ...${textOf(shared)} }\`.`;
  return [{ ...clueAt(program, call, "suspicious-code", textOf(shared), says), rule: "shared-target", remedy }];
}

/** `use(value)` and only afterwards `value == null`. */
function lateChecks(program: Program, call: ts.CallExpression | ts.NewExpression): Clue[] {
  const owner = functionAround(call);
  if (!owner) return [];
  const given = (call.arguments ?? [])
    .slice(0, argumentsMax)
    .filter((one) => ts.isIdentifier(one) || ts.isPropertyAccessExpression(one));
  const late = given.find((value) => {
    const name = textOf(value);
    const tests = within(owner.body, ts.isBinaryExpression).filter(
      ({ left, right }) => textOf(left) === name && isNullish(right),
    );
    return tests.some(({ pos }) => pos > call.end) && !tests.some(({ end }) => end < call.pos);
  });
  if (!late) return [];
  const name = inlineCode(textOf(late));
  const says = `${name} is checked for null only after it was given to ${inlineCode(textOf(call.expression))}: the check comes too late`;
  const remedy = `Move the check of ${name} before the call.`;
  return [{ ...clueAt(program, call, "suspicious-code", textOf(late), says), rule: "late-check", remedy }];
}

/** `if (!isValid(value)) …` before the call that refused what was made of the value: the check let it pass. */
function weakChecks(programs: Programs, program: Program, call: ts.CallExpression | ts.NewExpression): Clue[] {
  const owner = functionAround(call);
  const range = owner?.body ?? program.tree;
  const checks: ts.CallExpression[] = [];
  visit(range, (node) => {
    if (!ts.isCallExpression(node) || node.end > call.pos || !validating.test(lastName(node.expression) ?? "")) return;
    // A question that is asked of nothing is about something else.
    if (isCondition(node) && node.arguments.length > 0) checks.push(node);
  });
  return checks.flatMap((check): Clue[] => {
    const found = calleeOf(programs, program, check);
    if (!found || found.node === owner) return [];
    const name = lastName(check.expression) ?? "";
    const pattern = unanchoredIn(found.node);
    if (pattern) return [openPattern(found.program, pattern, name)];
    const says = `${inlineCode(textOf(check))} was asked whether the value is valid, and let it pass: the check is too weak`;
    const remedy = `Let ${inlineCode(name)} refuse what the code behind it cannot work with (type, range, length).`;
    return [{ ...clueAt(found.program, found.node, "suspicious-code", name, says), rule: "weak-check", remedy }];
  });
}

/** `/…/.test(value)` that is content with a piece of the value. */
function unanchoredIn({ body }: FunctionNode): ts.RegularExpressionLiteral | null {
  const patterns = within(body, ts.isRegularExpressionLiteral);
  const open = patterns.find(({ text, parent }) => {
    const isTested = ts.isPropertyAccessExpression(parent) && parent.name.text === "test";
    return isTested && !/^\/\^/.test(text) && !/\$\/\w*$/.test(text);
  });
  return open ?? null;
}

function openPattern(program: Program, pattern: ts.RegularExpressionLiteral, name: string): Clue {
  const text = textOf(pattern);
  const says = `${inlineCode(name)} lets pass whatever contains ${inlineCode(text)}: the pattern has neither a beginning (\`^\`) nor an end (\`$\`)`;
  const remedy = `Anchor the pattern: \`^\` before and \`$\` behind ${inlineCode(text)}.`;
  return { ...clueAt(program, pattern, "suspicious-code", name, says), rule: "unanchored-pattern", remedy };
}

function isCondition(node: ts.Node): boolean {
  for (let at = node; at.parent !== undefined && !ts.isBlock(at); at = at.parent) {
    const { parent } = at;
    if (ts.isIfStatement(parent)) return parent.expression === at;
    if (ts.isStatement(parent)) return false;
  }
  return false;
}
