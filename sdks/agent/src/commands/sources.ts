import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { SourceBundle } from "@whence/protocol";
import { headCommit } from "../sources/head-commit.ts";
import { releaseFiles } from "../sources/release-files.ts";
import { uploadRelease } from "../sources/upload-release.ts";
import { plainJson, plainText } from "../terminal/plain-text.ts";
import {
  type Command,
  type CommandLine,
  exitCodes,
  hasFlag,
  type Surroundings,
  serviceOptions,
  textOption,
  UsageError,
} from "./command.ts";
import { organizationClient } from "./organization-client.ts";

const filesNamed = 10;

/** `whence sources`: uploads the code of a release. */
export const sources: Command = {
  name: "sources",
  summary: "upload the source code of a release, or list what is uploaded",
  operands: "upload|list [DIR]",
  choices: ["upload", "list"],
  options: {
    service: { type: "string", value: "NAME", description: "the service, by the name that it reports under" },
    release: { type: "string", value: "NAME", description: "the release, as the service reports it" },
    json: { type: "boolean", description: "print JSON" },
    ...serviceOptions,
  },
  details: `Uploads what the program below DIR (the working directory without it) is made of, so that reports can follow an error
through the code that was running and name what a release changed: code, source maps, settings, data, migrations, and
lists of dependencies. Run it in CI, once per release. Only contents that the service lacks are sent.
WHENCE_API_KEY must be a key with the scope release (or full); list takes the scope read.

Never uploaded: hidden files (.env, .git), data named after credentials, node_modules and other third-party code.
Credentials that are seen in a file are masked.

  whence sources upload --service orders --release 2.0.0

Exit codes: 0 uploaded, 1 failed, 2 wrong usage.`,
  async run(line, surroundings) {
    const [action, ...operands] = line.positionals;
    if (action === "upload" && operands.length <= 1) return upload(line, operands[0] ?? ".", surroundings);
    if (action === "list" && operands.length === 0) return list(line, surroundings);
    throw new UsageError("whence sources takes upload [DIR] or list");
  },
};

async function upload(line: CommandLine, operand: string, surroundings: Surroundings): Promise<number> {
  const { cwd, stdout, stderr, signal } = surroundings;
  const [service, release] = [textOption(line, "service"), textOption(line, "release")];
  if (!service || !release) throw new UsageError("whence sources upload needs --service and --release");
  const folder = resolve(cwd, operand);
  const stats = await stat(folder).catch(() => null);
  if (!stats?.isDirectory()) throw new UsageError(`${operand} isn't a folder`);
  const client = organizationClient(surroundings, { url: textOption(line, "url") });
  const [found, commit] = await Promise.all([releaseFiles(folder), headCommit(folder)]);
  stderr.write(namedFiles("left out", found.leftOut) + namedFiles("masked a credential in", found.masked));
  if (found.entries.length === 0) throw new UsageError(`${operand} has no source code to upload`);
  const sent = await uploadRelease(client, { ...found, folder, service, release, commit }, signal);
  const files = found.entries.length;
  const had = found.pathOf.size - sent;
  const said = {
    service,
    release,
    files,
    sent,
    left_out: Object.fromEntries(found.leftOut),
    masked: Object.fromEntries(found.masked),
  };
  if (hasFlag(line, "json")) stdout.write(`${plainJson(said)}\n`);
  else stdout.write(plainText(`uploaded ${counted(files)} of ${service} ${release}; the service already had ${had}\n`));
  return exitCodes.completed;
}

async function list(line: CommandLine, surroundings: Surroundings): Promise<number> {
  const { stdout, signal } = surroundings;
  const { bundles } = await organizationClient(surroundings, { url: textOption(line, "url") }).sources(signal);
  if (hasFlag(line, "json")) stdout.write(`${plainJson(bundles)}\n`);
  else stdout.write(plainText(bundles.map(row).join("") || "no sources are uploaded\n"));
  return exitCodes.completed;
}

function row({ service, release, origin, files, commit, uploaded_at }: SourceBundle): string {
  const built = commit ? `, commit ${commit.id.slice(0, 7)}` : "";
  return `${service} ${release}: ${counted(files)}${built}, ${origin} ${uploaded_at}\n`;
}

function counted(files: number): string {
  return files === 1 ? "1 file" : `${files} files`;
}

/** Lists files that were treated in some way, each with the reason; empty when there are none. */
function namedFiles(what: string, files: ReadonlyMap<string, string>): string {
  if (files.size === 0) return "";
  const texts = [...files].map(([path, why]) => `  ${path}: ${why}\n`);
  const rest = texts.length - filesNamed;
  const more = rest > 0 ? `  and ${rest} more\n` : "";
  return plainText(`${what} ${counted(texts.length)}:\n${texts.slice(0, filesNamed).join("")}${more}`);
}
