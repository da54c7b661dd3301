import type { Clue, LocatedFrame } from "../../../findings.ts";
import { inlineCode } from "../../../prose.ts";
import { type CodeNode, part } from "./code-node.ts";
import { isNothing, operandsOf, plain, textOf } from "./expressions.ts";
import type { CodePrograms, FoundFunction } from "./programs.ts";
import type { Subject, Tracing } from "./subject.ts";
import { operatorOf } from "./throw-site.ts";
import { followCall, followReturns } from "./trace-calls.ts";
import { followCollection, isOrigin, noteLiteral } from "./trace-literals.ts";
import { TraceLog } from "./trace-log.ts";
import { followIndex, followMember } from "./trace-members.ts";
import { followName } from "./trace-names.ts";

const partsMax = 6;

/** Follows values backwards through the code, and says at every step what it saw. */
export class Trace implements Tracing {
  readonly programs: CodePrograms;
  readonly frames: readonly LocatedFrame[];
  readonly log = new TraceLog();

  constructor(programs: CodePrograms, frames: readonly LocatedFrame[]) {
    this.programs = programs;
    this.frames = frames;
  }

  /** From a value to where it was made. A step after which the trail ends is marked. */
  follow(subject: Subject): readonly Clue[] {
    this.value(subject, 1);
    return this.log.clues();
  }

  value(subject: Subject, steps: number): void {
    const node = plain(subject.node);
    const { source, dialect } = subject.program;
    const key = [source.name, source.firstLine, node.start, node.end, ...subject.path].join(":");
    if (!this.log.enter(key, steps)) return;
    const inner = { ...subject, node };
    const read = dialect.environment(node, (one) => textOf(one, source));
    if (read) {
      const says = `${inlineCode(textOf(node, source))} is read from the environment`;
      const isCovered = read.fallback !== null && !isNothing(read.fallback);
      this.log.note(subject.program, node, isCovered ? "call" : "environment", read.variable, says, steps);
      if (read.fallback) this.value({ ...inner, node: read.fallback }, steps + 1);
      return;
    }
    this.#follow(inner, node, steps);
  }

  returns(subject: Subject, found: FoundFunction, name: string, steps: number): void {
    followReturns(this, subject, found, name, steps);
  }

  #follow(subject: Subject, node: CodeNode, steps: number): void {
    switch (node.kind) {
      case "name":
        followName(this, subject, node, steps);
        break;
      case "member":
        followMember(this, subject, node, steps);
        break;
      case "index":
        followIndex(this, subject, node, steps);
        break;
      case "call":
        followCall(this, subject, node, steps);
        break;
      case "choice":
      case "if":
        this.#choices(subject, branchesOf(node), steps);
        break;
      case "binary":
        this.#binary(subject, node, steps);
        break;
      case "assign":
        this.#parts(subject, [part(node, "value")], steps);
        break;
      case "collection":
      case "list":
        followCollection(this, subject, node, steps);
        break;
      case "number":
      case "boolean":
      case "nothing":
        noteLiteral(this, subject, steps);
        break;
      case "string":
        if (operandsOf(node).length > 0) this.#parts({ ...subject, path: [], wanted: "any" }, operandsOf(node), steps);
        else noteLiteral(this, subject, steps);
        break;
      case "unary":
        this.#parts(subject, [part(node, "operand")], steps);
        break;
      default:
    }
  }

  #choices(subject: Subject, branches: readonly CodeNode[], steps: number): void {
    for (const node of branches) {
      if (isOrigin(subject, node)) {
        const text = inlineCode(textOf(node, subject.program.source, 40));
        this.log.note(subject.program, node, "fallback", text, `${text} is what it is otherwise`, steps);
      } else this.value({ ...subject, node }, steps + 1);
    }
  }

  #binary(subject: Subject, node: CodeNode, steps: number): void {
    const { source } = subject.program;
    const [left, right] = [part(node, "left"), part(node, "right")];
    const operator = operatorOf(node, source.text);
    const isDefault = ["or", "||", "??"].includes(operator);
    if (isDefault && right && isOrigin(subject, right)) {
      const says = `${inlineCode(textOf(right, source, 40))} stands in for a missing value`;
      this.log.note(subject.program, right, "fallback", textOf(right, source, 40), says, steps);
    }
    const inner = isDefault
      ? subject
      : { ...subject, path: [], wanted: subject.wanted === "zero" ? subject.wanted : ("any" as const) };
    this.#parts(inner, isDefault && subject.wanted === "nothing" ? [right] : [left, right], steps);
  }

  #parts(subject: Subject, parts: readonly (CodeNode | null)[], steps: number): void {
    for (const node of parts.slice(0, partsMax)) if (node) this.value({ ...subject, node }, steps + 1);
  }
}

/** What a condition comes to. */
function branchesOf(node: CodeNode): CodeNode[] {
  return [part(node, "consequence"), part(node, "otherwise")].flatMap((branch) => {
    const last = branch && (branch.kind === "block" || branch.type === "else") ? branch.children.at(-1) : branch;
    return last ? [last] : [];
  });
}
