import type { LocatedFrame } from "../../findings/located-frame.ts";
import type { StepArgs, ValueSource } from "../../signals/code/value-sources.ts";
import type { AnyCodeSignal } from "../../signals/signal.ts";
import type { Codebase } from "../code/codebase.ts";
import {
  argumentsOf,
  isLiteral,
  isNothing,
  keyText,
  lastName,
  operandsOf,
  pathOf,
  plain,
  rootOf,
  textOf,
} from "../code/expressions.ts";
import type { FoundFunction } from "../code/functions.ts";
import { type CodeNode, part, walk } from "../code/ir.ts";
import type { Imported } from "../code/modules.ts";
import type { Program, Write } from "../code/program.ts";
import { resolve } from "../code/scopes.ts";
import { awaitedHere } from "./awaits.ts";
import { followCall, followExports, followReturns } from "./follow-calls.ts";
import { followPath, isPathOfRefused } from "./follow-data.ts";
import { followField, followFieldOf, followLoose } from "./follow-fields.ts";
import { followLookup, followMember, followObject } from "./follow-members.ts";
import { followName, followParameter, followWrite } from "./follow-names.ts";
import type { FollowedValue, Following } from "./following.ts";
import { isSettled } from "./promised-values.ts";
import { nameUnitsMax, type Trail } from "./trail.ts";
import { anything, canBe, isMissing } from "./wanted.ts";

const partsMax = 6;
/** Longest chain of members read from a value. Real code is shorter; only cycles exceed it. */
const pathMax = 6;

/**
 * Follows values backwards through the code of any language, and adds a signal at every step. What is closest to the
 * failure is followed first, because the number of steps is limited and the close ones tell more.
 */
export class Tracer implements Following {
  readonly codebase: Codebase;
  readonly frames: readonly LocatedFrame[];
  readonly trail: Trail;
  /** The values still to be followed, the closest first. */
  readonly #waiting: FollowedValue[] = [];
  readonly #guesses: (() => void)[] = [];

  constructor(codebase: Codebase, frames: readonly LocatedFrame[], trail: Trail) {
    this.codebase = codebase;
    this.frames = frames;
    this.trail = trail;
  }

  /** Follows a value to its end, and everything that it leads to. */
  run(followed: FollowedValue): void {
    this.trail.startValue();
    this.value(followed);
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

  value(followed: FollowedValue): void {
    const nearer = this.#waiting.findLastIndex(({ from }) => from.steps <= followed.from.steps);
    this.#waiting.splice(nearer + 1, 0, followed);
  }

  unlessOriginFrom(signal: AnyCodeSignal, guess: () => void): void {
    this.#guesses.push(() => {
      if (!this.trail.hasOriginFrom(signal)) guess();
    });
  }

  #enter(followed: FollowedValue): void {
    const node = plain(followed.node);
    const { source } = followed.program;
    const key = [source.name, source.firstLine, node.start, node.end, followed.wanted.was, ...followed.path].join(":");
    if (followed.path.length <= pathMax && this.trail.enter(key, followed.from))
      this.#follow(
        { ...followed, node, awaits: isSettled(followed.node) ? awaitedHere(followed) : followed.awaits },
        node,
      );
  }

  step(
    followed: FollowedValue,
    node: CodeNode,
    how: ValueSource,
    name: string,
    known?: Pick<StepArgs, "isFilled" | "isDefined" | "isUnread" | "isUnused" | "isChosen" | "isCallback" | "keys">,
  ): FollowedValue {
    const inner = { ...followed, from: this.trail.step(followed.from, followed.program, node, how, name, known) };
    if (how === "literal") followPath(this, inner, node);
    return inner;
  }

  parts(followed: FollowedValue, parts: readonly (CodeNode | null | undefined)[]): void {
    for (const node of parts.slice(0, partsMax)) if (node) this.value({ ...followed, node });
  }

  write(followed: FollowedValue, program: Program, write: Write): void {
    followWrite(this, followed, program, write);
  }

  returns(followed: FollowedValue, found: FoundFunction, name: string): void {
    followReturns(this, followed, found, name);
  }

  exports(followed: FollowedValue, imported: Imported): void {
    followExports(this, followed, imported);
  }

  field(followed: FollowedValue, at: CodeNode, name: string): boolean {
    return followField(this, followed, at, name);
  }

  fieldOf(
    followed: FollowedValue,
    owner: FoundFunction,
    className: string | null,
    name: string,
    use: CodeNode | null,
  ): void {
    followFieldOf(this, followed, owner, className, name, use);
  }

  loose(followed: FollowedValue, use: CodeNode, name: string): void {
    followLoose(this, followed, use, name);
  }

  lookup(followed: FollowedValue, call: CodeNode): boolean {
    return followLookup(this, followed, call);
  }

  #follow(followed: FollowedValue, node: CodeNode): void {
    const read = environmentRead(followed.program, node);
    if (read !== null) {
      this.#variable(followed, node, read);
      return;
    }
    switch (node.kind) {
      case "name":
        followName(this, followed, node);
        break;
      case "parameter":
        followParameter(this, followed, node, { name: node.name ?? "", path: [], fallback: null });
        break;
      case "member":
      case "index":
        followMember(this, followed, node);
        break;
      case "call":
        followCall(this, followed, node);
        break;
      case "choice":
      case "if":
        this.#choices(followed, [part(node, "then"), part(node, "otherwise")], !replacesMissing(node));
        break;
      case "binary":
        this.#binary(followed, node);
        break;
      case "assign":
        this.parts(followed, [part(node, "value")]);
        break;
      case "object":
      case "list":
        followObject(this, followed, node);
        break;
      case "string":
      case "number":
      case "boolean":
      case "nothing":
        this.#literal(followed, node);
        break;
      case "template":
      case "unary":
        this.#made(followed, node);
        break;
      case "block":
        this.parts(followed, [node.children.at(-1)]);
        break;
      default:
    }
  }

  /** Follows a variable of the environment: one that is known to be set is there, and needs no fallback. */
  #variable(followed: FollowedValue, node: CodeNode, name: string): void {
    const known = this.codebase.isSet(name);
    const isSet = known ?? (isRequiredRead(followed.program, node) || undefined);
    const fallback = node.kind === "call" ? node.children.filter(({ role }) => role === "argument")[1] : undefined;
    const isMissing = followed.wanted.was === "nothing" && followed.path.length === 0;
    if (known === true && isMissing) return;
    const isRead = isSet !== false || fallback === undefined;
    const from = isRead
      ? this.trail.step(
          followed.from,
          followed.program,
          node,
          "environment",
          name,
          isSet === undefined ? {} : { isSet },
        )
      : followed.from;
    if (fallback && isSet !== true) this.value({ ...followed, from, node: fallback });
  }

  #choices(followed: FollowedValue, branches: readonly (CodeNode | null)[], isChosen = false): void {
    for (const branch of branches) {
      if (!branch) continue;
      const last = branch.kind === "block" ? branch.children.at(-1) : branch;
      if (!last) continue;
      if (followed.path.length === 0 && isLiteral(last) && canBe(last, followed.wanted))
        this.step(followed, last, "fallback", textOf(last, followed.program.source), isChosen ? { isChosen } : {});
      else this.value({ ...followed, node: last });
    }
  }

  #binary(followed: FollowedValue, node: CodeNode): void {
    const [left, right] = [part(node, "left"), part(node, "right")];
    const operator = node.name ?? "";
    if (operator === "||" || operator === "??" || operator === "or") this.#default(followed, operator, left, right);
    else if (operator === "&&" || operator === "and") this.#choices(followed, [right, left]);
    else if (!isMissing(followed.wanted) || followed.path.length === 0) this.#made(followed, node);
  }

  #default(followed: FollowedValue, operator: string, left: CodeNode | null, right: CodeNode | null): void {
    const variable = left && environmentRead(followed.program, plain(left));
    const isSet = variable ? this.codebase.isSet(variable) : undefined;
    // A variable that is set to an empty text gives way only to `||`. Its value isn't known, so the fallback tells which
    // file is meant.
    if (isSet === true && operator === "??" && !isPathOfRefused(followed.from, followed.program.dialect)) {
      this.parts(followed, [left]);
      return;
    }
    const isWhole = followed.path.length === 0;
    if (right && isWhole && isLiteral(right) && canBe(right, followed.wanted))
      this.step(followed, right, "fallback", textOf(right, followed.program.source));
    else this.parts(followed, [right]);
    if (isSet === false) return;
    if (!(isWhole && isMissing(followed.wanted)) || (right && isNothing(right))) this.parts(followed, [left]);
  }

  /** Follows the operands of a computed value, whatever they are. */
  #made(followed: FollowedValue, node: CodeNode): void {
    // A template is always a text, whatever is put into it.
    if (followed.wanted.was === "nothing" && node.kind === "template") return;
    const isComputed = node.kind === "binary" && /^[+\-*/%]/.test(node.name ?? "") && !isMissing(followed.wanted);
    const inner = isComputed ? this.step(followed, node, "computed", textOf(node, followed.program.source)) : followed;
    const wanted = followed.wanted.was === "zero" ? followed.wanted : anything;
    this.parts({ ...inner, path: [], wanted }, operandsOf(node));
  }

  #literal(followed: FollowedValue, node: CodeNode): void {
    // A literal in the failing expression itself is intended.
    const isFirst = followed.from.kind !== "value-step";
    if (followed.path.length > 0 || isFirst || !canBe(node, followed.wanted)) return;
    if (!isMissing(followed.wanted) && isListed(node) && !followed.wanted.texts.includes(node.name ?? "")) return;
    this.step(followed, node, "literal", textOf(usedIn(node), followed.program.source));
  }
}

/**
 * Returns the expression that uses a literal, which says what it is for, with what is called on its result; the literal
 * itself where it is all there is.
 */
function usedIn(literal: CodeNode): CodeNode {
  const { parent } = literal;
  if (parent === null || !expressions.has(parent.kind)) return literal;
  let used = parent;
  for (let next = callOn(used); next && next.end - next.start <= nameUnitsMax; next = callOn(used)) used = next;
  return used;
}

/** Returns the call of a method of a value. */
function callOn({ role, parent }: CodeNode): CodeNode | null {
  const call = role === "on" && parent?.role === "callee" ? parent.parent : null;
  return call?.kind === "call" ? call : null;
}

const expressions: ReadonlySet<CodeNode["kind"]> = new Set(["call", "binary", "unary", "choice", "list", "index"]);

/** Returns whether a node is a field of one of several objects in a list literal, which is the program's input. */
function isListed(node: CodeNode): boolean {
  const object = node.parent?.kind === "entry" ? node.parent.parent : null;
  return object?.parent?.kind === "list" && object.parent.children.length > 1;
}

/** Returns whether a choice tests what one of its branches gives: `x if x else y`, `x == null ? y : x`, `x[k] if k in x else y`. */
function replacesMissing(choice: CodeNode): boolean {
  const [tested, then, otherwise] = (["condition", "then", "otherwise"] as const).map((role) => part(choice, role));
  const given = [then, otherwise].flatMap((one) =>
    one && !isLiteral(one) ? [rootOf(plain(one)).name, lastName(one)] : [],
  );
  return !!tested && [...walk(tested, testedNodesMax)].some(({ name }) => name !== null && given.includes(name));
}

const testedNodesMax = 60;

/** Returns whether an expression that gave a value would have thrown without the environment variable that it reads. */
function isRequiredRead({ dialect }: Program, node: CodeNode): boolean {
  const path = pathOf(part(node, node.kind === "call" ? "callee" : "on") ?? node);
  const isRequired = dialect.environment.required.has(path?.join(".") ?? "");
  return isRequired && (node.kind !== "call" || argumentsOf(node).length === 1);
}

/** Returns the environment variable that an expression reads; null when it reads none. */
export function environmentRead(program: Program, node: CodeNode): string | null {
  const { objects, calls, isNamedByMember } = program.dialect.environment;
  const of = part(node, node.kind === "call" ? "callee" : "on");
  const path = of && pathOf(of);
  if (!path || !(node.kind === "call" ? calls : objects).has(path.join("."))) return null;
  // The `environ` that a WSGI application gets is the request.
  const root = rootOf(of);
  if (root.name !== null && resolve(program, root.name, root)?.kind === "parameter") return null;
  const key = node.kind === "call" ? argumentsOf(node)[0]?.value : part(node, "key");
  if (key) return keyText(key);
  return node.kind === "member" && isNamedByMember ? node.name : null;
}
