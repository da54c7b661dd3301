import type { LocatedFrame } from "../findings/findings.ts";
import type { ValueSource } from "../signals/code/value-sources.ts";
import type { AnyCodeSignal } from "../signals/signal.ts";
import { isLiteral, isNothing, operandsOf, plain, textOf } from "./expressions.ts";
import { followCall, followExports, followReturns } from "./follow-calls.ts";
import { followPath } from "./follow-data.ts";
import { followField, followFieldOf, followLoose } from "./follow-fields.ts";
import { followLookup, followMember, followObject } from "./follow-members.ts";
import { followName, followParameter, followWrite } from "./follow-names.ts";
import type { Following, Subject } from "./following.ts";
import type { FoundFunction } from "./functions.ts";
import { type CodeNode, part } from "./ir.ts";
import type { Imported } from "./modules.ts";
import type { Program, Write } from "./program.ts";
import type { Programs } from "./programs.ts";
import type { Trail } from "./trail.ts";
import { anything, canBe, isMissing } from "./wanted.ts";

const partsMax = 6;
/** Longest chain of members read from a value. Real code has fewer; only cycles exceed it. */
const pathMax = 6;

/**
 * Follows values backwards through the code of any language, and leaves a signal at every step. What is nearest to the
 * failure is followed first: there is room for so many steps only, and the near ones tell more.
 */
export class Tracer implements Following {
  readonly programs: Programs;
  readonly frames: readonly LocatedFrame[];
  readonly trail: Trail;
  /** What is still to be followed, the nearest first. */
  readonly #waiting: Subject[] = [];
  readonly #guesses: (() => void)[] = [];

  constructor(programs: Programs, frames: readonly LocatedFrame[], trail: Trail) {
    this.programs = programs;
    this.frames = frames;
    this.trail = trail;
  }

  /** Follows a value to its end, with all that it leads to. */
  run(subject: Subject): void {
    this.trail.startValue();
    this.value(subject);
    for (;;) {
      const next = this.#waiting.shift();
      if (next) this.#enter(next);
      else {
        const guess = this.#guesses.shift();
        if (!guess) return;
        guess();
      }
    }
  }

  value(subject: Subject): void {
    const nearer = this.#waiting.findLastIndex(({ from }) => from.steps <= subject.from.steps);
    this.#waiting.splice(nearer + 1, 0, subject);
  }

  unlessOriginFrom(signal: AnyCodeSignal, guess: () => void): void {
    this.#guesses.push(() => {
      if (!this.trail.hasOriginFrom(signal)) guess();
    });
  }

  #enter(subject: Subject): void {
    const node = plain(subject.node);
    const { source } = subject.program;
    const key = [source.name, source.firstLine, node.start, node.end, subject.wanted.was, ...subject.path].join(":");
    if (subject.path.length <= pathMax && this.trail.enter(key, subject.from)) this.#follow({ ...subject, node }, node);
  }

  step(subject: Subject, node: CodeNode, how: ValueSource, name: string): Subject {
    const inner = { ...subject, from: this.trail.step(subject.from, subject.program, node, how, name) };
    if (how === "literal") followPath(this, inner, node);
    return inner;
  }

  parts(subject: Subject, parts: readonly (CodeNode | null | undefined)[]): void {
    for (const node of parts.slice(0, partsMax)) if (node) this.value({ ...subject, node });
  }

  write(subject: Subject, program: Program, write: Write): void {
    followWrite(this, subject, program, write);
  }

  returns(subject: Subject, found: FoundFunction, name: string): void {
    followReturns(this, subject, found, name);
  }

  exports(subject: Subject, imported: Imported): void {
    followExports(this, subject, imported);
  }

  field(subject: Subject, at: CodeNode, name: string): boolean {
    return followField(this, subject, at, name);
  }

  fieldOf(subject: Subject, owner: FoundFunction, className: string | null, name: string, use: CodeNode | null): void {
    followFieldOf(this, subject, owner, className, name, use);
  }

  loose(subject: Subject, use: CodeNode, name: string): void {
    followLoose(this, subject, use, name);
  }

  lookup(subject: Subject, call: CodeNode): boolean {
    return followLookup(this, subject, call);
  }

  #follow(subject: Subject, node: CodeNode): void {
    const read = environmentRead(subject.program, node);
    if (read !== null) {
      const fallback = node.kind === "call" ? node.children.filter(({ role }) => role === "argument")[1] : undefined;
      const inner = this.step(subject, node, "environment", read);
      if (fallback) this.value({ ...inner, node: fallback });
      return;
    }
    switch (node.kind) {
      case "name":
        followName(this, subject, node);
        break;
      case "parameter":
        followParameter(this, subject, node, node.name ?? "");
        break;
      case "member":
      case "index":
        followMember(this, subject, node);
        break;
      case "call":
        followCall(this, subject, node);
        break;
      case "choice":
      case "if":
        this.#choices(subject, [part(node, "then"), part(node, "otherwise")]);
        break;
      case "binary":
        this.#binary(subject, node);
        break;
      case "assign":
        this.parts(subject, [part(node, "value")]);
        break;
      case "object":
      case "list":
        followObject(this, subject, node);
        break;
      case "string":
      case "number":
      case "boolean":
      case "nothing":
        this.#literal(subject, node);
        break;
      case "template":
      case "unary":
        this.#made(subject, node);
        break;
      case "block":
        this.parts(subject, [node.children.at(-1)]);
        break;
      default:
    }
  }

  #choices(subject: Subject, branches: readonly (CodeNode | null)[]): void {
    for (const branch of branches) {
      if (!branch) continue;
      const last = branch.kind === "block" ? branch.children.at(-1) : branch;
      if (!last) continue;
      if (subject.path.length === 0 && isLiteral(last) && canBe(last, subject.wanted))
        this.step(subject, last, "fallback", textOf(last, subject.program.source));
      else this.value({ ...subject, node: last });
    }
  }

  #binary(subject: Subject, node: CodeNode): void {
    const [left, right] = [part(node, "left"), part(node, "right")];
    const operator = node.name ?? "";
    const isDefault = operator === "||" || operator === "??" || operator === "or";
    if (isDefault) {
      const isNone = subject.path.length === 0 && isMissing(subject.wanted);
      if (right && subject.path.length === 0 && isLiteral(right) && canBe(right, subject.wanted))
        this.step(subject, right, "fallback", textOf(right, subject.program.source));
      else this.parts(subject, [right]);
      if (!isNone || (right && isNothing(right))) this.parts(subject, [left]);
      return;
    }
    if (operator === "&&" || operator === "and") this.#choices(subject, [right, left]);
    else if (!isMissing(subject.wanted) || subject.path.length === 0) this.#made(subject, node);
  }

  /** Values computed from others: the operands are followed whatever they are. */
  #made(subject: Subject, node: CodeNode): void {
    const isComputed = node.kind === "binary" && /^[+\-*/%]/.test(node.name ?? "") && !isMissing(subject.wanted);
    const inner = isComputed ? this.step(subject, node, "computed", textOf(node, subject.program.source)) : subject;
    const wanted = subject.wanted.was === "zero" ? subject.wanted : anything;
    this.parts({ ...inner, path: [], wanted }, operandsOf(node));
  }

  #literal(subject: Subject, node: CodeNode): void {
    // What is written at the failing expression itself is what it is meant to be.
    const isFirst = subject.from.kind !== "value-step";
    if (subject.path.length > 0 || isFirst || !canBe(node, subject.wanted)) return;
    if (!isMissing(subject.wanted) && isListed(node) && !subject.wanted.texts.includes(node.name ?? "")) return;
    this.step(subject, node, "literal", textOf(node, subject.program.source));
  }
}

/** A field of one of several objects in a list: what is spelled out like that is the program's input. */
function isListed(node: CodeNode): boolean {
  const object = node.parent?.kind === "entry" ? node.parent.parent : null;
  return object?.parent?.kind === "list" && object.parent.children.length > 1;
}

/** The environment variable that an expression reads; null when it reads none. */
export function environmentRead({ dialect, source }: Program, node: CodeNode): string | null {
  if (node.kind !== "member" && node.kind !== "index" && node.kind !== "call") return null;
  const match = dialect.environment.exec(textOf(node, source));
  return match ? (match.slice(1).find((one) => one !== undefined) ?? null) : null;
}
