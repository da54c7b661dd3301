import ts from "typescript";
import type { Clue, LocatedFrame } from "../../../findings.ts";
import { inlineCode } from "../../../prose.ts";
import type { Binding } from "./bindings.ts";
import type { FoundFunction } from "./calls.ts";
import { isLiteral, isNullish, mayBeNullish, plain } from "./expressions.ts";
import type { Programs } from "./programs.ts";
import type { Subject, Tracing } from "./subject.ts";
import { followCall, followReturns } from "./trace-calls.ts";
import { followImport } from "./trace-imports.ts";
import { TraceLog } from "./trace-log.ts";
import { followArray, followMember, followMemberOf, followObject, noteLiteral } from "./trace-members.ts";
import { followBinding, followName } from "./trace-names.ts";
import { textOf } from "./walk.ts";
import { canBe } from "./wrong-value.ts";

const partsMax = 6;

/** Follows values backwards through the code, and says at every step what it saw. */
export class Trace implements Tracing {
  readonly programs: Programs;
  readonly frames: readonly LocatedFrame[];
  readonly log = new TraceLog();

  constructor(programs: Programs, frames: readonly LocatedFrame[]) {
    this.programs = programs;
    this.frames = frames;
  }

  /** From a value to where it was made. A step after which the trail ends is marked. */
  follow(subject: Subject): readonly Clue[] {
    this.value(subject, 1);
    return this.log.clues();
  }

  value(subject: Subject, steps: number): void {
    const { node, isAwaited } = plain(subject.node);
    const { source } = subject.program;
    if (subject.path.length === 0 && subject.wrong && !canBe(node, subject.wrong)) return;
    const key = [source.name, source.firstLine, node.pos, node.end, ...subject.path].join(":");
    if (!this.log.enter(key, steps)) return;
    const inner = { ...subject, node };
    if (ts.isIdentifier(node) && !isNullish(node)) followName(this, inner, node, steps);
    else if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node))
      followMember(this, inner, node, steps);
    else if (ts.isCallExpression(node) || ts.isNewExpression(node)) followCall(this, inner, node, isAwaited, steps);
    else if (ts.isConditionalExpression(node)) this.#choices(inner, [node.whenTrue, node.whenFalse], steps);
    else if (ts.isBinaryExpression(node)) this.#binary(inner, node, steps);
    else if (ts.isTemplateExpression(node)) {
      if (subject.wrong?.character) this.#putTogether(inner, node, steps);
      this.#made(
        inner,
        node.templateSpans.map(({ expression }) => expression),
        steps,
      );
    } else if (ts.isPrefixUnaryExpression(node) && !isLiteral(node)) this.#made(inner, [node.operand], steps);
    else if (isLiteral(node)) noteLiteral(this, inner, steps);
    else if (ts.isObjectLiteralExpression(node)) followObject(this, inner, node, steps);
    else if (ts.isArrayLiteralExpression(node)) followArray(this, inner, node, steps);
  }

  /** Values that stand beside each other: what is written out as one of many is rarely the one. */
  parts(subject: Subject, parts: readonly ts.Expression[], steps: number): void {
    for (const part of parts.slice(0, partsMax)) {
      const { node } = plain(part);
      if (!isLiteral(node) || (subject.isNullish && isNullish(node))) this.value({ ...subject, node }, steps);
    }
  }

  binding(subject: Subject, binding: Binding, name: string, steps: number): void {
    followBinding(this, subject, binding, name, steps);
  }

  returns(subject: Subject, found: FoundFunction, name: string, steps: number): void {
    followReturns(this, subject, found, name, steps);
  }

  memberOf(subject: Subject, owner: ts.ClassLikeDeclaration | null, property: string, steps: number): void {
    followMemberOf(this, subject, owner, property, steps);
  }

  importFrom(subject: Subject, specifier: string, exported: string, into: readonly string[], steps: number): void {
    followImport(this, subject, specifier, exported, into, steps);
  }

  /** What an expression is made of: the value itself was never undefined. */
  #made(subject: Subject, parts: readonly ts.Expression[], steps: number): void {
    if (subject.isNullish && subject.path.length === 0) return;
    for (const node of parts.slice(0, partsMax)) {
      // A piece that is written out is as it was meant.
      if (!isLiteral(plain(node).node))
        this.value({ ...subject, node, path: [], isNullish: false, wrong: undefined }, steps);
    }
  }

  #choices(subject: Subject, choices: readonly ts.Expression[], steps: number): void {
    const isWhole = subject.isNullish && subject.path.length === 0;
    for (const choice of choices) {
      if (isWhole && !mayBeNullish(choice)) continue;
      const { node } = plain(choice);
      if (!isLiteral(node)) this.value({ ...subject, node }, steps);
      else if (subject.path.length === 0) this.#fallback(subject, node, steps);
    }
  }

  /** A text with a wrong character was put together of what was not encoded for it. */
  #putTogether({ program }: Subject, node: ts.TemplateExpression, steps: number): void {
    const text = inlineCode(textOf(node));
    const says = `${text} is put together here, without encoding what it is made of`;
    this.log.note(program, node, "computed", textOf(node), says, steps);
  }

  #fallback({ program, wrong }: Subject, node: ts.Expression, steps: number): void {
    if (wrong && !canBe(node, wrong)) return;
    const text = inlineCode(textOf(node, 40));
    this.log.note(
      program,
      node,
      "fallback",
      text,
      `the value may be ${text} here, which is taken when there is no other`,
      steps,
    );
  }

  #binary(subject: Subject, node: ts.BinaryExpression, steps: number): void {
    const { kind } = node.operatorToken;
    if (kind === ts.SyntaxKind.EqualsToken) this.value({ ...subject, node: node.right }, steps);
    else if (kind === ts.SyntaxKind.AmpersandAmpersandToken) this.#choices(subject, [node.left, node.right], steps);
    else if (kind === ts.SyntaxKind.BarBarToken || kind === ts.SyntaxKind.QuestionQuestionToken) {
      const isRightOnly = subject.isNullish && subject.path.length === 0;
      this.#choices(subject, isRightOnly ? [node.right] : [node.left, node.right], steps);
    } else {
      const isValue = !subject.isNullish && isArithmetic(kind) && !isLiteral(plain(node.left).node);
      if (isValue)
        this.log.note(
          subject.program,
          node,
          "computed",
          textOf(node),
          `${inlineCode(textOf(node))} is computed here`,
          steps,
        );
      this.#made(subject, [node.left, node.right], isValue ? steps + 1 : steps);
    }
  }
}

function isArithmetic(kind: ts.SyntaxKind): boolean {
  return [
    ts.SyntaxKind.PlusToken,
    ts.SyntaxKind.MinusToken,
    ts.SyntaxKind.AsteriskToken,
    ts.SyntaxKind.SlashToken,
    ts.SyntaxKind.PercentToken,
    ts.SyntaxKind.AsteriskAsteriskToken,
  ].includes(kind);
}
