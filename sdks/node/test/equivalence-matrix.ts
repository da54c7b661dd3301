import { caseGroups, type EquivalenceCase, titleOf } from "./equivalence-cases.ts";
import type { Comparison } from "./equivalence-runs.ts";
import { runtimes } from "./runtimes.ts";

/** The published page: what ran, how it ended, and what was told of it. */
export function renderMatrix(results: ReadonlyMap<EquivalenceCase, readonly Comparison[]>): string {
  const all = [...results.values()].flat();
  const tables = caseGroups.map(({ heading, cases }) => {
    const head = ["the program …", ...runtimes.map(({ name }) => name), "and tells of"];
    const rows = cases.map((given) => renderRow(given, results.get(given) ?? []));
    return [`## ${heading}`, "", renderTable([head, ...rows])].join("\n");
  });
  return `${introduction(all.length)}\n${tables.join("\n\n")}\n`;
}

function renderRow(given: EquivalenceCase, comparisons: readonly Comparison[]): string[] {
  const cells = runtimes.map((runtime) => {
    const of = comparisons.filter((comparison) => comparison.runtime === runtime);
    return [...new Set(of.map(({ watched }) => String(watched.signal ?? watched.code)))].join(", ");
  });
  const by18 = given.toldBy18 === undefined ? "" : ` (Node 18: ${inWords(given.toldBy18)})`;
  return [titleOf(given), ...cells, inWords(given.told) + by18];
}

function inWords(told: readonly string[]): string {
  return told.join("; ") || "nothing";
}

function renderTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(3, ...rows.map((row) => (row[column] ?? "").length)));
  const lines = rows.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`);
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [lines[0], rule, ...lines.slice(1)].join("\n");
}

function introduction(count: number): string {
  return `# Process equivalence of \`@whence/node\`

A program ends and prints with the client as it does without: the same exit code or signal, and byte for byte the same stdout and stderr. This page is written by [the test](../../sdks/node/test/process-equivalence.programs.test.ts) that proves it: ${count} times it runs a program with the client and without, and compares. Process ids and the addresses in a native stack trace are masked, as they differ between any two runs.

A cell is the exit code or the signal on that version of Node. The programs are [here](../../sdks/node/test/programs/endings.cjs). They run as CommonJS and as ES modules: the basic ones in both on every version, the others in both on the newest and in turns on the rest; the client is started by the program, and for some, preloaded as well.

A thread or a process that is started here is one with a client of its own, unless it is called bare.

The last column is what the service is told: the mechanism and the message, \`exit\` with its code for an orderly end. An error thrown while the main ES module is loaded comes from a promise to Node, and is an \`unhandledRejection\`.

What a program can see of the client: a listener for \`uncaughtExceptionMonitor\`, the event that Node has for watching. There is none for \`uncaughtException\`, \`unhandledRejection\`, \`exit\`, or any signal. One difference is left: when a lone \`unhandledRejection\` listener makes an error, the line of Node's own \`node:events\` in its stack is that for several listeners.

What can't be sent in time: a process ended by a signal without a handler, by \`process.abort\`, or by an error in its own \`uncaughtException\` listener (exit code 7) runs no more code. With the [disk spool](spool.md), the next start sends what it had captured.
`;
}
