import { calleesOf } from "../code/calls.ts";
import type { Codebase } from "../code/codebase.ts";
import { definitionsOf } from "../code/definitions.ts";
import { argumentsOf, lastName, plain, receiverOf, rootOf } from "../code/expressions.ts";
import { classAround, type FoundFunction, ownName, returnsOf } from "../code/functions.ts";
import { isReceiver } from "../code/handed-objects.ts";
import { around, type CodeNode, is, isWithin, part, walk } from "../code/ir.ts";
import { findExports, importedBy } from "../code/modules.ts";
import { type Program, parametersOf, type Write } from "../code/program.ts";
import { type Binding, replacementsOf, resolve, resolveInModule } from "../code/scopes.ts";
import { hasNested, keyRead, oneLevelCopy } from "./one-level-copies.ts";
import { isCollection, type Shared, unfrozen, useOf } from "./shared-values.ts";

/** Maximum names that one value is followed through, nodes that are searched for each, and calls of one function. */
const holdersMax = 24;
/** Maximum files in which a constant of a class is followed. */
const filesMax = 12;
const nodesMax = 20_000;
const callsMax = 40;
/** A name that is set more often is a working variable, and isn't followed. */
const writesMax = 40;
/** They change their first argument. */
const assigning: ReadonlySet<string> = new Set(["assign", "merge", "defaultsDeep"]);
/** Modules and classes whose functions change their first argument. */
const arranging: ReadonlyMap<string, RegExp> = new Map([
  ["sort", /^(?:Strings|Ints|Float64s|Slice|SliceStable|Sort|Stable)$/],
  ["slices", /^(?:Sort\w{0,20}|Reverse)$/],
  ["Collections", /^(?:sort|reverse|shuffle|swap|rotate|addAll)$/],
  ["random", /^shuffle$/],
]);
/** Calls that change the order of a list. */
const ordering = /^(?:sort|reverse|shuffle|rotate|Strings|Ints|Float64s|Slice|SliceStable|Sort|Stable|Reverse)/;
/** Calls that give one element of a collection, not a copy of it. */
const giving: ReadonlySet<string> = new Set("get fetch at dig first last getOrDefault".split(" "));

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
  /** Whether code may be meant to change what it holds, but not its order. */
  readonly isOnlyOrdered: boolean;
}

/** A name or a field that refers to the shared value, or to a copy of one level. */
interface Holder extends Way {
  readonly program: Program;
  readonly uses: readonly CodeNode[];
}

/** A change of a shared value. */
export interface Change {
  readonly change: Code;
  readonly handedAt: Code;
  /** Whether it changes what a copy of one level still shares. */
  readonly isOfCopy: boolean;
  /** Whether a function changes what it was passed. */
  readonly isOfArgument: boolean;
}

/** Follows a shared value through names, arguments, results, and copies of one level to the first change of it. */
export function firstChange(codebase: Codebase, shared: Shared): Change | null {
  return new SharedUses(codebase, shared).change();
}

const untouched = { handedAt: null, replaced: null, isOfCopy: false } as const;

class SharedUses {
  readonly #codebase: Codebase;
  readonly #shared: Shared;
  readonly #holders: Holder[] = [];
  readonly #known = new Set<string>();
  readonly #held = new Map<Binding, Set<CodeNode | null>>();
  readonly #given = new Set<CodeNode>();
  #change: Change | null = null;

  constructor(codebase: Codebase, shared: Shared) {
    this.#codebase = codebase;
    this.#shared = shared;
  }

  change(): Change | null {
    const { program, keptBy, binding, isOnlyOrdered } = this.#shared;
    const handedAt = keptBy ?? (binding?.kind === "parameter" ? binding.node : null);
    const way: Way = {
      handedAt: handedAt && { program, node: handedAt },
      replaced: null,
      isOfCopy: false,
      isOnlyOrdered,
    };
    if (keptBy) this.#giveFrom(keptBy, way);
    if (this.#shared.owner) this.#holdOfClass(this.#shared.owner, way);
    if (binding) {
      this.#hold(program, binding, way, null);
      if (binding.kind === "variable") this.#import(program, binding);
    }
    for (const holder of this.#holders) {
      if (this.#change) break;
      for (const node of holder.uses) this.#use({ program: holder.program, node }, holder);
    }
    return this.#change;
  }

  /** Follows a name that has the value from where it is given it, until it is set to another one. */
  #hold(program: Program, binding: Binding, way: Way, given: CodeNode | null): void {
    const held = this.#held.get(binding) ?? new Set<CodeNode | null>();
    if (held.has(given) || this.#isFull() || binding.writes.length > writesMax) return;
    this.#held.set(binding, held.add(given));
    const { name } = binding;
    const since = given?.end ?? (binding.kind === "parameter" ? 0 : Number.POSITIVE_INFINITY);
    const isIt = (node: CodeNode): boolean =>
      node.kind === "name" && node.name === name && resolve(program, name, node) === binding;
    const isBefore = ({ start, owner }: CodeNode): boolean =>
      given !== null && start < since && owner === given.owner && !around(given, "loop");
    const isStill = (node: CodeNode): boolean =>
      replacementsOf(binding.writes, node, since).every(({ value }) => value !== null && this.#keeps(value, name));
    const uses = [...walk(binding.scope, nodesMax)].filter((node) => isIt(node) && !isBefore(node) && isStill(node));
    this.#follow(program, uses, way);
  }

  #isFull(): boolean {
    return this.#holders.length >= holdersMax;
  }

  /** Returns whether what a name is set to may still be its value: `options = options ?? {}`. */
  #keeps(value: CodeNode, name: string): boolean {
    const isIt = (node: CodeNode): boolean =>
      node.kind === "name" && node.name === name && outermost(node) === value && !this.#isOtherIfEmpty(value);
    return [...walk(value, nodesMax)].some(isIt);
  }

  /** `options or {}` is new in Python if the shared one is empty. */
  #isOtherIfEmpty({ kind, name }: CodeNode): boolean {
    return kind === "binary" && name === "or" && unfrozen(this.#shared.literal).children.length === 0;
  }

  /** Follows a constant of a class, where it is read by its own name and as a member of the class. */
  #holdOfClass(owner: CodeNode, way: Way): void {
    const { program: home, name } = this.#shared;
    const isNaming = (one: Program): boolean => one.dialect === home.dialect && one.source.text.includes(name);
    for (const program of this.#codebase.own().filter(isNaming).slice(0, filesMax)) {
      const isUse = (node: CodeNode): boolean => {
        if (node.name !== name || (node.kind !== "name" && node.kind !== "member")) return false;
        const on = part(node, "on");
        return on && on.kind !== "self" ? lastName(on) === owner.name : program === home && isWithin(node, owner);
      };
      this.#follow(program, [...walk(program.tree, nodesMax)].filter(isUse), way);
    }
  }

  /** Follows the value into the field of an object that keeps it. */
  #holdInField(program: Program, target: CodeNode, way: Way): void {
    const owner = isOwnField(program, target) ? classAround(target) : null;
    const key = `${program.source.name}:${owner?.start}.${target.name}`;
    if (!owner || this.#known.has(key)) return;
    this.#known.add(key);
    const isOther = (one: Write): boolean => one.target !== target && isWithin(one.node, owner);
    const others = (program.fieldWrites.get(target.name ?? "") ?? []).filter(isOther);
    // The function that keeps it sets the field again, to a copy for example.
    if (others.some(({ node }) => node.parent === target.parent?.parent && node.start > target.end)) return;
    const isUse = (node: CodeNode): boolean =>
      node !== target &&
      node.name === target.name &&
      isOwnField(program, node) &&
      classAround(node) === owner &&
      replacementsOf(others.slice(0, writesMax), node, 0).length === 0;
    this.#follow(program, [...walk(owner, nodesMax)].filter(isUse), way);
  }

  #follow(program: Program, uses: readonly CodeNode[], way: Way): void {
    if (this.#isFull()) return;
    const set = uses.flatMap(({ parent }) => (parent?.role === "target" ? (parent.name ?? []) : []));
    const replaced = way.replaced && new Set([...way.replaced, ...set]);
    this.#holders.push({ ...way, replaced, program, uses });
  }

  /** Follows the constant into the modules that import it. */
  #import(program: Program, binding: Binding): void {
    const value = binding.writes[0]?.value;
    for (const other of this.#codebase.near()) {
      if (other === program || other.dialect !== program.dialect) continue;
      const local = resolveInModule(other, binding.name);
      const imported = local && importedBy(local);
      if (!local || !imported || !value) continue;
      const exported = findExports(this.#codebase, other, imported).flatMap((one) =>
        one.kind === "value" ? [one.node] : [],
      );
      const use = useOf(other, binding.name);
      const defined = use ? definitionsOf(this.#codebase, other, use).map(({ node }) => node) : [];
      const isIt = [...exported, ...defined].some((node) => plain(node) === plain(value));
      if (isIt || program.dialect.exports !== "listed")
        this.#hold(other, local, { ...untouched, isOnlyOrdered: this.#shared.isOnlyOrdered }, null);
    }
  }

  /** Follows one use of the value. */
  #use({ program, node }: Code, from: Way): void {
    // What a module does once prepares the value.
    if (this.#change || (node.owner === null && !around(node, "loop"))) return;
    const way = node.owner === null ? { ...from, isOnlyOrdered: true } : from;
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
        this.#called({ program, node: at }, call, inner);
        return;
      }
      at = on;
    }
    if (at.role === "left" && at.parent?.kind === "binary" && program.appended.includes(at.parent)) {
      this.#changed({ program, node: at.parent }, inner);
      return;
    }
    if (at.role === "target" && at.parent?.kind === "assign") {
      if (at !== node || at.parent.name !== "=") this.#changed({ program, node: at.parent }, inner);
      return;
    }
    if (at === shared || hasNested(this.#shared.literal, null, isCollection))
      this.#handOn({ program, node: outermost(at) }, inner);
  }

  /** Follows a method that is called on the value. */
  #called(value: Code, call: CodeNode, way: Way): void {
    const { program } = value;
    const { adding, joining, altering } = program.dialect.calls;
    const name = call.name ?? "";
    if (name === "setdefault" || [adding, joining, altering].some((one) => one.has(name)))
      this.#changed({ program, node: call }, way);
    else if (giving.has(name) && hasNested(this.#shared.literal, null, isCollection))
      this.#handOn({ program, node: outermost(call) }, way);
    else this.#copy(value, way);
  }

  /** Returns what is read of a copy of one level and still shared: its own keys may be changed. */
  #sharedOf(copy: CodeNode, replaced: ReadonlySet<string>): CodeNode | null {
    const member = copy.parent;
    if (!member || !isMemberRead(copy) || member.role === "target" || member.role === "callee") return null;
    const key = keyRead(member);
    const isOwn = key !== null && replaced.has(key);
    return isOwn || !hasNested(this.#shared.literal, key, isCollection) ? null : member;
  }

  /** Follows a copy of one level; returns whether an expression is copied so. */
  #copy({ program, node }: Code, way: Way): boolean {
    const copy = oneLevelCopy(node);
    const handedAt = way.handedAt ?? { program, node };
    if (copy)
      this.#handOn(
        { program, node: outermost(copy.node) },
        { ...way, handedAt, replaced: copy.replaced, isOfCopy: true },
      );
    return copy !== null;
  }

  /** A change by the constant's own name is meant: it is the module's state. */
  #changed(change: Code, { handedAt, isOfCopy, isOnlyOrdered }: Way): void {
    if (!handedAt || (isOnlyOrdered && !ordering.test(change.node.name ?? ""))) return;
    if (this.#shared.isPlain && (isAttached(change.node, this.#shared.literal) || isRegistering(change.node))) return;
    const changed = rootOf(part(change.node, "target") ?? part(change.node, "left") ?? change.node);
    const isGiven = arranges(change.node) || assigning.has(change.node.name ?? "");
    const of = isGiven ? argumentsOf(change.node)[0]?.value : changed;
    const binding = of?.kind === "name" ? resolve(change.program, of.name ?? "", of) : null;
    const isOfArgument = binding?.kind === "parameter" && !(of && isReceiver(change.program, of));
    this.#change ??= { change, handedAt, isOfCopy, isOfArgument };
  }

  #handOn(given: Code, before: Way): void {
    const { program, node } = given;
    if (this.#isOtherIfEmpty(node) || (!before.replaced && this.#copy(given, before))) return;
    const { parent, role } = node;
    const way = { ...before, handedAt: before.handedAt ?? given };
    const hold = (name: string | null, at: CodeNode): void => {
      const binding = name === null ? null : resolve(program, name, at);
      if (binding) this.#hold(program, binding, way, node);
    };
    const target = parent?.kind === "assign" && role === "value" ? part(parent, "target") : null;
    if (parent?.kind === "call" && role === "argument") this.#pass(given, parent, way);
    else if (parent?.kind === "declare" && role === "value") hold(parent.name, parent);
    else if (target?.kind === "member") this.#holdInField(program, target, way);
    else if (target) hold(target.name, target);
    else if (parent?.kind === "return" || (parent?.kind === "function" && role === "body") || isLast(given))
      this.#give(given, way);
  }

  #pass({ program, node }: Code, call: CodeNode, way: Way): void {
    const position = call.children.filter(({ role }) => role === "argument").indexOf(node);
    if (position === 0 && (assigning.has(call.name ?? "") || arranges(call))) {
      if (!way.replaced) this.#changed({ program, node: call }, way);
      if (call.role === "value" || call.parent?.kind === "return") this.#handOn({ program, node: call }, way);
      return;
    }
    for (const callee of calleesOf(this.#codebase, program, call)) {
      if (callee.program.isInstalled) continue;
      const shift = isReceiverFirst(callee) ? 1 : 0;
      const parameter = parametersOf(callee.node)[position + shift];
      const body = part(callee.node, "body");
      const binding = parameter?.name && body ? resolve(callee.program, parameter.name, body) : null;
      if (binding) this.#hold(callee.program, binding, way, null);
    }
  }

  /** Follows what a function returns into its callers. */
  #give({ node }: Code, way: Way): void {
    const owner = node.parent?.kind === "function" ? node.parent : node.owner;
    if (owner) this.#giveFrom(owner, way);
  }

  #giveFrom(owner: CodeNode, way: Way): void {
    const name = ownName(owner);
    if (name === null || is(owner, "generator") || this.#given.has(owner)) return;
    this.#given.add(owner);
    for (const other of this.#codebase.near())
      for (const call of (other.calls.get(name) ?? []).slice(0, callsMax))
        if (calleesOf(this.#codebase, other, call).some((one) => one.node === owner))
          this.#use({ program: other, node: call }, way);
  }
}

/** Returns whether a function returns an expression without a `return`. */
function isLast({ program, node }: Code): boolean {
  return program.dialect.returnsLast && node.owner !== null && returnsOf(program, node.owner).includes(node);
}

function isReceiverFirst({ program, node }: FoundFunction): boolean {
  return program.dialect.hasSelfParameter && parametersOf(node)[0]?.name === "self";
}

/** Returns whether a node is a field of the object that a method belongs to. */
function isOwnField(program: Program, node: CodeNode): boolean {
  const on = node.kind === "member" ? part(node, "on") : null;
  return node.kind === "member" && (on === null || on.kind === "self" || isReceiver(program, on));
}

/** Returns whether a field is set that the literal doesn't have: code attaches something of its own. */
function isAttached(change: CodeNode, literal: CodeNode): boolean {
  const target = change.kind === "assign" ? part(change, "target") : null;
  const key = target && keyRead(target);
  return key !== null && ![...walk(literal, nodesMax)].some(({ kind, name }) => kind === "entry" && name === key);
}

/** Returns whether an element is set of what a call returns, as only code does that means to: `plugins()[name] = one`. */
function isRegistering(change: CodeNode): boolean {
  const target = change.kind === "assign" ? part(change, "target") : null;
  return target?.kind === "index" && part(target, "on")?.kind === "call";
}

/** Returns whether a call changes its first argument: `Collections.sort(list)`. */
function arranges(call: CodeNode): boolean {
  const on = call.kind === "call" ? receiverOf(call) : null;
  return on !== null && arranging.get(on.name ?? "")?.test(call.name ?? "") === true;
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
