import { evidenceText, type Fact, type ModelFinding, type Observation } from "@whence/engine";
import { type ToolSet, tool } from "ai";
import { z } from "zod";
import type { CaseFiles } from "./case-files.ts";
import { cutToBytes } from "./cut-to-bytes.ts";
import { modelRunLimits } from "./limits.ts";
import type { ModelCase } from "./model-case.ts";
import { proposalSchema } from "./proposal.ts";
import { askTelemetry, telemetryQuestionSchema } from "./telemetry-questions.ts";
import { refusals, type ToolCalls } from "./tool-calls.ts";

/** How the tools of one run show what they return, and say that they were used. */
export interface ToolSurroundings {
  readonly modelCase: ModelCase;
  readonly files: CaseFiles;
  readonly calls: ToolCalls;
  /** Makes text from outside fit for a prompt: redacted, cut after that, fenced, and labeled. */
  readonly show: (label: string, text: string, cut?: (redacted: string) => string) => string;
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

/** Looks for what a tool was asked, and shows it within its bound. What fails is said in words that have no text of it. */
async function answer(
  { show, onUse, calls }: ToolSurroundings,
  { name: called, input, nothing }: { readonly name: string; readonly input: object; readonly nothing: string },
  find: () => readonly string[] | Promise<readonly string[]>,
): Promise<string> {
  const refused = calls.refused(called);
  if (refused !== null) return refused;
  try {
    const lines = await find();
    await onUse(called, input, lines.length === 0 ? nothing : `${lines.length} lines`);
    if (lines.length === 0) return nothing;
    return show(called, lines.join("\n"), (text) => cutToBytes(text, modelRunLimits.resultBytes));
  } catch {
    return refusals.failed;
  }
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
        return answer(around, { name: "query_telemetry", input, nothing: "No telemetry." }, async () => {
          const rows = telemetry && at !== null ? await askTelemetry(telemetry, input, { env, at }) : [];
          return rows.map((row) => JSON.stringify(row));
        });
      },
    }),
    ask_integration: tool({
      description: "What connected integrations answered about this failure.",
      inputSchema: z.object({ vendor: z.string().max(100).nullish() }),
      execute: (input) => {
        const isAsked = ({ source }: Observation): boolean =>
          source.kind === "integration" && (!input.vendor || source.name === input.vendor);
        const used = { name: "ask_integration", input, nothing: "No integration answered." };
        return answer(around, used, () => evidenceLines(around, isAsked));
      },
    }),
    list_changes: tool({
      description: "Releases near the failure, how they compare, and the lines they changed.",
      inputSchema: z.object({}),
      execute: (input) => {
        const used = { name: "list_changes", input, nothing: "No changes are known." };
        return answer(around, used, () => evidenceLines(around, ({ fact }) => changeKinds.includes(fact.kind)));
      },
    }),
    similar_incidents: tool({
      description: "Earlier incidents that resemble this one, what was found then, and people's verdict.",
      inputSchema: z.object({}),
      execute: (input) => {
        const used = { name: "similar_incidents", input, nothing: "No earlier incident resembles this." };
        return answer(around, used, () => evidenceLines(around, ({ fact }) => fact.kind === "similar-incident"));
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
      execute: (input) =>
        answer(around, { name: "list_files", input, nothing: "There are no such files." }, async () =>
          (await files.paths(input.containing ?? "")).slice(0, modelRunLimits.paths),
        ),
    }),
    read_file: tool({
      description: `Lines of a file at the failing release, at most ${modelRunLimits.fileLines}.`,
      inputSchema: z.object({ file: name, from: z.int().min(1), to: z.int().min(1) }),
      execute: (input) => {
        const used = { name: "read_file", input, nothing: "There is no such file, or no such lines." };
        return answer(around, used, async () => {
          const last = Math.min(input.to, input.from + modelRunLimits.fileLines - 1);
          const lines = ((await files.lines(input.file)) ?? []).slice(input.from - 1, last);
          return lines.map((line, index) => `${input.from + index} | ${line}`);
        });
      },
    }),
    search_code: tool({
      description: "Lines of the code that contain a word or an identifier.",
      inputSchema: z.object({ word: name }),
      execute: (input) =>
        answer(around, { name: "search_code", input, nothing }, async () =>
          (await files.search(input.word)).map(foundLine),
        ),
    }),
    find_symbol: tool({
      description: "Where an identifier is defined and used.",
      inputSchema: z.object({ symbol: name }),
      execute: (input) =>
        answer(around, { name: "find_symbol", input, nothing }, async () => {
          const found = await files.search(input.symbol);
          const [defined, used] = [found.filter(isDefinition), found.filter((one) => !isDefinition(one))];
          return [
            ...defined.map((one) => `defined: ${foundLine(one)}`),
            ...used.map((one) => `used: ${foundLine(one)}`),
          ];
        }),
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
      execute: (input) =>
        answer(around, { name: "list_evidence", input, nothing: "There is no other evidence." }, () =>
          evidenceLines(around, () => true),
        ),
    }),
    read_evidence: tool({
      description: "The text of a piece of evidence, which can be quoted with its digest.",
      inputSchema: z.object({ digest: z.string().min(digestUnits).max(64) }),
      execute: (input) => {
        const used = { name: "read_evidence", input, nothing: "There is no such evidence." };
        return answer(around, used, () =>
          modelCase.collected.observations.flatMap(({ sha256, excerpt }) =>
            sha256.startsWith(input.digest) ? excerpt : [],
          ),
        );
      },
    }),
    test_hypothesis: tool({
      description: "What the engine has for and against a place as the cause.",
      inputSchema: z.object({ file: name, line: z.int().min(1), function: z.string().max(200).nullish() }),
      execute: (input) =>
        answer(around, { name: "test_hypothesis", input, nothing: "Nothing." }, () => tested(input, modelCase, files)),
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
    ...{ model: "hypothesis", category: "unknown", stance: "supports", sentence: "", runs: 1, of: 1 },
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
