import { markdownTable } from "../markdown-table.ts";
import type { Findings } from "./findings.ts";
import { facts, isCoded, type MatrixProgram } from "./matrix-program.ts";
import type { Mode } from "./run-program.ts";

/** The findings for a program in one mode on one version of Node. Its unchanged behavior is a test's concern. */
export interface Row {
  readonly program: MatrixProgram;
  readonly runtime: string;
  readonly mode: Mode;
  readonly findings: Findings;
}

const head = ["program", "version", "Node", "same behavior", ...facts, "what to do", "checked"];
const onEachChange = "with each change";

/**
 * Returns the published page. A program that was not run keeps its row of the previous page, since the heavy ones run
 * only occasionally.
 */
export function renderMatrix(programs: readonly MatrixProgram[], rows: readonly Row[], former: string): string {
  const table = (mode: Mode, listed: readonly MatrixProgram[]): string => {
    const formerRows = rowsOf(sectionOf(former, headings[mode]));
    return markdownTable([head, ...listed.flatMap((program) => rowsOfProgram(program, mode, rows, formerRows))]);
  };
  const sections = [
    introduction,
    `## ${headings["zero-code"]}`,
    "Started with [`node --import @whence/node/register`](register.md), its code unchanged.",
    table("zero-code", programs),
    `## ${headings.coded}`,
    "With `init` and what the documentation of its framework tells to add.",
    table("coded", programs.filter(isCoded)),
    elsewhere,
  ];
  return `${sections.join("\n\n")}\n`;
}

/** Returns the facts that don't arrive and for which the page doesn't say what to do. */
export function missingNotes(rows: readonly Row[]): string[] {
  return rows.flatMap(({ program, mode, findings }) =>
    missingFacts(findings)
      .filter((fact) => program.notes?.[fact] === undefined)
      .map((fact) => `${program.title}, ${mode}: ${fact}`),
  );
}

function missingFacts(findings: Findings): (typeof facts)[number][] {
  return facts.filter((fact) => findings[fact] === false);
}

/** Returns a program's rows; versions of Node with the same findings share one. */
function rowsOfProgram(
  program: MatrixProgram,
  mode: Mode,
  rows: readonly Row[],
  formerRows: readonly (readonly string[])[],
): (readonly string[])[] {
  const own = rows.filter((row) => row.program === program && row.mode === mode);
  if (own.length === 0) return formerRows.filter(([title]) => title === program.title);
  const groups = Map.groupBy(own, ({ findings }) => JSON.stringify(Object.values(findings).map(inWords)));
  return [...groups.values()].map((group) => {
    const findings = group[0]?.findings;
    const cells = facts.map((fact) => inWords(findings?.[fact]));
    const notes = findings === undefined ? [] : missingFacts(findings).map((fact) => program.notes?.[fact] ?? "");
    const checked = program.isHeavy ? new Date().toISOString().slice(0, 10) : onEachChange;
    const runtimes = group.map(({ runtime }) => runtime).join(", ");
    return [program.title, versionOf(program), runtimes, "yes", ...cells, [...new Set(notes)].join(" "), checked];
  });
}

/** Returns the version of the package that the row is about. */
function versionOf({ packages }: MatrixProgram): string {
  return Object.values(packages)[0] ?? "";
}

function inWords(finding: boolean | undefined): string {
  if (finding === undefined) return "";
  return finding ? "yes" : "**no**";
}

const headings: Readonly<Record<Mode, string>> = {
  bare: "Without the client",
  "zero-code": "Without code",
  coded: "With the integration",
};

function sectionOf(page: string, heading: string): string {
  return page.split(/^## /m).find((section) => section.startsWith(heading)) ?? "";
}

function rowsOf(section: string): string[][] {
  return section
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) =>
      line
        .slice(2, -2)
        .split("|")
        .map((cell) => cell.trim()),
    );
}

const meanings = markdownTable([
  ["column", "yes means"],
  ["same behavior", "status codes, bodies, output and exit code are the same; process IDs, ports and times are masked"],
  ["error", "each of the two errors arrived, once"],
  ["request", "it has the method and the path of its request"],
  ["route", "it has the route pattern"],
  ["breadcrumbs", "it has the log line of its own order, and not that of the other"],
  ["frames", "the innermost frame of your code is the line that threw"],
  ["release", "it is the name and version in the program's package.json"],
]);

const introduction = `# Frameworks and programs

See what the client reports of real programs, installed from the npm registry at the versions below. [A test](../../sdks/node/test/matrix/matrix.programs.test.ts) runs each of them as it is, preloaded with the client, and with its integration, and writes this page. In each run, two orders that are under way at the same time fail, and the responses, the output and the exit code must be the same as without the client.

${meanings}

An empty cell means that there is nothing to say: the program has no routes or no requests, or no error arrived. With the integration, printed stacks may show its functions among those of other packages. Programs with a date take long to install or build, or need a server, and run now and then with \`pnpm matrix\`.`;

const elsewhere = `## Elsewhere

- [Bun and Deno](runtimes.md) run programs that [end in five ways](../../sdks/node/test/other-runtimes.programs.test.ts).
- What a failing test prints through the console is a breadcrumb and not an event: with \`node --test\`, and in files at the paths of Jest, Mocha and Vitest ([test](../../sdks/node/test/test-runners.programs.test.ts)).
- [Programs](process-equivalence.md) that end in different ways are compared byte for byte on five versions of Node.`;
