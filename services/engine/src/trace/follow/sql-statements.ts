import { argumentsOf, chainOf, isSame, plain, receiverOf } from "../code/expressions.ts";
import { isReceiver } from "../code/handed-objects.ts";
import { type CodeNode, part, partsOf, walk } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { resolve } from "../code/scopes.ts";

/** A statement in SQL that a call runs, with the values that are put into its text. */
export interface Statement {
  readonly text: string;
  /** The values in the text, each written there as `${number}`. */
  readonly holes: readonly CodeNode[];
  /** The call that has the text as its argument. */
  readonly call: CodeNode;
}

const textNodesMax = 60;
const sqlStart = /^\s*(?:SELECT|INSERT|REPLACE|UPDATE)\b/i;
/** Calls that return what their cursor's last statement read. */
const fetching: ReadonlySet<string> = new Set(["fetchone", "fetchall", "fetchmany"]);

/**
 * Returns the statement that a call runs: its first argument, or that of the call which prepared it, or of the last one
 * that the same cursor ran.
 */
export function statementOf(program: Program, call: CodeNode): Statement | null {
  for (const one of chainOf(call).reverse()) {
    const statement = one.kind === "call" ? givenTo(program, one) : null;
    if (statement) return statement;
  }
  const on = receiverOf(call);
  const before = on && (fetching.has(call.name ?? "") ? executedBefore(program, call, on) : preparedAs(program, on));
  return before && givenTo(program, before);
}

function givenTo(program: Program, call: CodeNode): Statement | null {
  const [first] = argumentsOf(call);
  const statement = first && textOf(program, first.value);
  return statement && sqlStart.test(statement.text) ? { ...statement, call } : null;
}

/** Returns the last call before that runs a statement on the same object: `cursor.execute(…)`. */
function executedBefore({ calls }: Program, call: CodeNode, on: CodeNode): CodeNode | null {
  const executed = (calls.get("execute") ?? []).filter((one) => {
    const cursor = receiverOf(one);
    return one.owner === call.owner && one.end <= call.start && cursor !== null && isSame(cursor, on);
  });
  return executed.at(-1) ?? null;
}

/** Returns the call whose result a name or a field holds, where it is set once: `this.#insert = db.prepare(…)`. */
function preparedAs(program: Program, holder: CodeNode): CodeNode | null {
  const held = plain(holder);
  const on = held.kind === "member" ? part(held, "on") : null;
  const isField = on !== null && (on.kind === "self" || isReceiver(program, on));
  const [only, ...others] = isField
    ? (program.fieldWrites.get(held.name ?? "") ?? []).filter(({ value }) => value)
    : [];
  const value = isField ? (others.length === 0 && only?.value ? plain(only.value) : null) : constantOf(program, held);
  return value?.kind === "call" ? value : null;
}

function textOf(program: Program, node: CodeNode): Omit<Statement, "call"> | null {
  const at = constantOf(program, plain(node));
  if (at.kind === "string") return { text: at.name ?? "", holes: [] };
  if (at.kind === "binary" && at.name === "%") return formatted(at);
  if (at.kind !== "template" && !(at.kind === "binary" && at.name === "+")) return null;
  const pieces = [...walk(at, textNodesMax)].filter(
    (one) => one !== at && (one.kind === "string" || one.parent === at) && one.kind !== "template",
  );
  const holes = pieces.filter(({ kind }) => kind !== "string" && kind !== "binary");
  const ordered = pieces.toSorted((left, right) => left.start - right.start);
  const text = ordered.map((one) => (one.kind === "string" ? (one.name ?? "") : `\${${holes.indexOf(one)}}`)).join("");
  return { text, holes };
}

/** Returns the text of `"… %s …" % values`. */
function formatted(node: CodeNode): Omit<Statement, "call"> | null {
  const [left, right] = [part(node, "left"), part(node, "right")];
  const template = left && plain(left);
  if (template?.kind !== "string" || !right) return null;
  const values = plain(right);
  const holes = values.kind === "list" ? partsOf(values, "value") : [values];
  let at = 0;
  return { text: (template.name ?? "").replace(/%s/g, () => `\${${at++}}`), holes };
}

/** Returns the text that a name stands for, where it is set once. */
export function constantOf(program: Program, node: CodeNode): CodeNode {
  const binding = node.kind === "name" && node.name !== null ? resolve(program, node.name, node) : null;
  const [only, ...others] = binding?.kind === "variable" ? binding.writes : [];
  return only?.value && others.length === 0 && only.path.length === 0 ? plain(only.value) : node;
}
