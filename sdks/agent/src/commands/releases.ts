import { commitIdSchema, type ReportedRelease, releaseReportSchema } from "@whence/protocol";
import { headCommit } from "../sources/head-commit.ts";
import { plainJson, plainText } from "../terminal/plain-text.ts";
import {
  type Command,
  type CommandLine,
  exitCodes,
  hasFlag,
  type Surroundings,
  textOption,
  UsageError,
} from "./command.ts";
import { organizationClient } from "./organization-client.ts";

const defaultEnv = "PROD";
const shortIdLength = 7;

/** `whence releases`: reports that a release went live. */
export const releases: Command = {
  name: "releases",
  summary: "report that a release went live, or list what was reported",
  operands: "new|list",
  choices: ["new", "list"],
  options: {
    service: { type: "string", value: "NAME", description: "the service, by the name that it reports under" },
    release: { type: "string", value: "NAME", description: "the release, as the service reports it" },
    commit: {
      type: "string",
      value: "SHA",
      description: "the commit it was built from (the checkout's, if there is one)",
    },
    env: { type: "string", value: "NAME", description: `the environment, as the service reports it (${defaultEnv})` },
    url: { type: "string", value: "URL", description: "a page about the release: its pipeline, or its notes" },
    json: { type: "boolean", description: "print JSON" },
  },
  details: `Reports that a release is live from now on. Run it in CI, right after the deploy. Reports on failures then compare their
time with it, even before a process of the release has sent anything, and find the release's code by its commit.
Reporting a release again keeps its time, unless another one was reported or started since: then it went live again. WHENCE_URL is the service, and WHENCE_API_KEY must be a key with the scope
release (or full); list takes the scope read.

  whence releases new --service orders --release 2.0.0

Exit codes: 0 reported, 1 failed, 2 wrong usage.`,
  async run(line, surroundings) {
    const { positionals, values } = line;
    if (positionals.length === 1 && positionals[0] === "new") return report(line, surroundings);
    const isPlain = Object.keys(values).every((option) => option === "json");
    if (positionals.length === 1 && positionals[0] === "list" && isPlain) return list(line, surroundings);
    throw new UsageError("whence releases takes new, with --service and --release, or list");
  },
};

async function report(line: CommandLine, surroundings: Surroundings): Promise<number> {
  const { cwd, stdout, signal } = surroundings;
  const [service, release] = [textOption(line, "service"), textOption(line, "release")];
  if (!service || !release) throw new UsageError("whence releases new needs --service and --release");
  const env = textOption(line, "env") ?? defaultEnv;
  const [named, url] = [commitOption(line), urlOption(line)];
  const client = organizationClient(surroundings);
  const commit = named ?? (await headCommit(cwd))?.id ?? null;
  const reported = await client.reportRelease({ service, release, env, commit, url }, signal);
  stdout.write(hasFlag(line, "json") ? `${plainJson(reported)}\n` : plainText(`reported ${row(reported)}`));
  return exitCodes.completed;
}

async function list(line: CommandLine, surroundings: Surroundings): Promise<number> {
  const { stdout, signal } = surroundings;
  const { releases: reported } = await organizationClient(surroundings).releases(signal);
  if (hasFlag(line, "json")) stdout.write(`${plainJson(reported)}\n`);
  else stdout.write(plainText(reported.map(row).join("") || "no releases were reported\n"));
  return exitCodes.completed;
}

/** Returns the commit; null without the option. */
function commitOption(line: CommandLine): string | null {
  const text = textOption(line, "commit");
  if (text === undefined) return null;
  const parsed = commitIdSchema.safeParse(text.toLowerCase());
  if (!parsed.success) throw new UsageError(`--commit takes the id of a commit, but got "${text.slice(0, 60)}"`);
  return parsed.data;
}

/** Returns the URL; null without the option. */
function urlOption(line: CommandLine): string | null {
  const text = textOption(line, "url");
  if (text === undefined) return null;
  const parsed = releaseReportSchema.shape.url.safeParse(text);
  if (!parsed.success || parsed.data === null) {
    throw new UsageError(`--url takes the URL of a page about the release, but got "${text.slice(0, 60)}"`);
  }
  return parsed.data;
}

function row({ service, release, env, commit, url, live_at }: ReportedRelease): string {
  const built = commit === null ? "" : `, commit ${commit.slice(0, shortIdLength)}`;
  const page = url === null ? "" : `, ${url}`;
  return `${service} ${release}: live in ${env} since ${live_at}${built}${page}\n`;
}
