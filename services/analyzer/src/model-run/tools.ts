import { evidenceText, type Fact, type ModelFinding, type Observation } from "@whence/engine";
import { type ToolSet, tool } from "ai";
import { z } from "zod";
import type { CaseFiles } from "./case-files.ts";
import { codeTools, nameSchema } from "./code-tools.ts";
import type { ModelCase } from "./model-case.ts";
import { telemetryQuestionSchema } from "./telemetry-queries.ts";
import { lookUp, type ToolSurroundings } from "./tool-surroundings.ts";

const changeKinds: readonly Fact["kind"][] = [
  "deploy",
  "comparison",
  "release-change",
  "last-change",
  "earlier-failure",
];
const digestUnits = 12;

/** Returns the tools that read evidence about a failure. None of them writes or follows an address. */
export function readingTools(modelCase: ModelCase, around: ToolSurroundings): ToolSet {
  return {
    ...(modelCase.route === "service" ? serviceTools(modelCase, around) : {}),
    ...codeTools(around),
    ...evidenceTools(modelCase, around),
  };
}

/** Returns the tools of an investigation's run: those that read, and what asks the engine. */
export function toolsOf(modelCase: ModelCase, around: ToolSurroundings): ToolSet {
  return { ...readingTools(modelCase, around), ...hypothesisTool(modelCase, around) };
}

/** Returns everything that can be quoted by its digest. */
export async function observationsOf({ collected, telemetry }: ModelCase): Promise<readonly Observation[]> {
  return [...(await collected()).observations, ...telemetry.answered];
}

async function evidenceLines({ collected }: ModelCase, isWanted: (one: Observation) => boolean): Promise<string[]> {
  return (await collected()).observations.filter(isWanted).map(evidenceLine);
}

/** What only a running service has. */
function serviceTools(modelCase: ModelCase, around: ToolSurroundings) {
  return {
    query_telemetry: tool({
      description:
        "Failures, answered requests, or processes around the failure: a line with the digest to quote by, and the rows.",
      inputSchema: telemetryQuestionSchema,
      execute: (input) =>
        lookUp(around, { name: "query_telemetry", input, nothing: "No telemetry." }, async () => {
          const found = await modelCase.telemetry.ask(input);
          return found ? [evidenceLine(found.observation), ...found.rows.map((row) => JSON.stringify(row))] : [];
        }),
    }),
    ask_integration: tool({
      description: "What connected integrations answered about this failure.",
      inputSchema: z.object({ vendor: z.string().max(100).nullish() }),
      execute: (input) => {
        const isAsked = ({ source }: Observation): boolean =>
          source.kind === "integration" && (!input.vendor || source.name === input.vendor);
        const used = { name: "ask_integration", input, nothing: "No integration answered." };
        return lookUp(around, used, () => evidenceLines(modelCase, isAsked));
      },
    }),
    list_changes: tool({
      description: "Releases near the failure, how they compare, and the lines they changed.",
      inputSchema: z.object({}),
      execute: (input) => {
        const used = { name: "list_changes", input, nothing: "No changes are known." };
        return lookUp(around, used, () => evidenceLines(modelCase, ({ fact }) => changeKinds.includes(fact.kind)));
      },
    }),
    similar_incidents: tool({
      description: "Earlier incidents that resemble this one, what was found then, and people's verdict.",
      inputSchema: z.object({}),
      execute: (input) => {
        const used = { name: "similar_incidents", input, nothing: "No earlier incident resembles this." };
        return lookUp(around, used, () => evidenceLines(modelCase, ({ fact }) => fact.kind === "similar-incident"));
      },
    }),
  };
}

/** What the engine has observed. */
function evidenceTools(modelCase: ModelCase, around: ToolSurroundings) {
  return {
    list_evidence: tool({
      description: "What the engine has observed: each line is a digest to quote by, and what it shows.",
      inputSchema: z.object({}),
      execute: (input) =>
        lookUp(around, { name: "list_evidence", input, nothing: "There is no other evidence." }, () =>
          evidenceLines(modelCase, () => true),
        ),
    }),
    read_evidence: tool({
      description: "The text of a piece of evidence, which can be quoted with its digest.",
      inputSchema: z.object({ digest: z.string().min(digestUnits).max(64) }),
      execute: (input) => {
        const used = { name: "read_evidence", input, nothing: "There is no such evidence." };
        return lookUp(around, used, async () =>
          (await observationsOf(modelCase)).flatMap(({ sha256, excerpt }) =>
            sha256.startsWith(input.digest) ? excerpt : [],
          ),
        );
      },
    }),
  };
}

/** What the engine concludes of a place. */
function hypothesisTool(modelCase: ModelCase, around: ToolSurroundings) {
  return {
    test_hypothesis: tool({
      description: "What the engine has for and against a place as the cause.",
      inputSchema: z.object({ file: nameSchema, line: z.int().min(1), function: z.string().max(200).nullish() }),
      execute: (input) =>
        lookUp(around, { name: "test_hypothesis", input, nothing: "Nothing." }, () =>
          tested(input, modelCase, around.files),
        ),
    }),
  };
}

function evidenceLine({ sha256, source, fact }: Observation): string {
  return `${sha256.slice(0, digestUnits)} (${source.kind} ${source.name}): ${evidenceText(fact)}`;
}

interface Hypothesis {
  readonly file: string;
  readonly line: number;
  readonly function?: string | null | undefined;
}

/** A report may show a path without the folders that all files of the program are in. */
function isSameFile(shown: string, file: string): boolean {
  return file === shown || file.endsWith(`/${shown}`) || shown.endsWith(`/${file}`);
}

/** Puts a place before the engine, with its own line as the quote. */
async function tested(
  { file: path, line, function: symbol }: Hypothesis,
  { test }: ModelCase,
  files: CaseFiles,
): Promise<readonly string[]> {
  const file = await files.named(path);
  const text = file === null ? undefined : (await files.lines(file))?.[line - 1];
  if (file === null || text === undefined) return ["There is no such line."];
  const hypothesis: ModelFinding = {
    model: "hypothesis",
    category: "unknown",
    stance: "supports",
    sentence: "",
    runs: 1,
    of: 1,
    first: { runs: 0, blind: 0 },
    subject: { kind: "place", file, line, function: symbol ?? null },
    citations: [{ kind: "source", file, from: line, to: line, excerpt: text }],
  };
  const { candidates } = await test(hypothesis, files.opened);
  const found = candidates.find(({ location }) => location !== null && isSameFile(location.file, file));
  if (!found) return ["The engine finds nothing for it."];
  const own = found.support.filter((one) => !one.includes("`hypothesis`"));
  return [
    `Rank ${found.rank} of ${candidates.length}: ${found.statement}`,
    ...(own.length === 0 ? ["for: nothing"] : own.map((one) => `for: ${one}`)),
    ...(found.against.length === 0 ? ["against: nothing"] : found.against.map((one) => `against: ${one}`)),
  ];
}
