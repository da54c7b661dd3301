import type { RemedyOf } from "../../signals/code/remedy.ts";
import { argumentsOf, textOf } from "../code/expressions.ts";
import { type CodeNode, nodesBetween, part } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { withImport } from "./python-import.ts";
import type { Edit, Repairing } from "./repair.ts";

const nodesMax = 2_000;
/** Types that `structuredClone` copies; of any other type it keeps only the fields. */
const cloned = /^(?:Map|Set|Date|RegExp|Error|ArrayBuffer|\w+Array)$/;

/**
 * Replaces a round trip through JSON by the value itself or a copy: `copy.deepcopy` in Python, `structuredClone` in
 * JavaScript where that keeps its type.
 */
export const keepType: Repairing<RemedyOf<"type">> = ({ parse, type }, { program, signal: { subject } }) => {
  const { source, tree, dialect } = program;
  const { start, end } = source.lines(subject.line, subject.line);
  const trips = nodesBetween(tree, start, end, nodesMax).flatMap((node) => {
    const written =
      node.kind === "call" && source.lineAt(node.start) === subject.line ? roundTrip(program, node, parse) : null;
    return written ? [{ node, written }] : [];
  });
  const [trip, other] = trips;
  if (!trip || other) return null;
  const { copying } = dialect.writing ?? { copying: null };
  const imported = copying ? withImport(program, copying.module, trip.node) : [];
  if (!dialect.writing || imported === null || (!copying && type === null)) return null;
  const text = source.text.slice(trip.written.start, trip.written.end);
  const kept = type !== null && cloned.test(type) ? `structuredClone(${text})` : text;
  const copied = copying ? `${copying.module}.${copying.name}(${text})` : kept;
  const replaced: Edit = { source, start: trip.node.start, end: trip.node.end, text: copied };
  return {
    by: "type",
    edits: [replaced, ...imported],
    subject: textOf(trip.written, source),
  };
};

/** Returns what is written and read back at once; null where anything else happens to the text. */
function roundTrip({ source, dialect }: Program, call: CodeNode, parse: string): CodeNode | null {
  const callee = part(call, "callee");
  const inner = argumentsOf(call)[0]?.value;
  if (!callee || textOf(callee, source) !== parse || argumentsOf(call).length !== 1 || inner?.kind !== "call")
    return null;
  // A second argument chooses, or changes, what is written.
  const [written, other] = argumentsOf(inner);
  return dialect.calls.serializing.has(inner.name ?? "") && written && !other ? written.value : null;
}
