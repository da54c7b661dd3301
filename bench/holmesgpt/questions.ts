import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

/** What a tool answered when HolmesGPT's authors recorded it. */
export interface ToolOutput {
  /** The file that it was recorded in, which is named after the tool. */
  readonly name: string;
  readonly isLog: boolean;
  readonly text: string;
}

/** A published question about a failure, what its tools answered, and what an answer must say. */
export interface Question {
  readonly name: string;
  readonly group: "investigate" | "ask";
  /** An alert's title and description, or a person's question. */
  readonly text: string;
  /** What the alert is about; null for a person's question. */
  readonly subject: string | null;
  readonly outputs: readonly ToolOutput[];
  readonly expected: readonly string[];
}

const caseSchema = z.object({
  user_prompt: z.union([z.string(), z.array(z.string()).transform((all) => all.join("\n"))]).optional(),
  expected_output: z.union([z.string().transform((one) => [one]), z.array(z.string())]),
});
const requestSchema = z.object({
  title: z.string(),
  description: z.string().nullish(),
  subject: z.object({ name: z.string().nullish() }).nullish(),
});
const outputSchema = z.object({ toolset_name: z.string(), tool_name: z.string() });
/** A question for a cause. Others ask for a list, a number, a graph, or a command. */
const asksForCause = /\bwhy\b|\bwrong\b|\bissue with\b|\bcannot\b|\bunhealthy\b/i;

/** Returns every question with recorded output, from the folder of HolmesGPT's tests; null when it doesn't exist. */
export function readQuestions(folder: string): readonly Question[] | null {
  if (!existsSync(folder)) return null;
  const groups = { investigate: "test_investigate", ask: "test_ask_holmes" } as const;
  return (["investigate", "ask"] as const).flatMap((group) =>
    readdirSync(join(folder, groups[group]))
      .sort()
      .flatMap((name) => readQuestion(join(folder, groups[group], name), name, group)),
  );
}

/** Whether a question asks why something failed, as an incident does. */
export function isAboutCause({ group, text }: Question): boolean {
  return group === "investigate" || asksForCause.test(text);
}

function readQuestion(folder: string, name: string, group: Question["group"]): Question[] {
  const outputs = readdirSync(folder)
    .filter((file) => file.endsWith(".txt"))
    .sort()
    .flatMap((file) => readOutput(folder, file));
  if (outputs.length === 0) return [];
  const test = caseSchema.parse(parse(readFileSync(join(folder, "test_case.yaml"), "utf8")));
  const asked = group === "ask" ? { text: test.user_prompt ?? "", subject: null } : readAlert(folder);
  return [{ name, group, outputs, expected: test.expected_output, ...asked }];
}

function readAlert(folder: string): Pick<Question, "text" | "subject"> {
  const request = readFileSync(join(folder, "investigate_request.json"), "utf8");
  const { title, description, subject } = requestSchema.parse(JSON.parse(request));
  return { text: [title, description ?? ""].join("\n\n").trim(), subject: subject?.name ?? null };
}

/** Reads an output below its two lines about the call. */
function readOutput(folder: string, file: string): ToolOutput[] {
  const [call = "", , ...lines] = readFileSync(join(folder, file), "utf8").split("\n");
  if (!call.startsWith("{")) return [];
  const { toolset_name: toolset, tool_name: tool } = outputSchema.parse(JSON.parse(call));
  const text = lines.join("\n").trim();
  return text === "" ? [] : [{ name: file, isLog: `${toolset} ${tool}`.includes("log"), text }];
}
