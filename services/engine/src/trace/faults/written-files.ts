import { isAbsent } from "../../signals/code/bad-value.ts";
import type { AnyCodeSignal, CodeSignal } from "../../signals/signal.ts";
import { argumentsOf, keyText, lastName, plain, textOf } from "../code/expressions.ts";
import { type CodeNode, functionNodesMax, part, walk } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { type Binding, resolve } from "../code/scopes.ts";
import type { Failure } from "../failure.ts";
import { constantOf } from "../follow/sql-statements.ts";
import { leadsTo, placeAt, type Trail } from "../follow/trail.ts";

const writing: ReadonlySet<string> = new Set(
  "writeFile writeFileSync outputFile outputJson writeJson writeJSON".split(" "),
);
/** A path to a file with data: `data/settings.json`. */
const dataPath = /^["'`]([\w@./-]{1,200}\.(?:json|ya?ml|toml|ini))["'`]$/;
const request = /^req(?:uest)?$/;
const body = /^(?:body|query|params)$/;
/** If more places write it, none of them is more likely than the others. */
const writersMax = 2;
/** How many variables are followed. */
const bindingsMax = 20;
const valuesMax = 20;

/**
 * Notes where what a request sends is written into a data file, if the failing value is read from that file, and is
 * missing or isn't what the code can use.
 */
export function findWrittenFiles({ codebase }: Failure, trail: Trail): void {
  const signals = trail.signals();
  const symptom = signals.find(
    (one): one is CodeSignal<"bad-value"> | CodeSignal<"throw-site"> =>
      (one.kind === "bad-value" && isAbsent(one.args)) || one.kind === "throw-site",
  );
  if (!symptom) return;
  for (const file of filesRead(signals, symptom)) {
    const found = codebase.own().flatMap((program) => writersOf(program, file).map((one) => ({ program, ...one })));
    if (found.length > writersMax) continue;
    for (const { program, call, sent } of found) {
      const args = { file, code: textOf(sent, program.source, codeUnitsMax) };
      trail.add({ kind: "written-file", args }, placeAt(program, sent.owner === call.owner ? sent : call), symptom);
    }
  }
}

const codeUnitsMax = 60;

/** Returns the files whose parsed text the failing value comes from. */
function filesRead(signals: readonly AnyCodeSignal[], symptom: AnyCodeSignal): string[] {
  const behind = signals.filter((one) => one.kind === "value-step" && leadsTo(one, symptom));
  if (!behind.some(({ args }) => "how" in args && args.how === "parsed-text")) return [];
  const paths = behind.flatMap(({ args }) =>
    "how" in args && args.how === "literal" ? (dataPath.exec(args.code)?.[1] ?? []) : [],
  );
  return [...new Set(paths)];
}

interface Writer {
  readonly call: CodeNode;
  readonly sent: CodeNode;
}

function writersOf(program: Program, file: string): Writer[] {
  const calls = [...writing].flatMap((name) => program.calls.get(name) ?? []);
  return calls.flatMap((call) => {
    const [path, content] = argumentsOf(call);
    if (!path || !content || keyText(constantOf(program, plain(path.value))) !== file) return [];
    const sent = sentIn(program, content.value);
    return sent ? [{ call, sent }] : [];
  });
}

/** Returns the part of what a request sends that code is made of: in it, or in what is written to its variables. */
function sentIn(program: Program, code: CodeNode): CodeNode | null {
  const seen = new Set<Binding>();
  const values = [code];
  for (const value of values) {
    const nodes = [...walk(value, functionNodesMax)];
    const here = nodes.find(isSent);
    if (here) return here.role === "on" && here.parent ? here.parent : here;
    for (const node of nodes) {
      const binding = node.kind === "name" ? resolve(program, node.name ?? "", node) : null;
      if (!binding || seen.has(binding) || seen.size >= bindingsMax) continue;
      seen.add(binding);
      values.push(...valuesOf(program, binding));
    }
  }
  return null;
}

/** Returns what is written to a variable, and to the elements and fields of it. */
function valuesOf(program: Program, binding: Binding): CodeNode[] {
  if (binding.kind !== "variable") return [];
  const entries = [...(program.entries.get(`${binding.name}[]`) ?? []), ...[...program.fieldWrites.values()].flat()];
  const parts = entries.filter(({ on }) => on?.kind === "name" && resolve(program, on.name ?? "", on) === binding);
  return [...binding.writes, ...parts].slice(0, valuesMax).flatMap(({ value }) => value ?? []);
}

/** `req.body`, `req.body[key]`, `request.body.name`. */
function isSent(node: CodeNode): boolean {
  if (node.kind !== "member" || !body.test(node.name ?? "")) return false;
  const on = part(node, "on");
  return on !== null && request.test(lastName(on) ?? "");
}
