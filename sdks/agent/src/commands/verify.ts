import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import {
  type Incident,
  incidentSchema,
  parseJson,
  type Report,
  reportSchema,
  type VerifiableSource,
  type Verification,
  verifyWithSources,
  withoutCredentials,
} from "@whence/protocol";
import { clientLimits } from "../client-limits.ts";
import { readSourceFile } from "../sources/read-source-file.ts";
import { plainJson, plainText } from "../terminal/plain-text.ts";
import type { Style } from "../terminal/style.ts";
import { type Command, exitCodes, hasFlag, type Surroundings, UsageError } from "./command.ts";

/** `whence verify`: checks a report against its sources without the service. */
export const verify: Command = {
  name: "verify",
  summary: "check a report against its sources, offline",
  operands: "REPORT.json [SOURCE...]",
  options: {
    strict: { type: "boolean", description: "also fail when the source of some evidence wasn't given" },
    json: { type: "boolean", description: "print JSON" },
  },
  details: `REPORT.json is an incident or its report (whence rca --wait --json). A SOURCE is the error text, a file, or a folder.
Quotes are matched by the digest of their source, so names don't matter.

  whence verify report.json error.log src/

Exit codes: 0 everything that could be checked is correct, 1 something isn't, 2 wrong usage.`,
  async run(line, surroundings) {
    const [operand, ...operands] = line.positionals;
    if (operand === undefined) throw new UsageError("name a report: whence verify report.json [SOURCE...]");
    const { report, incident } = await readReport(operand, surroundings);
    const sources = await readSources(operands, report, surroundings);
    const verification = verifyWithSources(report, sources, incident);
    const { stdout } = surroundings;
    stdout.write(hasFlag(line, "json") ? `${plainJson(verification)}\n` : verificationText(verification, stdout.style));
    return holds(verification, hasFlag(line, "strict")) ? exitCodes.completed : exitCodes.failed;
  },
};

interface ReadReport {
  readonly report: Report;
  readonly incident: Incident | undefined;
}

async function readReport(operand: string, { stdin, cwd }: Surroundings): Promise<ReadReport> {
  const value = parseJson(new TextDecoder().decode(await readBytes(operand, stdin, cwd)));
  if (value === undefined) throw new UsageError(`${operand} isn't JSON`);
  const incident = incidentSchema.safeParse(value);
  if (incident.success && incident.data.report) return { report: incident.data.report, incident: incident.data };
  const report = reportSchema.safeParse(value);
  if (report.success) return { report: report.data, incident: undefined };
  throw new UsageError(`${operand} contains neither a report nor an incident with one`);
}

async function readBytes(operand: string, stdin: Surroundings["stdin"], cwd: string): Promise<Uint8Array> {
  try {
    return operand === "-" ? await stdin.read(clientLimits.answerBytesMax) : await readFile(resolve(cwd, operand));
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UsageError(`${operand} can't be read: ${reason}`);
  }
}

async function readSources(
  operands: readonly string[],
  report: Report,
  { cwd }: Surroundings,
): Promise<VerifiableSource[]> {
  const sources: VerifiableSource[] = [];
  for (const operand of operands) {
    const path = resolve(cwd, operand);
    const stats = await stat(path).catch(() => null);
    if (!stats) throw new UsageError(`${operand} can't be read: no such file or folder`);
    const paths = stats.isDirectory() ? await filesBelow(path, namesIn(report)) : [path];
    for (const found of paths) {
      const file = await readSourceFile(found);
      const name = relative(cwd, found).replaceAll("\\", "/");
      // The service has either the original text or the masked one that was sent.
      if (file.outcome === "read")
        sources.push(...[file.text, withoutCredentials(file.text)].map((text) => toSource(name, text)));
      else if (!stats.isDirectory()) throw new UsageError(`${operand} is ${file.outcome}`);
    }
  }
  return sources;
}

function toSource(name: string, text: string): VerifiableSource {
  return { name, text, sha256: createHash("sha256").update(text, "utf8").digest("hex") };
}

/** Returns the file names in the report's sources, without folders. */
function namesIn({ evidence, patch }: Report): Set<string> {
  const names = [...evidence.map(({ source }) => source.name), ...(patch?.files ?? []).map(({ file }) => file)];
  return new Set(names.map((name) => name.split(/[/\\]/).at(-1) ?? name));
}

/** Finds files with these names in the folder and below it. */
async function filesBelow(folder: string, names: ReadonlySet<string>): Promise<string[]> {
  const found: string[] = [];
  const folders = [folder];
  let seen = 0;
  for (let current = folders.shift(); current !== undefined; current = folders.shift()) {
    for (const entry of await readdir(current, { withFileTypes: true }).catch(() => [])) {
      seen += 1;
      if (seen > clientLimits.walkedEntriesMax) return found;
      if (entry.isDirectory() && entry.name !== "node_modules" && entry.name !== ".git")
        folders.push(join(current, entry.name));
      else if (entry.isFile() && names.has(entry.name)) found.push(join(current, entry.name));
    }
  }
  return found;
}

function holds({ problems, quotes, patch }: Verification, isStrict: boolean): boolean {
  const failing = isStrict ? ["other version", "not given"] : ["other version"];
  const states = [...quotes.map(({ state }) => state), ...(patch ? [patch] : [])];
  return problems.length === 0 && !states.some((state) => failing.includes(state));
}

const patchTexts = {
  applies: "the patch applies to its files",
  "other version": "the patch's files differ from those it was made for",
  "not given": "the patch's files weren't given",
} as const;

function verificationText({ problems, quotes, patch }: Verification, style: Style): string {
  const count = (state: string): string[] => quotes.filter((quote) => quote.state === state).map(({ id }) => id);
  const [found, atLines, computed, notGiven, other] = [
    count("found"),
    count("at its lines"),
    count("computed"),
    count("not given"),
    count("other version"),
  ];
  const rows = [
    ...problems.map(({ where, problem }) => `${style.red("broken")}     ${plainText(where)}: ${plainText(problem)}`),
    ...row(style.red("changed"), "   ", other, "the given source differs: it changed, or the report did"),
    ...row(style.green("found"), "     ", found, "quoted exactly from their sources"),
    ...row(style.green("at lines"), "  ", atLines, "match their files at these lines"),
    ...row(style.dim("computed"), "  ", computed, "computed values such as counts, with nothing to look up"),
    ...row(style.yellow("unchecked"), " ", notGiven, "their sources weren't given"),
    ...(patch
      ? [`${patch === "applies" ? style.green("patch") : style.yellow("patch")}      ${patchTexts[patch]}`]
      : []),
  ];
  const verdict =
    problems.length + other.length > 0 || patch === "other version"
      ? style.red("The report doesn't match its sources.")
      : style.green(
          notGiven.length > 0 ? "Everything that could be checked matches." : "The report matches its sources.",
        );
  return `${[...rows, verdict].join("\n")}\n`;
}

function row(label: string, gap: string, ids: readonly string[], meaning: string): string[] {
  return ids.length === 0 ? [] : [`${label}${gap} ${ids.join(", ")}: ${meaning}`];
}
