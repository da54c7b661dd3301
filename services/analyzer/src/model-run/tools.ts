import { evidenceText, type Fact, type ModelFinding, type Observation } from "@whence/engine";
import { type ToolSet, tool } from "ai";
import { z } from "zod";
import type { CaseFiles } from "./case-files.ts";
import { cutToBytes } from "./cut-to-bytes.ts";
import { modelRunLimits } from "./limits.ts";
import type { ModelCase } from "./model-case.ts";
import { proposalSchema } from "./proposal.ts";
import { askTelemetry, telemetryQuestionSchema } from "./telemetry-questions.ts";

/** How the tools of one run show what they return, and say that they were used. */
export interface ToolSurroundings {
  readonly modelCase: ModelCase;
  readonly files: CaseFiles;
  /** Makes text from outside fit for a prompt: redacted, fenced, and labeled. */
  readonly show: (label: string, text: string) => string;
  readonly onUse: (name: string, input: object, outcome: string) => Promise<void>;
}

const changeKinds: readonly Fact["kind"][] = [
  "deploy",
  "comparison",
  "release-change",
  "last-change",
  "earlier-failure",
];
const digestUnits = 12;
const definition = /\b(?:function|class|def|fn|func|interface|type|struct|enum|const|let|var|module)\b|=>|\)\s*\{/;
const name = z.string().min(2).max(200);

/** Returns the read-only tools of a run. None writes, and none follows an address. */
export function toolsOf(surroundings: ToolSurroundings): ToolSet {
  return {
    ...(surroundings.modelCase.route === "service" ? serviceTools(surroundings) : {}),
    ...codeTools(surroundings),
    ...engineTools(surroundings),
    propose: tool({
      description: "Ends the conversation with the findings, the most likely cause first.",
      inputSchema: proposalSchema,
    }),
  };
}

/** Shows what a tool found, within its bound, and records that it was used. */
async function answer(
  { show, onUse }: ToolSurroundings,
  used: { readonly name: string; readonly input: object; readonly nothing: string },
  lines: readonly string[],
): Promise<string> {
  const { name: called, input, nothing } = used;
  await onUse(called, input, lines.length === 0 ? nothing : `${lines.length} lines`);
  return lines.length === 0 ? nothing : show(called, cutToBytes(lines.join("\n"), modelRunLimits.resultBytes));
}

function evidenceLines({ modelCase }: ToolSurroundings, isWanted: (one: Observation) => boolean): string[] {
  return modelCase.collected.observations.filter(isWanted).map(evidenceLine);
}

/** What only a running service has. */
function serviceTools(around: ToolSurroundings) {
  const { telemetry, subject, report } = around.modelCase;
  return {
    query_telemetry: tool({
      description: "Failures, answered requests, or processes around the failure. For orientation: it can't be quoted.",
      inputSchema: telemetryQuestionSchema,
      execute: async (input) => {
        const env = subject.incident.env ?? "";
        const at = report.impact.last_seen ?? report.impact.first_seen ?? report.evidence[0]?.observed_at ?? null;
        const rows = telemetry && at !== null ? await askTelemetry(telemetry, input, { env, at }) : [];
        const lines = rows.map((row) => JSON.stringify(row));
        return answer(around, { name: "query_telemetry", input, nothing: "No telemetry." }, lines);
      },
    }),
    ask_integration: tool({
      description: "What connected integrations answered about this failure.",
      inputSchema: z.object({ vendor: z.string().max(100).nullish() }),
      execute: (input) => {
        const isAsked = ({ source }: Observation): boolean =>
          source.kind === "integration" && (!input.vendor || source.name === input.vendor);
        const used = { name: "ask_integration", input, nothing: "No integration answered." };
        return answer(around, used, evidenceLines(around, isAsked));
      },
    }),
    list_changes: tool({
      description: "Releases near the failure, how they compare, and the lines they changed.",
      inputSchema: z.object({}),
      execute: (input) => {
        const lines = evidenceLines(around, ({ fact }) => changeKinds.includes(fact.kind));
        return answer(around, { name: "list_changes", input, nothing: "No changes are known." }, lines);
      },
    }),
    similar_incidents: tool({
      description: "Earlier incidents that resemble this one, what was found then, and people's verdict.",
      inputSchema: z.object({}),
      execute: (input) => {
        const lines = evidenceLines(around, ({ fact }) => fact.kind === "similar-incident");
        return answer(
          around,
          { name: "similar_incidents", input, nothing: "No earlier incident resembles this." },
          lines,
        );
      },
    }),
  };
}

/** The code at the failing release. */
function codeTools(around: ToolSurroundings) {
  const { files } = around;
  const nothing = "It isn't in the code.";
  return {
    list_files: tool({
      description: "Paths of the code, those that came with the failure first.",
      inputSchema: z.object({ containing: z.string().max(200).nullish().describe("A part of the path") }),
      execute: async (input) => {
        const paths = (await files.paths(input.containing ?? "")).slice(0, modelRunLimits.paths);
        return answer(around, { name: "list_files", input, nothing: "There are no such files." }, paths);
      },
    }),
    read_file: tool({
      description: `Lines of a file at the failing release, at most ${modelRunLimits.fileLines}.`,
      inputSchema: z.object({ file: name, from: z.int().min(1), to: z.int().min(1) }),
      execute: async (input) => {
        const last = Math.min(input.to, input.from + modelRunLimits.fileLines - 1);
        const lines = ((await files.lines(input.file)) ?? []).slice(input.from - 1, last);
        const numbered = lines.map((line, index) => `${input.from + index} | ${line}`);
        return answer(
          around,
          { name: "read_file", input, nothing: "There is no such file, or no such lines." },
          numbered,
        );
      },
    }),
    search_code: tool({
      description: "Lines of the code that contain a word or an identifier.",
      inputSchema: z.object({ word: name }),
      execute: async (input) =>
        answer(around, { name: "search_code", input, nothing }, (await files.search(input.word)).map(foundLine)),
    }),
    find_symbol: tool({
      description: "Where an identifier is defined and used.",
      inputSchema: z.object({ symbol: name }),
      execute: async (input) => {
        const found = await files.search(input.symbol);
        const [defined, used] = [found.filter(isDefinition), found.filter((one) => !isDefinition(one))];
        const lines = [
          ...defined.map((one) => `defined: ${foundLine(one)}`),
          ...used.map((one) => `used: ${foundLine(one)}`),
        ];
        return answer(around, { name: "find_symbol", input, nothing }, lines);
      },
    }),
  };
}

/** What the engine has observed and concluded. */
function engineTools(around: ToolSurroundings) {
  const { modelCase, files } = around;
  return {
    list_evidence: tool({
      description: "What the engine has observed: each line is a digest to quote by, and what it shows.",
      inputSchema: z.object({}),
      execute: (input) => {
        const lines = evidenceLines(around, () => true);
        return answer(around, { name: "list_evidence", input, nothing: "There is no other evidence." }, lines);
      },
    }),
    read_evidence: tool({
      description: "The text of a piece of evidence, which can be quoted with its digest.",
      inputSchema: z.object({ digest: z.string().min(digestUnits).max(64) }),
      execute: (input) => {
        const found = modelCase.collected.observations.filter(({ sha256 }) => sha256.startsWith(input.digest));
        const lines = found.map(({ excerpt }) => excerpt);
        return answer(around, { name: "read_evidence", input, nothing: "There is no such evidence." }, lines);
      },
    }),
    test_hypothesis: tool({
      description: "What the engine has for and against a place as the cause.",
      inputSchema: z.object({ file: name, line: z.int().min(1), function: z.string().max(200).nullish() }),
      execute: async (input) => {
        const lines = await tested(input, modelCase, files);
        return answer(around, { name: "test_hypothesis", input, nothing: "Nothing." }, lines);
      },
    }),
  };
}

function evidenceLine({ sha256, source, fact }: Observation): string {
  return `${sha256.slice(0, digestUnits)} (${source.kind} ${source.name}): ${evidenceText(fact)}`;
}

function foundLine({
  file,
  line,
  text,
}: {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}): string {
  return `${file}:${line} | ${text}`;
}

function isDefinition({ text }: { readonly text: string }): boolean {
  return definition.test(text);
}

interface Hypothesis {
  readonly file: string;
  readonly line: number;
  readonly function?: string | null | undefined;
}

/** Puts a place before the engine, with its own line as the quote. */
async function tested(
  { file, line, function: symbol }: Hypothesis,
  { test }: ModelCase,
  files: CaseFiles,
): Promise<readonly string[]> {
  const text = (await files.lines(file))?.[line - 1];
  if (text === undefined) return ["There is no such line."];
  const hypothesis: ModelFinding = {
    ...{ model: "hypothesis", category: "unknown", stance: "supports", sentence: "", runs: 1, of: 1 },
    subject: { kind: "place", file, line, function: symbol ?? null },
    citations: [{ kind: "source", file, from: line, to: line, excerpt: text }],
  };
  const { candidates } = await test(hypothesis);
  const found = candidates.find(({ location }) => location?.file === file);
  if (!found) return ["The engine finds nothing for it."];
  const own = found.support.filter((one) => !one.includes("`hypothesis`"));
  return [
    `Rank ${found.rank} of ${candidates.length}: ${found.statement}`,
    ...(own.length === 0 ? ["for: nothing"] : own.map((one) => `for: ${one}`)),
    ...(found.against.length === 0 ? ["against: nothing"] : found.against.map((one) => `against: ${one}`)),
  ];
}
