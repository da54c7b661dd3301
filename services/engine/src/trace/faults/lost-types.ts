import type { CodeSignal } from "../../signals/signal.ts";
import type { Codebase } from "../code/codebase.ts";
import { textOf } from "../code/expressions.ts";
import { classNameOf } from "../code/functions.ts";
import { type CodeNode, is, isWithin, part } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import type { Failure } from "../failure.ts";
import { leadsTo, placeAt, type Trail } from "../follow/trail.ts";

/**
 * Notes where the failing value was parsed from text that this code serialized, if what the code uses of it doesn't
 * survive serialization.
 */
export function findLostTypes({ codebase, error }: Failure, trail: Trail): void {
  const signals = trail.signals();
  const messages = error.chain.map((index) => error.exceptions[index]?.message ?? "");
  for (const signal of signals) {
    const dialect = codebase.of(signal.subject.source)?.dialect;
    const isWhole =
      signal.kind === "throw-site" && messages.some((message) => dialect?.plainDataInMessage?.test(message));
    const lost = signal.kind === "bad-value" ? lostOf(codebase, signal) : isWhole ? whole : null;
    if (lost === null) continue;
    for (const step of signals) {
      if (step.kind !== "value-step" || step.args.how !== "parsed-text" || !leadsTo(step, signal)) continue;
      const program = codebase.of(step.subject.source);
      const call = program && readBackAt(program, step.subject.line);
      if (!program || !call) continue;
      const parse = textOf(part(call, "callee") ?? call, program.source);
      trail.add({ kind: "lost-type", args: { parse, ...lost } }, placeAt(program, call), step);
      return;
    }
  }
}

interface Lost {
  readonly member: string | null;
  readonly type: string | null;
}

/** The value is of no use as a whole. */
const whole: Lost = { member: null, type: null };

/** Returns what the failing code uses that data read back from a text lacks; null when it could be there. */
function lostOf(codebase: Codebase, { args, subject }: CodeSignal<"bad-value">): Lost | null {
  const program = codebase.of(subject.source);
  if (!program) return null;
  const { expression, use, was } = args;
  const isPlain = program.dialect.plainType?.test(was) ?? false;
  if (use === "operand") return isPlain ? whole : null;
  const member = args.member ?? (use === "call" ? (/\.([\w$]+)$/.exec(expression)?.[1] ?? null) : null);
  if (member === null)
    return use === "iterate" && (program.dialect.plainDataInMessage?.test(`is ${was}`) ?? false) ? whole : null;
  if (use !== "call" && !isPlain) return null;
  const builtIn = [...program.dialect.builtIn].find(([, names]) => names.has(member));
  if (builtIn) return { member, type: builtIn[0] };
  const owners = ownersOf(codebase, program, member);
  return owners.length > 0 || isPlain ? { member, type: (owners.length === 1 && owners[0]) || null } : null;
}

/** Returns the classes that have a method of a name; null for an object without a class. */
function ownersOf(codebase: Codebase, { dialect }: Program, name: string): (string | null)[] {
  const methods = codebase
    .functionsNamed(name)
    .filter(({ program, node }) => program.dialect === dialect && !is(node, "static"));
  return [...new Set(methods.map(({ node }) => classNameOf(node)))];
}

/** Returns the call on a line that reads back a text: one that it contains, or one that the same file keeps. */
function readBackAt({ source, dialect, calls }: Program, line: number): CodeNode | null {
  const { parsing, serializing } = dialect.calls;
  const written = [...serializing].flatMap((name) => calls.get(name) ?? []);
  const parses = [...parsing].flatMap((name) => calls.get(name) ?? []);
  const here = parses.filter((call) => source.lineAt(call.start) <= line && line <= source.lineAt(call.end));
  const around = here.find((call) => written.some((one) => isWithin(one, call)));
  return around ?? (written.some(isKept) ? (here[0] ?? null) : null);
}

const keeping: ReadonlySet<string> = new Set(
  "set setex psetex hset setItem put setdefault store save writeFile writeFileSync write_text".split(" "),
);

/** Returns whether a text is stored, under a key or as a file; a field may be the body of an answer. */
function isKept({ parent, role }: CodeNode): boolean {
  if (parent?.kind === "call") return role === "argument" && keeping.has(parent.name ?? "");
  return parent?.kind === "assign" && role === "value" && part(parent, "target")?.kind === "index";
}
