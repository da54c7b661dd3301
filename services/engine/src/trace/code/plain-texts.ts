import { argumentsOf, isLiteral, plain, receiverOf } from "./expressions.ts";
import { type CodeNode, part } from "./ir.ts";
import type { Program } from "./program.ts";
import { resolve } from "./scopes.ts";

/** Functions that return a value as the language prints it. */
const printing: ReadonlySet<string> = new Set(["str", "repr", "String"]);
/** Methods that do. */
const printingMethods: ReadonlySet<string> = new Set(["toString", "__str__", "__repr__"]);
/** Calls that return a text, which is printed as it is. */
const textual =
  /^(?:dumps?|stringify|json|model_dump_json|to_json|toJSON|join|encode|decode|format|strftime|isoformat|toISOString|read_text|read|readFileSync|hexdigest|strip|trim|lower|upper|replace|str|String|f|len)$/;
const textTypes = /^(?:str|string|String|bytes|Buffer|int|number|float|Path|UUID|datetime|Date|bool|boolean)$/;
/** What stands around the value: white space only. */
const blank = /^(?:\s|\\[nrt])*$/;

/**
 * Returns the value that an expression turns into the text that the language prints for it, such as `str(value)` or
 * `f"{value}\n"`; null where the value is a text itself, or the expression writes more than the value.
 */
export function printedIn(program: Program, expression: CodeNode): CodeNode | null {
  const value = valueIn(plain(expression));
  return value && !isLiteral(value) && !isText(program, value) ? value : null;
}

function valueIn(node: CodeNode): CodeNode | null {
  switch (node.kind) {
    case "call":
      return printedBy(node);
    case "template": {
      const values = node.children.filter(({ kind }) => kind !== "string");
      const [value] = values;
      const isAlone = node.children.every(({ kind, name }) => kind !== "string" || blank.test(name ?? ""));
      return value && values.length === 1 && isAlone ? (valueIn(plain(value)) ?? plain(value)) : null;
    }
    case "binary":
      return added(node);
    default:
      return null;
  }
}

function printedBy(call: CodeNode): CodeNode | null {
  const [only, ...others] = argumentsOf(call);
  const on = receiverOf(call);
  if (on) return printingMethods.has(call.name ?? "") && !only ? plain(on) : null;
  return only && others.length === 0 && printing.has(call.name ?? "") ? plain(only.value) : null;
}

/** `str(value) + "\n"`, `"" + value`, `"%s\n" % value`. */
function added(node: CodeNode): CodeNode | null {
  const [left, right] = [part(node, "left"), part(node, "right")];
  if (!left || !right) return null;
  const isBlank = (one: CodeNode): boolean => one.kind === "string" && blank.test(one.name ?? "");
  if (node.name === "%") {
    const isOne = left.kind === "string" && /^%[sr](?:\s|\\[nrt])*$/.test(left.name ?? "");
    return isOne && right.kind !== "list" ? plain(right) : null;
  }
  if (node.name !== "+") return null;
  if (isBlank(right)) return valueIn(plain(left));
  return isBlank(left) ? (valueIn(plain(right)) ?? plain(right)) : null;
}

/** Returns whether a value is known to be a text, or another value that JSON has in the same form. */
function isText(program: Program, node: CodeNode): boolean {
  if (node.kind === "call") return textual.test(node.name ?? "");
  if (node.kind === "template" || node.kind === "string") return true;
  if (node.kind !== "name" || node.name === null) return false;
  const binding = resolve(program, node.name, node);
  if (!binding) return false;
  if (textTypes.test(binding.node.type ?? "")) return true;
  return binding.writes.some(({ value, path }) => value !== null && path.length === 0 && isText(program, plain(value)));
}
