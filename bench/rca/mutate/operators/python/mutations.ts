import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { z } from "zod";
import type { Ran } from "../../coverage.ts";
import type { Mutation } from "../../mutation.ts";
import { isCalledService } from "../called-service.ts";
import type { FunctionIndex } from "../functions.ts";

const edit = z.object({ start: z.number(), end: z.number(), text: z.string() });
const answer = z.object({
  mutations: z.array(z.object({ operator: z.string(), edits: z.tuple([edit], edit) })),
  functions: z.array(
    z.object({ name: z.string(), lineStart: z.number(), lineEnd: z.number(), start: z.number(), end: z.number() }),
  ),
});
const program = join(import.meta.dirname, "mutations.py");
const answerMaxBytes = 100_000_000;

/** Returns every mutation of the code that ran in a Python file. */
export function pythonMutations(name: string, text: string, ran: Ran): Mutation[] {
  const lines = text.split("\n").flatMap((_, index) => (ran(0, index + 1) ? [index + 1] : []));
  return ask(text, lines, isCalledService(name)).mutations;
}

/** Finds the functions of a Python file. */
export function indexPythonFunctions(text: string): FunctionIndex {
  const { functions } = ask(text, [], false);
  return {
    atOffset: (offset) => functions.findLast(({ start, end }) => start <= offset && offset < end),
    atLine: (line) => functions.findLast(({ lineStart, lineEnd }) => lineStart <= line && line <= lineEnd),
  };
}

function ask(text: string, lines: readonly number[], answers: boolean): z.infer<typeof answer> {
  const input = JSON.stringify({ text, lines, answers });
  const output = execFileSync("/usr/bin/python3", [program], { input, maxBuffer: answerMaxBytes, encoding: "utf8" });
  return answer.parse(JSON.parse(output));
}
