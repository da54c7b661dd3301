import type { AnyCodeSignal, CodeSignal } from "../../signals/signal.ts";
import { argumentsOf, keyText, lastName, plain } from "../code/expressions.ts";
import { type CodeNode, part, partsOf, walk } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import type { Failure } from "../failure.ts";
import { leadsTo, placeAt, type Trail } from "../follow/trail.ts";

/** How runtimes name the type of a text. */
const text = /^(?:str|String|string)$/;
/** How declarations of settings name what a value is converted to. */
const typing: ReadonlySet<string> = new Set("type cast kind convert converter parser coerce".split(" "));
const textTypes: ReadonlySet<string> = new Set("str String string text".split(" "));
/** If more places declare the setting, none of them is more likely than the others. */
const declarationsMax = 2;
const nodesMax = 60_000;
const settingsMax = 8;

interface Declaration {
  readonly node: CodeNode;
  readonly declared: string | null;
}

/**
 * Notes where a setting or an option is declared as text, if the failing code uses it as a number: it is read by a key
 * that only the declaration spells, too.
 */
export function findMistypedSettings({ codebase }: Failure, trail: Trail): void {
  const signals = trail.signals();
  const symptom = signals.find(isTextOperand);
  if (!symptom) return;
  const found = settingsRead(signals, symptom).flatMap((setting) =>
    codebase.own().flatMap((program) => declarationsOf(program, setting).map((one) => ({ program, setting, ...one }))),
  );
  if (found.length > declarationsMax) return;
  for (const { program, setting, node, declared } of found) {
    const args = { setting, declared, code: symptom.args.expression };
    trail.add({ kind: "mistyped-setting", args }, placeAt(program, node), symptom);
  }
}

function isTextOperand(signal: AnyCodeSignal): signal is CodeSignal<"bad-value"> {
  return signal.kind === "bad-value" && signal.args.use === "operand" && text.test(signal.args.was);
}

/** Steps whose code may have the key that a value is read by. */
const readings: ReadonlySet<string> = new Set(["argument", "literal", "call", "lookup", "setting", "property"]);
const quotedKey = /["']([A-Za-z][\w.-]{2,80})["']/g;

/** Returns the keys and fields under which the failing value is read. */
function settingsRead(signals: readonly AnyCodeSignal[], symptom: CodeSignal<"bad-value">): string[] {
  const keys = signals.flatMap((signal) => {
    if (signal.kind !== "value-step" || !leadsTo(signal, symptom)) return [];
    const { how, code, path = [] } = signal.args;
    const quoted = readings.has(how) ? [...code.matchAll(quotedKey)].map(([, key]) => key) : [];
    return [...quoted, how === "property" && path.length === 2 ? path[1] : undefined];
  });
  const own = symptom.args.path ?? [];
  const names = new Set([...keys, own.length === 2 ? own[1] : undefined]);
  return [...names].filter((key) => key !== undefined).slice(0, settingsMax);
}

function declarationsOf(program: Program, setting: string): Declaration[] {
  const flag = `--${setting.replaceAll("_", "-")}`;
  const spelled = [setting, flag, `--${setting}`];
  if (!spelled.some((one) => program.source.text.includes(one))) return [];
  return [...walk(program.tree, nodesMax)].flatMap((node): Declaration[] => {
    const key = node.kind === "entry" ? (node.name ?? "") : node.kind === "string" ? (keyText(node) ?? "") : "";
    if (!spelled.includes(key)) return [];
    const declared = node.kind === "entry" ? typeIn(part(node, "value")) : typeBeside(node, key);
    return declared === undefined ? [] : [{ node, declared }];
  });
}

/** Returns the type in `("name", { "type": str })`, or in the arguments of a call that adds an option. */
function typeBeside(node: CodeNode, key: string): string | null | undefined {
  const { parent } = node;
  if (parent?.kind === "list") {
    const [first, ...others] = partsOf(parent, "value");
    return first === node ? others.map(typeIn).find((one) => one !== undefined) : undefined;
  }
  if (parent?.kind !== "call" || !key.startsWith("--") || node.role !== "argument") return undefined;
  if (parent.name === "add_argument" && argumentsOf(parent).every(({ name }) => !isConverting(name))) return null;
  return typeIn(parent);
}

function isConverting(name: string | null): boolean {
  return name !== null && (typing.has(name) || name === "action" || name === "choices" || name === "nargs");
}

/** Returns the type of a text that an object or a call names; undefined where it names none, or another. */
function typeIn(declaration: CodeNode | null): string | undefined {
  const node = declaration && plain(declaration);
  if (node?.kind !== "object" && node?.kind !== "call") return undefined;
  const entry = node.children.find((one) => one.kind === "entry" && typing.has(one.name ?? ""));
  const value = entry && part(entry, "value");
  const name = value && (keyText(value) ?? lastName(value));
  return name !== null && name !== undefined && textTypes.has(name) ? name : undefined;
}
