import { isInstalledName } from "../../source/installed-package.ts";
import type { SourceText } from "../../source/source-text.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { argumentsOf, keyText, lastName, plain } from "./expressions.ts";
import { type CodeNode, is, part, partsOf, walk } from "./ir.ts";

/** A code file, indexed by name. */
export interface Program {
  readonly source: SourceText;
  readonly dialect: Dialect;
  readonly tree: CodeNode;
  readonly isInstalled: boolean;
  /** Whether only parts of it were read: something that isn't found in it may still exist. */
  readonly isPart: boolean;
  readonly functions: readonly CodeNode[];
  readonly classes: readonly CodeNode[];
  /** Calls by the last name of the callee. */
  readonly calls: ReadonlyMap<string, readonly CodeNode[]>;
  /** Writes to members, and to fields declared in their class, by name. */
  readonly fieldWrites: ReadonlyMap<string, readonly Write[]>;
  /** Values written under a key, by key: in an object, `x["key"] = value`, `put("key", value)`. */
  readonly entries: ReadonlyMap<string, readonly Write[]>;
  /** Writes to names: declarations, assignments, loops. */
  readonly nameWrites: readonly Write[];
  /** Module-level names that a function assigns to: `global name`. */
  readonly sharedNames: ReadonlyMap<CodeNode, readonly string[]>;
  /** Object literals by their type, where that is written too: `Type{…}`. */
  readonly typed: ReadonlyMap<string, readonly CodeNode[]>;
  readonly catches: readonly CodeNode[];
  /** Where errors are raised or created. */
  readonly raises: readonly CodeNode[];
  readonly imports: readonly CodeNode[];
  readonly exports: readonly CodeNode[];
  /** What `delete` drops. */
  readonly deleted: readonly CodeNode[];
  /** Operators that add an element to what is on their left: `list << element`. */
  readonly appended: readonly CodeNode[];
}

/** `target = value`. */
export interface Write {
  readonly node: CodeNode;
  /** The name, member, or element that is written; null for a declaration, which has its own name. */
  readonly target: CodeNode | null;
  readonly name: string;
  /** The object whose member is written; null for a name, and for a field declared in its class. */
  readonly on: CodeNode | null;
  /** Null when it is declared without a value. */
  readonly value: CodeNode | null;
  /** The path destructured from the value, outermost first. */
  readonly path: readonly string[];
  /** The value when there is nothing at the path. */
  readonly fallback: CodeNode | null;
}

/** An unknown key in a path: any element. */
export const anyKey = "*";

export function indexProgram(source: SourceText, dialect: Dialect, tree: CodeNode, isPart: boolean): Program {
  const index = new ProgramIndex(dialect);
  for (const node of walk(tree)) index.add(node);
  return { source, dialect, tree, isPart, isInstalled: isInstalledName(source.name), ...index.found() };
}

/** Builds the index in a single walk through the tree. */
class ProgramIndex {
  readonly #dialect: Dialect;
  readonly #functions: CodeNode[] = [];
  readonly #classes: CodeNode[] = [];
  readonly #calls = new Map<string, CodeNode[]>();
  readonly #fieldWrites = new Map<string, Write[]>();
  readonly #entries = new Map<string, Write[]>();
  readonly #nameWrites: Write[] = [];
  readonly #sharedNames = new Map<CodeNode, string[]>();
  readonly #typed = new Map<string, CodeNode[]>();
  readonly #catches: CodeNode[] = [];
  readonly #raises: CodeNode[] = [];
  readonly #imports: CodeNode[] = [];
  readonly #exports: CodeNode[] = [];
  readonly #deleted: CodeNode[] = [];
  readonly #appended: CodeNode[] = [];

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  found(): Omit<Program, "source" | "dialect" | "tree" | "isInstalled" | "isPart"> {
    return {
      functions: this.#functions,
      classes: this.#classes,
      calls: this.#calls,
      fieldWrites: this.#fieldWrites,
      entries: this.#entries,
      nameWrites: this.#nameWrites,
      sharedNames: this.#sharedNames,
      typed: this.#typed,
      catches: this.#catches,
      raises: this.#raises,
      imports: this.#imports,
      exports: this.#exports,
      deleted: this.#deleted,
      appended: this.#appended,
    };
  }

  add(node: CodeNode): void {
    switch (node.kind) {
      case "function":
        this.#functions.push(node);
        break;
      case "class":
        this.#classes.push(node);
        break;
      case "catch":
        this.#catches.push(node);
        break;
      case "throw":
        this.#raises.push(node);
        break;
      case "import":
        this.#imports.push(node);
        break;
      case "export":
        this.#exports.push(node);
        break;
      case "unary":
        if (node.name === "delete") this.#deleted.push(...node.children);
        break;
      case "binary":
        if (node.name !== null && this.#dialect.calls.adding.has(node.name)) this.#appended.push(node);
        break;
      case "call":
        this.#addCall(node);
        break;
      case "assign":
        this.#addTarget(node, part(node, "target"), part(node, "value"), []);
        break;
      case "declare":
        this.#addDeclaration(node);
        break;
      case "loop":
        this.#addTarget(node, part(node, "target"), part(node, "over"), [is(node, "keys") ? "#keys" : anyKey]);
        break;
      case "entry":
        this.#addEntry(node);
        break;
      case "object":
        if (node.type !== null) put(this.#typed, node.type, node);
        break;
      case "other":
        if (node.name === "global" && node.owner)
          for (const one of node.children) put(this.#sharedNames, node.owner, one.name ?? "");
        break;
      default:
    }
  }

  #addCall(node: CodeNode): void {
    const { name } = node;
    if (name === null) return;
    put(this.#calls, name, node);
    const { raising, errorMaking, calls } = this.#dialect;
    if (raising.has(name) || (errorMaking.test(name) && node.parent?.kind !== "throw")) this.#raises.push(node);
    if (!calls.putting.has(name)) return;
    const given = argumentsOf(node);
    const value = given.at(-1)?.value;
    const key = given.at(-2)?.value;
    const text = key ? keyText(key) : null;
    if (value && text !== null)
      put(this.#entries, text, { node, target: null, name: text, on: null, value, path: [], fallback: null });
  }

  #addDeclaration(node: CodeNode): void {
    const value = part(node, "value");
    const target = part(node, "target");
    if (target) this.#addTarget(node, target, value, []);
    else if (node.name !== null) this.#write(node, null, node.name, null, value, [], null);
  }

  /** Adds every name that a pattern destructures, and the writes under its keys. */
  #addTarget(
    node: CodeNode,
    target: CodeNode | null,
    value: CodeNode | null,
    path: readonly string[],
    fallback: CodeNode | null = null,
  ): void {
    if (!target) return;
    switch (target.kind) {
      case "name":
      case "member":
        if (target.name !== null) this.#write(node, target, target.name, part(target, "on"), value, path, fallback);
        break;
      case "index": {
        const on = part(target, "on");
        const key = part(target, "key");
        const text = key ? keyText(key) : null;
        const name = on ? lastName(on) : null;
        // A write to an element is a write to its collection.
        if (text !== null) put(this.#entries, text, { node, target, name: text, on, value, path, fallback });
        else if (name !== null) put(this.#entries, `${name}[]`, { node, target, name, on, value, path, fallback });
        break;
      }
      case "object":
      case "list":
        for (const [index, element] of target.children.entries()) {
          const one = element.kind === "entry" || element.kind === "spread" ? part(element, "value") : element;
          const key = target.kind === "list" ? String(index) : (element.name ?? anyKey);
          const isRest = element.kind === "spread";
          this.#addTarget(node, one, value, isRest ? path : [...path, key], part(element, "fallback"));
        }
        break;
      default:
    }
  }

  #write(
    node: CodeNode,
    target: CodeNode | null,
    name: string,
    on: CodeNode | null,
    value: CodeNode | null,
    path: readonly string[],
    fallback: CodeNode | null,
  ): void {
    const write = { node, target, name, on, value, path, fallback };
    if (on || target?.kind === "member" || is(node, "field") || isOfClass(node)) put(this.#fieldWrites, name, write);
    else this.#nameWrites.push(write);
  }

  /** Returns whether the named arguments of a call may become fields. */
  #takesFields(call: CodeNode): boolean {
    return part(call, "callee")?.kind !== "name" || !this.#dialect.calls.optioned.has(call.name ?? "");
  }

  #addEntry(node: CodeNode): void {
    const value = part(node, "value");
    const isOfObject =
      node.parent?.kind === "object" || (node.parent?.kind === "call" && this.#takesFields(node.parent));
    if (!value || node.name === null || !isOfObject || isPattern(node)) return;
    put(this.#entries, node.name, { node, target: null, name: node.name, on: null, value, path: [], fallback: null });
  }
}

/** Returns whether `name = value` is in the body of a class. */
function isOfClass(node: CodeNode): boolean {
  return node.kind === "assign" && node.parent?.kind === "block" && node.parent.parent?.kind === "class";
}

/** Returns whether an entry is part of a destructuring pattern. */
function isPattern(node: CodeNode): boolean {
  let at: CodeNode | null = node;
  while (at && (at.kind === "entry" || at.kind === "object" || at.kind === "list") && at.role !== "target")
    at = at.parent;
  return at?.role === "target";
}

/** Returns the names that a parameter destructures from its argument, each with its path. */
export function namesIn(
  pattern: CodeNode,
  path: readonly string[] = [],
  fallback: CodeNode | null = null,
): { name: string; path: readonly string[]; fallback: CodeNode | null }[] {
  const at = plain(pattern);
  if (at.kind === "name" && at.name !== null) return [{ name: at.name, path, fallback }];
  return at.children.flatMap((element, index) => {
    const one = element.kind === "entry" || element.kind === "spread" ? part(element, "value") : element;
    const key = at.kind === "list" ? String(index) : (element.name ?? anyKey);
    if (!one || (at.kind !== "list" && at.kind !== "object")) return [];
    return namesIn(one, element.kind === "spread" ? path : [...path, key], part(element, "fallback"));
  });
}

export function put<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** Returns the parameters that callers pass, in order. */
export function parametersOf(owner: CodeNode): CodeNode[] {
  return partsOf(owner, "parameter");
}
