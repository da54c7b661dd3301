import { isLiteral, lastName, receiverOf, textOf } from "../code/expressions.ts";
import { type CodeNode, is, part, partsOf } from "../code/ir.ts";
import { callAtFrame } from "../frames/stack-calls.ts";
import { namedArgument } from "./named-argument.ts";
import { refusedValues } from "./named-columns.ts";
import { type FailedUse, isModule, operandsMax, type Site } from "./throw-site.ts";
import { anything, type Wanted } from "./wanted.ts";

/** Runtime calls in which only the first arguments decide whether they succeed: paths, patterns, texts. */
const argumentsThatMatter: ReadonlyMap<string, number> = new Map(
  Object.entries({
    1: "open openSync readFile readFileSync writeFile writeFileSync appendFile appendFileSync mkdir mkdirSync readdir readdirSync stat statSync unlink unlinkSync rmdir rmdirSync access accessSync createReadStream createWriteStream chmod chmodSync watch parse RegExp encodeURIComponent decodeURIComponent encodeURI decodeURI atob Array stringify BigInt ReadFile ReadAll Unmarshal loads",
    2: "rename renameSync link linkSync symlink symlinkSync copyFile copyFileSync URL",
  }).flatMap(([count, names]) => names.split(" ").map((name) => [name, Number(count)] as const)),
);

/**
 * Returns what the line of a frame called, where a runtime prints its own functions at the line that calls them, as
 * Ruby does; null where the frame is the line's own function.
 */
function calledFrom({ located: { frame, place } }: Site): string | null {
  const printed = frame.function?.split(/[#.]/).at(-1) ?? null;
  return printed === (place?.function?.split(/[#.]/).at(-1) ?? null) ? null : printed;
}

/** Returns whether a call has another name than what was called from its line, where others may be meant. */
function isGuess({ nodes, position }: Site, { name }: CodeNode, called: string | null): boolean {
  const calls = nodes.filter(({ kind }) => kind === "call");
  return called !== null && position === null && name !== called && calls.length > 1;
}

/** An operator threw: returns its operands. Of several on a line, it may be any. */
function refusedOperands({ program }: Site, operations: readonly CodeNode[], wanted: Wanted): FailedUse {
  const [first, ...others] = operations;
  const operands = operations
    .flatMap((node) => [part(node, "left"), part(node, "right")])
    .filter((node) => node !== null);
  return {
    said: {
      kind: "throw-site",
      args: { expression: first && others.length === 0 ? textOf(first, program.source) : null },
    },
    values: operands
      .filter((node) => !isLiteral(node))
      .slice(0, operandsMax)
      .map((node) => ({ node, wanted })),
  };
}

/**
 * The call at a frame threw, or called what threw: returns its arguments, or its receiver. `called` is the function of
 * the next frame inwards, where one is known.
 */
export function refusedArguments(site: Site, wanted: Wanted, called: string | null = null): FailedUse | null {
  const name = called ?? calledFrom(site);
  const operations = site.nodes.filter((node) => node.kind === "binary" && node.name === name);
  if (operations.length > 0) return refusedOperands(site, operations, wanted);
  const found = callAtFrame(site.codebase, site.located, name);
  if (!found) return null;
  const { call, program } = found;
  const callee = part(call, "callee") ?? call;
  const isUnnamed = is(callee, "async") || callee.kind === "function" || isGuess(site, call, called);
  const expression = isUnnamed ? null : textOf(callee, program.source);
  const stored = refusedValues(site.codebase, program, call, site.error);
  if (stored) return { said: { kind: "throw-site", args: { expression } }, values: stored };
  const passed = partsOf(call, "argument");
  const named = namedArgument(site.error, call, passed);
  const given = named ? [named] : passed.slice(0, argumentsThatMatter.get(lastName(call) ?? "") ?? operandsMax);
  const receiver = named ? null : receiverOf(call);
  const values = given.map((node): FailedUse["values"][number] => ({
    node: node.kind === "entry" ? (part(node, "value") ?? node) : node,
    wanted,
  }));
  // The receiver may be what couldn't do it.
  if (receiver !== null && !isModule(program, receiver))
    values.push({ node: receiver, wanted: given.length === 0 ? wanted : anything });
  return {
    said: { kind: "throw-site", args: { expression } },
    values: values.filter(({ node }) => node.kind !== "function"),
  };
}
