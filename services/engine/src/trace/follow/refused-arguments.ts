import { lastName, receiverOf, textOf } from "../code/expressions.ts";
import { is, part, partsOf } from "../code/ir.ts";
import { callAtFrame } from "../frames/stack-calls.ts";
import { namedArgument } from "./named-argument.ts";
import { type FailedUse, isModule, operandsMax, type Site } from "./throw-site.ts";
import { anything, type Wanted } from "./wanted.ts";

/** Runtime calls in which only the first arguments decide whether they succeed: paths, patterns, texts. */
const argumentsThatMatter: ReadonlyMap<string, number> = new Map(
  Object.entries({
    1: "open openSync readFile readFileSync writeFile writeFileSync appendFile appendFileSync mkdir mkdirSync readdir readdirSync stat statSync unlink unlinkSync rmdir rmdirSync access accessSync createReadStream createWriteStream chmod chmodSync watch parse RegExp encodeURIComponent decodeURIComponent encodeURI decodeURI atob Array stringify BigInt ReadFile ReadAll Unmarshal loads",
    2: "rename renameSync link linkSync symlink symlinkSync copyFile copyFileSync URL",
  }).flatMap(([count, names]) => names.split(" ").map((name) => [name, Number(count)] as const)),
);

/** The call at a frame threw, or called what threw: returns its arguments, or its receiver. */
export function refusedArguments(site: Site, wanted: Wanted): FailedUse | null {
  const found = callAtFrame(site.codebase, site.located, null);
  if (!found) return null;
  const { call, program } = found;
  const callee = part(call, "callee") ?? call;
  const passed = partsOf(call, "argument");
  const named = namedArgument(site.error.message, call, passed);
  const given = named ? [named] : passed.slice(0, argumentsThatMatter.get(lastName(call) ?? "") ?? operandsMax);
  const receiver = named ? null : receiverOf(call);
  const values = given.map((node): FailedUse["values"][number] => ({
    node: node.kind === "entry" ? (part(node, "value") ?? node) : node,
    wanted,
  }));
  // The receiver may be what couldn't do it.
  if (receiver !== null && !isModule(program, receiver))
    values.push({ node: receiver, wanted: given.length === 0 ? wanted : anything });
  const expression = is(callee, "async") || callee.kind === "function" ? null : textOf(callee, program.source);
  return {
    said: { kind: "throw-site", args: { expression } },
    values: values.filter(({ node }) => node.kind !== "function"),
  };
}
