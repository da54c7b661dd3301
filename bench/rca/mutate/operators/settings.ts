import type { Mutation } from "../mutation.ts";

const setting = /^(\s*[\w.-]+\s*[=:]\s*)(\S.*)$/gm;

/** Returns missing or empty settings in a file with one per line: `.env`, `.ini`, `.toml`, `.yaml`. */
export function settingMutations(text: string): Mutation[] {
  return [...text.matchAll(setting)].flatMap((match): Mutation[] => {
    const [line, name = "", value = ""] = match;
    const end = match.index + line.length;
    const missing: Mutation = { operator: "missing-setting", edits: [{ start: match.index, end, text: "" }] };
    const start = match.index + name.length;
    const other = Number.isNaN(Number(value)) ? "" : `${value}ms`;
    return [missing, { operator: "wrong-setting", edits: [{ start, end, text: other }] }];
  });
}
