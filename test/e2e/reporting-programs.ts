import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Incident, incidentPageSchema, incidentSchema } from "@whence/protocol";
import { fencesIn } from "../markdown.ts";
import { readRepositoryFile } from "../repository-files.ts";
import { bootstrapKey, eventually } from "../servers/server-process.ts";

/** Writes a guide's program in this language into a folder of its own below `folder`, and returns its path. */
export async function programOf(guide: string, language: string, folder: string, name: string): Promise<string> {
  const block = fencesIn(readRepositoryFile(guide)).find((fence) => fence.language === language);
  if (!block) throw new Error(`${guide} has no program in ${language}`);
  const file = join(folder, language, name);
  await mkdir(join(folder, language), { recursive: true });
  await writeFile(file, block.text);
  return file;
}

/** Returns the variables that the first commands of a guide set, with some texts of it replaced by the reader's own. */
export function variablesOf(guide: string, own: Readonly<Record<string, string>>): Record<string, string> {
  const commands = fencesIn(readRepositoryFile(guide)).find((fence) => fence.language === "sh")?.text ?? "";
  const set = commands.matchAll(/^export (\w+)=(.*)$/gm);
  return Object.fromEntries(
    [...set].map(([, name = "", shown = ""]) => [
      name,
      Object.entries(own).reduce((value, [text, mine]) => value.replace(text, mine), shown),
    ]),
  );
}

/** Runs a program to its end in its own folder, and returns what it printed as errors. */
export function runProgram(command: string, file: string, variables: Record<string, string>): Promise<string> {
  const env = { PATH: process.env.PATH, ...variables };
  return new Promise((resolve) => {
    execFile(command, [file], { env, cwd: join(file, "..") }, (_error, _stdout, stderr) => resolve(stderr));
  });
}

/** Returns the line of a program that has this text. */
export async function lineOf(file: string, text: string): Promise<number> {
  return (await readFile(file, "utf8")).split("\n").findIndex((line) => line.includes(text)) + 1;
}

/** Returns the incident of a service once its report is written. */
export function incidentOf(url: string, service: string): Promise<Incident> {
  const read = async (path: string): Promise<unknown> =>
    (await fetch(`${url}${path}`, { headers: { "x-api-key": bootstrapKey } })).json();
  return eventually(`the report on ${service}`, async () => {
    const page = incidentPageSchema.parse(await read(`/api/incidents?service=${service}&status=completed`));
    const [listed] = page.incidents;
    return listed && incidentSchema.parse(await read(`/api/incidents/${listed.id}`));
  });
}

/** Returns where the report on a service says that the cause is. */
export async function placeOf(url: string, service: string): Promise<string> {
  const { report } = await incidentOf(url, service);
  const { file, line } = report?.root_cause.location ?? { file: "no place", line: 0 };
  return `${file}:${line}`;
}
