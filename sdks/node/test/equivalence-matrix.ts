import { caseGroups, type EquivalenceCase, titleOf } from "./equivalence-cases.ts";
import type { Comparison } from "./equivalence-runs.ts";
import { markdownTable } from "./markdown-table.ts";
import { runtimes } from "./runtimes.ts";

/** Returns the published page: which programs ran, how they ended, and what the client reported. */
export function renderMatrix(results: ReadonlyMap<EquivalenceCase, readonly Comparison[]>): string {
  const all = [...results.values()].flat();
  const tables = caseGroups.map(({ heading, cases }) => {
    const head = ["the program …", ...runtimes.map(({ name }) => name), "and reports"];
    const rows = cases.map((given) => renderRow(given, results.get(given) ?? []));
    return [`## ${heading}`, "", markdownTable([head, ...rows])].join("\n");
  });
  return `${introduction(all.length)}\n${tables.join("\n\n")}\n`;
}

function renderRow(given: EquivalenceCase, comparisons: readonly Comparison[]): string[] {
  const cells = runtimes.map((runtime) => {
    const of = comparisons.filter((comparison) => comparison.runtime === runtime);
    return [...new Set(of.map(({ watched }) => String(watched.signal ?? watched.code)))].join(", ");
  });
  const by18 = given.reportedBy18 === undefined ? "" : ` (Node 18: ${inWords(given.reportedBy18)})`;
  const later = given.sentByNextStart === undefined ? "" : `; with its next start: ${inWords(given.sentByNextStart)}`;
  return [titleOf(given), ...cells, inWords(given.reported) + by18 + later];
}

function inWords(reported: readonly string[]): string {
  return reported.join("; ") || "nothing";
}

function introduction(count: number): string {
  return `# Process equivalence of \`@whence/node\`

See how programs end with the client. They end and print exactly as they do without it: same exit code or signal, and the same stdout and stderr, byte for byte. [A test](../../sdks/node/test/process-equivalence.programs.test.ts) proves it and writes this page: it runs programs with and without the client ${count} times and compares the results. Process IDs and addresses in native stack traces are masked, because they differ between any two runs.

Each cell is the exit code or signal on that version of Node. [The programs](../../sdks/node/test/programs/endings.cjs) run as CommonJS and as ES modules: the basic ones as both on every version, the others as both on the newest version and alternating on the rest. The program starts the client; in some runs it is preloaded instead.

Threads and processes that a program starts have a client of their own, unless they are called bare.

The last column is what the client reports: the mechanism and the message, or \`exit\` with its code for an orderly exit. What a machine is too slow to send before the end arrives with the next start. To Node, an error thrown while the main ES module loads comes from a promise, so it is an \`unhandledRejection\`.

A program can see one listener of the client, for \`uncaughtExceptionMonitor\`, the event that Node provides for monitoring. There is none for \`uncaughtException\`, \`unhandledRejection\`, \`exit\`, or any signal. Two differences remain. If the only \`unhandledRejection\` listener creates an error, the \`node:events\` line in its stack is the one for several listeners. And up to Node 20, stacks of callbacks end with one more line of Node's own (\`process.callbackTrampoline\`) once an AsyncLocalStorage is in use, as the client's is in a program that serves requests or calls \`flush\`.

A process that ends by a signal without a handler, by \`process.abort\`, or by an error in its own \`uncaughtException\` listener (exit code 7) runs no more code, so it can't send anything more. The client doesn't listen to signals: a listener would show in \`process.listenerCount\`, and a program stuck in a loop would never end. Instead, what waits to be sent is [on disk](spool.md), and the next start sends it.
`;
}
