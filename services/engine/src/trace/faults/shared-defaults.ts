import type { LocatedFrame } from "../../findings/located-frame.ts";
import { calleesOf } from "../code/calls.ts";
import type { Codebase } from "../code/codebase.ts";
import { definitionsOf } from "../code/definitions.ts";
import { plain, textOf } from "../code/expressions.ts";
import { ownName } from "../code/functions.ts";
import { type CodeNode, is, part, walk } from "../code/ir.ts";
import { importedBy } from "../code/modules.ts";
import { type Program, parametersOf } from "../code/program.ts";
import { type Binding, resolve, resolveInModule } from "../code/scopes.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { functionsOnTrail } from "./functions-on-trail.ts";

/** Maximum names that one constant is followed through. */
const holdersMax = 24;
const sharedMax = 6;
/** Maximum defaults and constants that are followed, and nodes that are searched for each name. */
const candidatesMax = 40;
const nodesMax = 20_000;
const callsMax = 40;
/** Names of values that every use expects as they were written. */
const constantName = /default|initial|template|(?:^|_)base|empty|blank/i;
/** Names of defaults that are meant to keep what calls add. */
const keptName = /^_|cache|memo|seen|visited/i;
const changing: ReadonlySet<string> = new Set(
  "push pop shift unshift splice sort reverse fill append extend insert remove add update setdefault clear appendleft".split(
    " ",
  ),
);
/** They change their first argument. */
const assigning: ReadonlySet<string> = new Set(["assign", "merge", "defaultsDeep"]);
const collections: ReadonlySet<string> = new Set(["list", "dict", "set", "deque", "defaultdict"]);

/** A name that refers to the shared value itself. */
interface Holder {
  readonly program: Program;
  readonly binding: Binding;
  /** Where it was handed to this name; null for the name of the constant. */
  readonly handedAt: Handing | null;
}

interface Handing {
  readonly program: Program;
  readonly node: CodeNode;
}

/** Notes defaults and constants that code modifies, where a function related to the failure hands them out. */
export function findSharedDefaults(codebase: Codebase, frames: readonly LocatedFrame[], trail: Trail): void {
  let found = 0;
  const isOnTrail = functionsOnTrail(trail, frames);
  const note = (name: string, how: "default" | "constant", at: Handing, change: Handing): void => {
    const changed = textOf(change.node, change.program.source);
    trail.add({ kind: "shared-default", args: { name, change: changed, how } }, placeAt(at.program, at.node), null);
    found++;
  };
  let followed = 0;
  for (const program of codebase.all().filter(({ isInstalled }) => !isInstalled)) {
    for (const binding of sharedIn(program)) {
      if (found >= sharedMax || followed++ >= candidatesMax) return;
      const how = binding.kind === "parameter" ? "default" : "constant";
      const start: Holder = { program, binding, handedAt: how === "default" ? { program, node: binding.node } : null };
      const changed = new Following(codebase).changeOf(start);
      const isNear = changed && isOnTrail(changed.handedAt.program, changed.handedAt.node);
      if (changed && isNear) note(binding.name, how, changed.handedAt, changed.change);
    }
  }
}

/** Returns the parameters with a default that all calls share, and the constants of a module. */
function sharedIn(program: Program): Binding[] {
  const { dialect, functions, nameWrites, tree } = program;
  const defaults = dialect.defaultsAreShared
    ? functions.flatMap((owner) =>
        parametersOf(owner).flatMap((parameter) => {
          const fallback = part(parameter, "fallback");
          const body = part(owner, "body");
          const name = parameter.name ?? "_";
          const isShared = fallback !== null && isCollection(fallback) && body !== null && !keptName.test(name);
          return isShared ? (resolve(program, name, body) ?? []) : [];
        }),
      )
    : [];
  const names = new Set(nameWrites.filter(({ node }) => node.owner === null).map(({ name }) => name));
  const constants = [...names].flatMap((name) => {
    const binding = constantName.test(name) ? resolveInModule(program, name) : null;
    const [only, ...others] = binding?.writes ?? [];
    return binding?.kind === "variable" && only?.value && others.length === 0 && isCollection(only.value)
      ? [binding]
      : [];
  });
  return [...defaults, ...constants.filter(({ scope }) => scope === tree)];
}

function isCollection(value: CodeNode): boolean {
  const node = plain(value);
  if (is(node, "fixed")) return node.children.some(isCollection);
  if (node.kind === "object" || node.kind === "list") return true;
  return node.kind === "call" && collections.has(node.name ?? "") && node.children.length <= 1;
}

interface Change {
  readonly change: Handing;
  readonly handedAt: Handing;
}

/** Follows a shared value through names, arguments, and results to the first change of it. */
class Following {
  readonly #codebase: Codebase;
  readonly #holders: Holder[] = [];
  readonly #known = new Set<Binding>();
  readonly #given = new Set<CodeNode>();
  #change: Change | null = null;

  constructor(codebase: Codebase) {
    this.#codebase = codebase;
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

  #useEach({ program, binding, handedAt }: Holder): void {
    for (const node of walk(binding.scope, nodesMax)) {
      if (node.kind !== "name" || node.name !== binding.name) continue;
      if (resolve(program, binding.name, node) === binding) this.#use({ program, node }, handedAt);
    }
  }

  /** Follows the constant into the modules that import it. */
  #import({ program, binding }: Holder): void {
    const value = binding.writes[0]?.value;
    for (const other of this.#codebase.near()) {
      if (other === program || other.dialect !== program.dialect) continue;
      const local = resolveInModule(other, binding.name);
      const use = local && importedBy(local) ? local.node : null;
      if (!local || !use) continue;
      const isUse = ({ kind, name, owner }: CodeNode): boolean =>
        kind === "name" && name === binding.name && owner !== null;
      const named = [...walk(other.tree, nodesMax)].find(isUse);
      const isIt =
        named && definitionsOf(this.#codebase, other, named).some(({ node }) => value && node === plain(value));
      if (isIt || program.dialect.exports !== "listed") this.#hold({ program: other, binding: local, handedAt: null });
    }
  }

  /** Follows one use of the value; `handedAt` is where it was handed out. */
  #use({ program, node }: Handing, handedAt: Handing | null): void {
    if (this.#change || node.owner === null) return;
    let at = node;
    for (let on = at.parent; on && (on.kind === "member" || on.kind === "index") && at.role === "on"; on = at.parent) {
      const call = on.parent;
      if (call?.kind === "call" && on.role === "callee") {
        if (changing.has(on.name ?? "")) this.#changed({ program, node: call }, handedAt);
        return;
      }
      at = on;
    }
    if (at.role === "target" && at.parent?.kind === "assign") {
      if (at !== node || at.parent.name !== "=") this.#changed({ program, node: at.parent }, handedAt);
      return;
    }
    while (at.parent && isPassing(at.parent, at)) at = at.parent;
    this.#handOn({ program, node: at }, handedAt);
  }

  /** A change by the constant's own name is meant: it is the module's state. */
  #changed(change: Handing, handedAt: Handing | null): void {
    if (handedAt) this.#change ??= { change, handedAt };
  }

  #handOn(given: Handing, before: Handing | null): void {
    const { program, node } = given;
    const { parent, role } = node;
    const handedAt = before ?? given;
    const hold = (name: string | null, at: CodeNode): void => {
      const binding = name === null ? null : resolve(program, name, at);
      if (binding) this.#hold({ program, binding, handedAt });
    };
    if (parent?.kind === "call" && role === "argument") this.#pass(given, parent, handedAt);
    else if (parent?.kind === "declare" && role === "value") hold(parent.name, parent);
    else if (parent?.kind === "assign" && role === "value") hold(part(parent, "target")?.name ?? null, parent);
    else if (parent?.kind === "return" || (parent?.kind === "function" && role === "body")) this.#give(given, handedAt);
  }

  #pass({ program, node }: Handing, call: CodeNode, handedAt: Handing): void {
    const position = call.children.filter(({ role }) => role === "argument").indexOf(node);
    if (assigning.has(call.name ?? "") && position === 0) {
      this.#changed({ program, node: call }, handedAt);
      if (call.role === "value" || call.parent?.kind === "return") this.#handOn({ program, node: call }, handedAt);
      return;
    }
    for (const callee of calleesOf(this.#codebase, program, call)) {
      if (callee.program.isInstalled) continue;
      const shift = callee.program.dialect.hasSelfParameter && parametersOf(callee.node)[0]?.name === "self" ? 1 : 0;
      const parameter = parametersOf(callee.node)[position + shift];
      const body = part(callee.node, "body");
      const binding = parameter?.name && body ? resolve(callee.program, parameter.name, body) : null;
      if (binding) this.#hold({ program: callee.program, binding, handedAt });
    }
  }

  /** Follows what a function returns into its callers. */
  #give({ node }: Handing, handedAt: Handing): void {
    const owner = node.parent?.kind === "function" ? node.parent : node.owner;
    const name = owner && ownName(owner);
    if (!owner || name === null || is(owner, "generator") || this.#given.has(owner)) return;
    this.#given.add(owner);
    for (const other of this.#codebase.near())
      for (const call of (other.calls.get(name) ?? []).slice(0, callsMax))
        if (calleesOf(this.#codebase, other, call).some((one) => one.node === owner))
          this.#use({ program: other, node: call }, handedAt);
  }
}

/** Returns whether an expression has the value of a part of it. */
function isPassing(outer: CodeNode, inner: CodeNode): boolean {
  if (outer.kind === "choice") return inner.role !== "condition";
  if (outer.kind === "binary") return ["||", "??", "or"].includes(outer.name ?? "");
  return outer.kind === "await";
}
