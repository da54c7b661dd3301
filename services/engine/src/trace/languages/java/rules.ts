import { inlineCode } from "../../../prose.ts";
import { typeOf } from "../tree/bindings.ts";
import { around, type CodeNode, functionNodesMax, part, walk } from "../tree/code-node.ts";
import { isLiteral, lastName, nameText, plain, receiverOf, textOf } from "../tree/expressions.ts";
import type { CodeProgram } from "../tree/program.ts";
import type { Rule } from "../tree/rule.ts";
import { changedWhileIterated } from "../tree/rules/changed-while-iterated.ts";
import { swallowedFailure } from "../tree/rules/swallowed-failure.ts";
import { operatorOf } from "../tree/throw-site.ts";

const objects: ReadonlySet<string> = new Set([
  "String",
  "Integer",
  "Long",
  "Double",
  "Short",
  "BigDecimal",
  "BigInteger",
  "UUID",
]);
const nodesMax = 100_000;
/** Calls of one file that are asked whether a lock is held. */
const callsMax = 200;

/** `==` between texts or boxed numbers: it asks whether they are the same object. */
const identityComparison: Rule = {
  name: "identity-comparison",
  find: (program) =>
    nodesOf(program, "binary").flatMap((node) => {
      const operator = operatorOf(node, program.source.text);
      const [left, right] = [part(node, "left"), part(node, "right")];
      if ((operator !== "==" && operator !== "!=") || !left || !right) return [];
      const isObject = [left, right].every(
        (side) => isText(side) || objects.has(typeOfExpression(program, side) ?? ""),
      );
      if (!isObject || (isLiteral(left) && isLiteral(right))) return [];
      const text = inlineCode(textOf(node, program.source));
      return [
        {
          node,
          subject: textOf(node, program.source),
          says: `${text} asks whether both are the same object, not whether they are equal: two equal values that were made apart differ`,
          remedy: `Compare with \`Objects.equals(${textOf(left, program.source)}, ${textOf(right, program.source)})\` instead of ${inlineCode(operator)}.`,
        },
      ];
    }),
};

function isText(node: CodeNode): boolean {
  return plain(node).kind === "string";
}

function typeOfExpression(program: CodeProgram, side: CodeNode): string | null {
  const node = plain(side);
  if (node.kind !== "name" && node.kind !== "member") return null;
  const name = lastName(node, program.source);
  const owner = program.ownerOf(node);
  const declared = (owner ? (part(owner, "parameters")?.children ?? []) : []).find((one) => {
    const own = part(one, "name");
    return own !== null && nameText(own, program.source) === name;
  });
  const type = declared && part(declared, "type");
  return type ? textOf(type, program.source) : name === null ? null : typeOf(program, name);
}

function nodesOf(program: CodeProgram, kind: CodeNode["kind"]): CodeNode[] {
  const found: CodeNode[] = [];
  let count = 0;
  for (const node of walk(program.tree)) {
    if (++count > nodesMax) break;
    if (node.kind === kind) found.push(node);
  }
  return found;
}

const writing: ReadonlySet<string> = new Set([
  "put",
  "remove",
  "add",
  "computeIfAbsent",
  "merge",
  "putIfAbsent",
  "clear",
]);
const unsafe = /^(?:HashMap|LinkedHashMap|TreeMap|ArrayList|HashSet|LinkedList|SimpleDateFormat)$/;

/** A collection of a class that is written without a lock, in a program that runs threads. */
const unguardedMap: Rule = {
  name: "unguarded-map",
  find: (program) =>
    [...writing]
      .flatMap((name) => program.calls.get(name) ?? [])
      .slice(0, callsMax)
      .flatMap((call) => {
        const on = receiverOf(call);
        const name = on ? lastName(on, program.source) : null;
        const made = name === null ? null : madeAs(program, name);
        const owner = program.ownerOf(call);
        if (name === null || made === null || !owner || isGuarded(program, call, owner)) return [];
        return [
          {
            node: call,
            subject: name,
            says: `${inlineCode(name)} is a ${inlineCode(made)} and is changed here without a lock: another thread that goes through it or changes it meets it half done`,
            remedy: `Make ${inlineCode(name)} a ${inlineCode(made.endsWith("Map") ? "ConcurrentHashMap" : "CopyOnWriteArrayList")}, or hold one lock wherever it is used.`,
          },
        ];
      }),
};

/** The class of a field, as it is made where it is declared. */
function madeAs(program: CodeProgram, name: string): string | null {
  const field = (program.writes.get(name) ?? []).find(
    ({ node, value }) => value && node.parent?.type === "field_declaration",
  );
  const made = field?.value ? lastName(field.value, program.source) : null;
  const type = made?.split("<")[0] ?? "";
  return unsafe.test(type) ? type : null;
}

function isGuarded(program: CodeProgram, call: CodeNode, owner: CodeNode): boolean {
  for (let at: CodeNode | null = call; at !== null && at !== owner; at = at.parent)
    if (at.type === "synchronized_statement") return true;
  const modifiers = owner.children.find(({ type }) => type === "modifiers");
  if (modifiers && /\bsynchronized\b/.test(textOf(modifiers, program.source))) return true;
  for (const node of walk(owner, functionNodesMax))
    if (node.kind === "call" && lastName(node, program.source) === "lock") return true;
  return false;
}

const resources =
  /^(?:FileInputStream|FileOutputStream|FileReader|FileWriter|BufferedReader|BufferedWriter|Socket|ServerSocket|Scanner|PrintWriter|RandomAccessFile|ZipFile|JarFile)$/;
const acquiring =
  /^(?:getConnection|prepareStatement|createStatement|newBufferedReader|newInputStream|openStream|lines)$/;

/** Something that has to be closed, taken outside of a `try (…)` and closed in no `finally`. */
const unclosed: Rule = {
  name: "unclosed-resource",
  find: (program) =>
    [...program.writes].flatMap(([name, writes]) =>
      writes.flatMap(({ node, value }) => {
        const call = value && plain(value);
        const made = call?.kind === "call" ? (lastName(call, program.source) ?? "") : "";
        const owner = program.ownerOf(node);
        if (
          !owner ||
          node.type === "resource" ||
          !(resources.test(made) || acquiring.test(made)) ||
          isClosed(program, owner, name)
        )
          return [];
        return [
          {
            node,
            subject: name,
            says: `${inlineCode(name)} is opened here and is not closed when an exception leaves the method`,
            remedy: `Open ${inlineCode(name)} in a \`try (…)\`, so that it is closed on every way out.`,
          },
        ];
      }),
    ),
};

function isClosed(program: CodeProgram, owner: CodeNode, name: string): boolean {
  for (const node of walk(owner, functionNodesMax)) {
    if (node.kind === "return" && node.children.some((one) => lastName(one, program.source) === name)) return true;
    if (node.kind !== "call" || lastName(node, program.source) !== "close") continue;
    const on = receiverOf(node);
    if (on && lastName(on, program.source) === name && isInFinally(node)) return true;
  }
  return false;
}

function isInFinally(node: CodeNode): boolean {
  for (let at: CodeNode | null = node; at !== null && at.kind !== "function"; at = at.parent)
    if (at.type === "finally_clause") return true;
  return around(node, "function") === null;
}

export const javaRules: readonly Rule[] = [
  identityComparison,
  swallowedFailure,
  changedWhileIterated,
  unguardedMap,
  unclosed,
];
