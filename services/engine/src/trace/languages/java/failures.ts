import { inlineCode } from "../../../prose.ts";
import { type CodeNode, part } from "../tree/code-node.ts";
import { lastName, receiverOf, textOf } from "../tree/expressions.ts";
import {
  anyReceiver,
  argumentOf,
  divisor,
  type Failing,
  missing,
  named,
  type Site,
  type Suspicion,
} from "../tree/throw-site.ts";

/**
 * What the JVM and its library say when they throw, and which expression of the line they mean. Since Java 14 a
 * NullPointerException says what was null (JEP 358).
 */
export const javaFailures: readonly Failing[] = [
  {
    pattern:
      /^(?:java\.lang\.)?NullPointerException: Cannot .{1,300}? because (?:"([^"]{1,200})"|the return value of "([^"]{1,300})") is null/,
    find: (site, [, expression, method]) =>
      method === undefined ? nullNamed(site, expression ?? "") : nullReturned(site, method),
  },
  {
    pattern: /^(?:java\.lang\.)?NullPointerException: Cannot invoke "([^"]{1,300})"/,
    find: (site, [, method = ""]) => nullInvoked(site, method),
  },
  { pattern: /^(?:java\.lang\.)?NullPointerException/, find: (site) => anyInvoked(site) ?? anyReceiver(site, "null") },
  {
    pattern: /^(?:java\.lang\.)?ClassCastException: class (\S+) cannot be cast to class (\S+)/,
    find: (site, [, is = "", not = ""]) => cast(site, is, not),
  },
  { pattern: /^(?:java\.lang\.)?(?:Array|String)?IndexOutOfBoundsException/, find: outOfRange },
  { pattern: /^(?:java\.lang\.)?ArithmeticException: .*zero/, find: divisor },
  {
    pattern: /^(?:java\.lang\.)?NumberFormatException: (Cannot parse null|null)?/,
    find: (site, [, none]) =>
      argumentOf(
        site,
        ["parseInt", "parseLong", "parseDouble", "valueOf", "decode", "parseFloat"],
        none ? "nothing" : "any",
        none ? "null" : "no number",
      ),
  },
  { pattern: /^(?:java\.util\.)?NoSuchElementException: No value present/, find: emptyOptional },
];

/** `name`, `this.name`, `Type.name`, `list[0]`; `<local4>` where the class was compiled without names. */
function nullNamed(site: Site, expression: string): Suspicion | null {
  const bare = expression.replace(/^this\./, "");
  const says = "was `null` when it was used";
  return (
    named(site, expression, "nothing", says) ??
    named(site, bare, "nothing", says) ??
    named(site, bare.split(".").at(-1) ?? bare, "nothing", says) ??
    anyInvoked(site)
  );
}

/** `shop.Repository.find(String)`: the call on the line that has this name. */
function nullReturned(site: Site, method: string): Suspicion | null {
  const name = /([\w$]+)\([^)]*\)$/.exec(method)?.[1];
  const call = site.nodes.find((node) => node.kind === "call" && lastName(node, site.program.source) === name);
  return call ? missing(site, call, "nothing", "gave `null`, and that was used") : null;
}

function nullInvoked(site: Site, method: string): Suspicion | null {
  const name = /([\w$]+)\([^)]*\)$/.exec(method)?.[1];
  const call = site.nodes.find((node) => node.kind === "call" && lastName(node, site.program.source) === name);
  const on = call && receiverOf(call);
  return on
    ? missing(site, on, "nothing", `was ${inlineCode("null")} when ${inlineCode(`${name}()`)} was called on it`)
    : null;
}

function anyInvoked(site: Site): Suspicion | null {
  const calls = site.nodes.filter(({ kind }) => kind === "call");
  const receivers = calls
    .map((call) => receiverOf(call))
    .filter((on): on is CodeNode => on !== null && isVariable(site, on));
  const [first] = receivers;
  if (!first) return null;
  return {
    ...missing(site, first, "nothing", "may have been `null` when a method was called on it"),
    subjects: receivers.slice(0, 3).map((node) => ({ node, wanted: "nothing" as const })),
  };
}

/** A class is never null. */
function isVariable({ program }: Site, node: CodeNode): boolean {
  return !/^[A-Z]/.test(textOf(node, program.source)) && node.kind !== "self";
}

function cast(site: Site, is: string, not: string): Suspicion | null {
  const short = (name: string): string => name.split(".").at(-1) ?? name;
  const node = site.nodes.find(({ type }) => type === "cast_expression");
  const value = node ? part(node, "value") : (site.nodes.find(({ kind }) => kind === "call") ?? null);
  if (!value) return null;
  return {
    kind: "nullish-operand",
    says: `${inlineCode(textOf(value, site.program.source))} is cast to ${inlineCode(short(not))} and is of type ${inlineCode(short(is))}`,
    subjects: [{ node: value, wanted: "any" }],
  };
}

function outOfRange(site: Site): Suspicion | null {
  const node = site.nodes.find(({ kind }) => kind === "index");
  if (node) {
    const [on, key] = [part(node, "on"), part(node, "key")];
    const subjects = [key, on].flatMap((one) => (one ? [{ node: one, wanted: "any" as const }] : []));
    return on ? { ...missing(site, on, "any", "has fewer elements than are read"), subjects } : null;
  }
  return argumentOf(site, ["get", "charAt", "substring", "remove", "set", "subList"], "any", "beyond the end");
}

function emptyOptional(site: Site): Suspicion | null {
  const { source } = site.program;
  const call = site.nodes.find(
    (one) => one.kind === "call" && /^(?:get|orElseThrow|getAs\w+)$/.test(lastName(one, source) ?? ""),
  );
  const on = call && receiverOf(call);
  return on ? missing(site, on, "nothing", "was empty when its value was taken") : null;
}
