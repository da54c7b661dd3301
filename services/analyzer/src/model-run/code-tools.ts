import { type ToolSet, tool } from "ai";
import { z } from "zod";
import type { FoundLine } from "./case-files.ts";
import { modelRunLimits } from "./limits.ts";
import { lookUp, type ToolSurroundings } from "./tool-surroundings.ts";

const definition = /\b(?:function|class|def|fn|func|interface|type|struct|enum|const|let|var|module)\b|=>|\)\s*\{/;

/** What names a file or a word. */
export const nameSchema: z.ZodString = z.string().min(2).max(200);

/** Returns the tools that read the code at the failing release. */
export function codeTools(around: ToolSurroundings): ToolSet {
  const { files } = around;
  const nothing = "It isn't in the code.";
  return {
    list_files: tool({
      description: "Paths of the code, those that came with the failure first.",
      inputSchema: z.object({ containing: z.string().max(200).nullish().describe("A part of the path") }),
      execute: (input) =>
        lookUp(around, { name: "list_files", input, nothing: "There are no such files." }, async () =>
          (await files.paths(input.containing ?? "")).slice(0, modelRunLimits.paths),
        ),
    }),
    read_file: tool({
      description: `Lines of a file at the failing release, at most ${modelRunLimits.fileLines}.`,
      inputSchema: z.object({ file: nameSchema, from: z.int().min(1), to: z.int().min(1) }),
      execute: (input) => {
        const used = { name: "read_file", input, nothing: "There is no such file, or no such lines." };
        return lookUp(around, used, async () => {
          const last = Math.min(input.to, input.from + modelRunLimits.fileLines - 1);
          const lines = ((await files.lines(input.file)) ?? []).slice(input.from - 1, last);
          return lines.map((line, index) => `${input.from + index} | ${line}`);
        });
      },
    }),
    search_code: tool({
      description: "Lines of the code that contain a word or an identifier.",
      inputSchema: z.object({ word: nameSchema }),
      execute: (input) =>
        lookUp(around, { name: "search_code", input, nothing }, async () =>
          (await files.search(input.word)).map(foundLine),
        ),
    }),
    find_symbol: tool({
      description: "Where an identifier is defined and used.",
      inputSchema: z.object({ symbol: nameSchema }),
      execute: (input) =>
        lookUp(around, { name: "find_symbol", input, nothing }, async () => {
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

function foundLine({ file, line, text }: FoundLine): string {
  return `${file}:${line} | ${text}`;
}

function isDefinition({ text }: FoundLine): boolean {
  return definition.test(text);
}
