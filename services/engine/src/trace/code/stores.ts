import { argumentsOf, plain, receiverOf } from "./expressions.ts";
import { classAround } from "./functions.ts";
import { isReceiver } from "./handed-objects.ts";
import { type CodeNode, functionNodesMax, part, walk } from "./ir.ts";
import { importedBy } from "./modules.ts";
import type { Program } from "./program.ts";
import { resolve, writesReaching } from "./scopes.ts";

/** Calls that read from a file, a cache, or a queue. */
export const readingCalls: ReadonlySet<string> = words(
  "open read read_text readline readlines readFile readFileSync getItem get hget hgetall mget lpop rpop blpop brpop lrange lindex smembers receive pop shift",
);
/** Calls that write to one, with what is written as their last argument. */
export const writingCalls: ReadonlySet<string> = words(
  "write write_text writelines writeFile writeFileSync appendFile appendFileSync setItem set setex psetex hset put lpush rpush publish sadd zadd enqueue",
);

const depthMax = 3;
const keyUnitsMin = 3;

/**
 * Returns what names the stores that some code uses: fields of its class, names of its module, and texts, such as the
 * path of a file or the key of an entry. Variables of a function are looked through.
 */
export function storesIn(
  program: Program,
  nodes: Iterable<CodeNode>,
  depth = depthMax,
  seen = new Set<CodeNode>(),
): ReadonlySet<string> {
  const found = new Set<string>();
  for (const node of nodes) {
    for (const one of walk(node, functionNodesMax)) {
      if (one.kind === "string" && (one.name ?? "").trim().length >= keyUnitsMin) found.add(`text ${one.name?.trim()}`);
      if (one.kind === "member" && isOfSelf(program, one) && one.role !== "callee")
        found.add(`field ${program.source.name} ${classAround(one)?.start} ${one.name}`);
      if (one.kind === "name" && one.role !== "callee")
        for (const store of behindName(program, one, depth, seen)) found.add(store);
    }
  }
  return found;
}

function isOfSelf(program: Program, member: CodeNode): boolean {
  const on = part(member, "on");
  return on !== null && (on.kind === "self" || isReceiver(program, on));
}

function behindName(program: Program, node: CodeNode, depth: number, seen: Set<CodeNode>): Iterable<string> {
  const binding = resolve(program, node.name ?? "", node);
  if (!binding) return [];
  const imported = importedBy(binding);
  if (imported) return /^[A-Z][A-Z\d_]+$/.test(imported.path.at(-1) ?? "") ? [`name ${imported.path.at(-1)}`] : [];
  if (binding.kind !== "variable") return [];
  if (binding.node.owner === null)
    return /^[A-Z][A-Z\d_]+$/.test(binding.name)
      ? [`name ${binding.name}`]
      : [`name ${program.source.name} ${binding.name}`];
  if (depth === 0) return [];
  const values = writesReaching(binding, node).flatMap(({ value }) => (value && !seen.has(value) ? [value] : []));
  for (const value of values) seen.add(value);
  return storesIn(program, values, depth - 1, seen);
}

/** Returns what a call that reads or writes is about: its receiver, and its first argument where that isn't what is written. */
export function aboutStore(call: CodeNode): CodeNode[] {
  const given = argumentsOf(call);
  const on = receiverOf(call);
  const [first] = writingCalls.has(call.name ?? "") ? given.slice(0, -1) : given;
  return [...(on ? [plain(on)] : []), ...(first ? [plain(first.value)] : [])];
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
