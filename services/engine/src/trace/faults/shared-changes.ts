import { calleesOf } from "../code/calls.ts";
import type { Codebase } from "../code/codebase.ts";
import { definitionsOf } from "../code/definitions.ts";
import { plain } from "../code/expressions.ts";
import { ownName } from "../code/functions.ts";
import { type CodeNode, is, part, walk } from "../code/ir.ts";
import { importedBy } from "../code/modules.ts";
import { type Program, parametersOf } from "../code/program.ts";
import { type Binding, resolve, resolveInModule } from "../code/scopes.ts";
import { hasNested, keyRead, oneLevelCopy } from "./one-level-copies.ts";
import { isCollection, type Shared, useOf } from "./shared-values.ts";

/** Maximum names that one value is followed through, nodes that are searched for each, and calls of one function. */
const holdersMax = 24;
const nodesMax = 20_000;
const callsMax = 40;
const changing: ReadonlySet<string> = new Set(
  "push pop shift unshift splice sort reverse fill append extend insert remove add update setdefault clear appendleft".split(
    " ",
  ),
);
/** They change their first argument. */
const assigning: ReadonlySet<string> = new Set(["assign", "merge", "defaultsDeep"]);

interface Code {
  readonly program: Program;
  readonly node: CodeNode;
}

/** How a name or an expression came to have a shared value. */
interface Way {
  /** Where it was handed out; null for the name of the constant. */
  readonly handedAt: Code | null;
  /** The keys that a copy of one level replaced; null for the value itself, and for what a copy still shares. */
  readonly replaced: ReadonlySet<string> | null;
  /** Whether only one level was copied on the way. */
  readonly isOfCopy: boolean;
}

/** A name that refers to the shared value, or to a copy of one level. */
interface Holder extends Way {
  readonly program: Program;
  readonly binding: Binding;
}

/** A change of a shared value. */
interface Change {
  readonly change: Code;
  readonly handedAt: Code;
  /** Whether it changes what a copy of one level still shares. */
  readonly isOfCopy: boolean;
}

/** Follows a shared value through names, arguments, results, and copies of one level to the first change of it. */
export function firstChange(codebase: Codebase, { program, binding, literal }: Shared): Change | null {
  const handedAt = binding.kind === "parameter" ? { program, node: binding.node } : null;
  const start: Holder = { program, binding, handedAt, replaced: null, isOfCopy: false };
  return new SharedUses(codebase, literal).changeOf(start);
}

class SharedUses {
  readonly #codebase: Codebase;
  readonly #literal: CodeNode;
  readonly #holders: Holder[] = [];
  readonly #known = new Set<Binding>();
  readonly #given = new Set<CodeNode>();
  #change: Change | null = null;

  constructor(codebase: Codebase, literal: CodeNode) {
    this.#codebase = codebase;
    this.#literal = literal;
  }

  changeOf(start: Holder): Change | null {
    this.#hold(start);
    for (const holder of this.#holders) {
      if (this.#change) break;
      this.#useEach(holder);
      if (holder === start && start.binding.kind === "variable") this.#import(start);
    }
    return this.#change;
  }

  #hold(holder: Holder): void {
    if (this.#known.has(holder.binding) || this.#holders.length >= holdersMax) return;
    this.#known.add(holder.binding);
    this.#holders.push(holder);
  }

  #useEach({ program, binding, ...way }: Holder): void {
    const { name } = binding;
    const uses = [...walk(binding.scope, nodesMax)].filter(
      (node) => node.kind === "name" && node.name === name && resolve(program, name, node) === binding,
    );
    const set = uses.flatMap(({ parent }) => (parent?.role === "target" ? (parent.name ?? []) : []));
    const replaced = way.replaced && new Set([...way.replaced, ...set]);
    for (const node of uses) this.#use({ program, node }, { ...way, replaced });
  }

  /** Follows the constant into the modules that import it. */
  #import({ program, binding }: Holder): void {
    const value = binding.writes[0]?.value;
    for (const other of this.#codebase.near()) {
      if (other === program || other.dialect !== program.dialect) continue;
      const local = resolveInModule(other, binding.name);
      if (!local || !importedBy(local)) continue;
      const named = useOf(other, binding.name);
      const isIt =
        named && definitionsOf(this.#codebase, other, named).some(({ node }) => value && node === plain(value));
      if (isIt || program.dialect.exports !== "listed")
        this.#hold({ program: other, binding: local, handedAt: null, replaced: null, isOfCopy: false });
    }
  }

  /** Follows one use of the value. */
  #use({ program, node }: Code, way: Way): void {
    if (this.#change || node.owner === null) return;
    const shared = way.replaced ? this.#sharedOf(node, way.replaced) : node;
    if (!shared) {
      if (!isMemberRead(node)) this.#handOn({ program, node: outermost(node) }, way);
      return;
    }
    const inner = { ...way, replaced: null };
    let at = shared;
    for (let on = at.parent; on && (on.kind === "member" || on.kind === "index") && at.role === "on"; on = at.parent) {
      const call = on.parent;
      if (call?.kind === "call" && on.role === "callee") {
        if (changing.has(on.name ?? "")) this.#changed({ program, node: call }, inner);
        else this.#copy({ program, node: at }, inner);
        return;
      }
      at = on;
    }
    if (at.role === "target" && at.parent?.kind === "assign") {
      if (at !== node || at.parent.name !== "=") this.#changed({ program, node: at.parent }, inner);
      return;
    }
    this.#handOn({ program, node: outermost(at) }, inner);
  }

  /** Returns what is read of a copy of one level and still shared: its own keys may be changed. */
  #sharedOf(copy: CodeNode, replaced: ReadonlySet<string>): CodeNode | null {
    const member = copy.parent;
    if (!member || !isMemberRead(copy) || member.role === "target" || member.role === "callee") return null;
    const key = keyRead(member);
    const isOwn = key !== null && replaced.has(key);
    return isOwn || !hasNested(this.#literal, key, isCollection) ? null : member;
  }

  /** Follows a copy of one level; returns whether an expression is copied so. */
  #copy({ program, node }: Code, way: Way): boolean {
    const copy = oneLevelCopy(node);
    const handedAt = way.handedAt ?? { program, node };
    if (copy)
      this.#handOn({ program, node: outermost(copy.node) }, { handedAt, replaced: copy.replaced, isOfCopy: true });
    return copy !== null;
  }

  /** A change by the constant's own name is meant: it is the module's state. */
  #changed(change: Code, { handedAt, isOfCopy }: Way): void {
    if (handedAt) this.#change ??= { change, handedAt, isOfCopy };
  }

  #handOn(given: Code, before: Way): void {
    const { program, node } = given;
    if (!before.replaced && this.#copy(given, before)) return;
    const { parent, role } = node;
    const way = { ...before, handedAt: before.handedAt ?? given };
    const hold = (name: string | null, at: CodeNode): void => {
      const binding = name === null ? null : resolve(program, name, at);
      if (binding) this.#hold({ program, binding, ...way });
    };
    if (parent?.kind === "call" && role === "argument") this.#pass(given, parent, way);
    else if (parent?.kind === "declare" && role === "value") hold(parent.name, parent);
    else if (parent?.kind === "assign" && role === "value") hold(part(parent, "target")?.name ?? null, parent);
    else if (parent?.kind === "return" || (parent?.kind === "function" && role === "body")) this.#give(given, way);
  }

  #pass({ program, node }: Code, call: CodeNode, way: Way): void {
    const position = call.children.filter(({ role }) => role === "argument").indexOf(node);
    if (assigning.has(call.name ?? "") && position === 0) {
      if (!way.replaced) this.#changed({ program, node: call }, way);
      if (call.role === "value" || call.parent?.kind === "return") this.#handOn({ program, node: call }, way);
      return;
    }
    for (const callee of calleesOf(this.#codebase, program, call)) {
      if (callee.program.isInstalled) continue;
      const shift = callee.program.dialect.hasSelfParameter && parametersOf(callee.node)[0]?.name === "self" ? 1 : 0;
      const parameter = parametersOf(callee.node)[position + shift];
      const body = part(callee.node, "body");
      const binding = parameter?.name && body ? resolve(callee.program, parameter.name, body) : null;
      if (binding) this.#hold({ program: callee.program, binding, ...way });
    }
  }

  /** Follows what a function returns into its callers. */
  #give({ node }: Code, way: Way): void {
    const owner = node.parent?.kind === "function" ? node.parent : node.owner;
    const name = owner && ownName(owner);
    if (!owner || name === null || is(owner, "generator") || this.#given.has(owner)) return;
    this.#given.add(owner);
    for (const other of this.#codebase.near())
      for (const call of (other.calls.get(name) ?? []).slice(0, callsMax))
        if (calleesOf(this.#codebase, other, call).some((one) => one.node === owner))
          this.#use({ program: other, node: call }, way);
  }
}

/** Returns whether a member or an element is read from a node. */
function isMemberRead({ parent, role }: CodeNode): boolean {
  return (parent?.kind === "member" || parent?.kind === "index") && role === "on";
}

/** Returns the outermost expression that has the value of a node. */
function outermost(node: CodeNode): CodeNode {
  let at = node;
  while (at.parent && isPassing(at.parent, at)) at = at.parent;
  return at;
}

/** Returns whether an expression has the value of a part of it. */
function isPassing(outer: CodeNode, inner: CodeNode): boolean {
  if (outer.kind === "choice") return inner.role !== "condition";
  if (outer.kind === "binary") return ["||", "??", "or"].includes(outer.name ?? "");
  return outer.kind === "await";
}
