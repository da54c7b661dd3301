import {
  type Actor,
  conversationPage,
  type Incident,
  type Patch,
  type PullRequest,
  type Report,
  secondMs,
  WhenceError,
} from "@whence/protocol";
import type { IncidentScope, IntegrationScope, ReleaseScope, Scoped } from "@whence/storage";
import {
  codeHosts,
  type HostedPullRequest,
  type OutboundContext,
  type PullRequests,
  VendorFailure,
} from "@whence/vendors";
import { type ConnectedRepository, connectedRepository } from "../code-hosts/connected-repository.ts";
import { failureText } from "../code-hosts/noted-failure.ts";
import { analyzerErrors } from "../errors.ts";
import { namedRelease } from "../sources/named-release.ts";
import { type PatchedFile, patchedFiles, wholeText } from "./patched-files.ts";
import { pullRequestText } from "./pull-request-text.ts";

/** A person waits for it. */
const openedWithinMs = 30 * secondMs;

interface Context {
  readonly control: Scoped<IncidentScope & IntegrationScope & ReleaseScope>;
  readonly integrations: OutboundContext;
  readonly clock: () => number;
}

/** The member who opens it, and the scope of the incident. */
interface Caller {
  readonly scopeId: string;
  readonly actor: Actor;
}

/**
 * Opens the patch of an incident's report as a draft pull request at the connected code host with the code, and records
 * it with the incident. Does nothing for an incident that has one. Throws why it wasn't opened.
 */
export async function openPullRequest(context: Context, caller: Caller, incident: Incident): Promise<void> {
  const { report, id, pull_request: opened } = incident;
  if (opened) return;
  if (!report?.patch) throw analyzerErrors.create("WHENCE_ERR_PATCH_MISSING", [id]);
  const { service, release } = ownerOf(report.patch, incident, report);
  const proposal = { incident, report, patch: report.patch, service, release };
  // Aborting it closes the host.
  const ended = new AbortController();
  const signal = AbortSignal.any([AbortSignal.timeout(openedWithinMs), ended.signal]);
  try {
    const pullRequest = await proposeAnywhere(context, caller, proposal, signal);
    const { incidents } = context.control.scope(caller.scopeId);
    await incidents.recordPullRequest(id, { pullRequest, by: caller.actor, now: new Date(context.clock()) });
  } finally {
    ended.abort();
  }
}

interface Proposal {
  readonly incident: Incident;
  readonly report: Report;
  readonly patch: Patch;
  readonly service: string | null;
  readonly release: string | null;
}

/** Returns the service whose code a patch changes, and its release, by the link of the chain at that code. */
function ownerOf({ files }: Patch, { service }: Incident, { chain }: Report) {
  const link = chain.find(({ location }) => files.some(({ file }) => file === location?.file));
  return { service: link?.service ?? service, release: link?.release ?? null };
}

/** Proposes the change at the first code host that has the service's repository, or else the issue's. */
async function proposeAnywhere(
  context: Context,
  caller: Caller,
  proposal: Proposal,
  signal: AbortSignal,
): Promise<PullRequest> {
  const { integrations } = context.control.scope(caller.scopeId);
  const { service, incident } = proposal;
  const page = conversationPage(incident.trigger);
  for (const codeHost of codeHosts) {
    try {
      const at = await connectedRepository(integrations, { codeHost, service, page }, context.integrations, signal);
      if (at) return await proposeAt(context, caller, at, proposal, signal);
    } catch (error) {
      throw refusalOf(error, codeHost.vendor);
    }
  }
  throw analyzerErrors.create("WHENCE_ERR_CODE_HOST_NOT_CONNECTED", [service ?? "this incident"]);
}

async function proposeAt(
  context: Context,
  caller: Caller,
  at: ConnectedRepository,
  { incident, report, patch, service, release }: Proposal,
  signal: AbortSignal,
): Promise<PullRequest> {
  const { host, repository } = at;
  const { control, clock } = context;
  const requests = at.openPullRequests();
  const branch = `whence/incident-${incident.id.replace(/^inc_/, "")}`;
  const recorded = ({ number, url }: HostedPullRequest): PullRequest => {
    const opened_at = new Date(clock()).toISOString();
    return { vendor: host.vendor, repository, number, url, branch, opened_at };
  };
  const there = await requests.find(branch, signal);
  if (there) return recorded(there);
  const base = await requests.defaultBranch(signal);
  const named =
    service === null || release === null ? null : await namedRelease(control, { ...caller, service }, release);
  const files = await patchedFiles({ host, repository, branch: base, release: named }, patch, signal);
  const {
    title,
    body,
    commitMessage: message,
  } = pullRequestText({
    incident,
    report,
    patch,
    files,
    base: base.name,
    by: caller.actor.name,
  });
  try {
    if (!(await hasCommit({ ...at, requests }, branch, files, signal)))
      await requests.commit({ branch, parent: base.commitId, message, files }, signal);
    return recorded(await requests.open({ branch, base: base.name, title, body }, signal));
  } catch (error) {
    // Another member may have opened it meanwhile, or the answer was lost.
    const found = error instanceof VendorFailure ? await requests.find(branch, signal).catch(() => null) : null;
    if (!found) throw error;
    return recorded(found);
  }
}

/**
 * Whether the branch has the change, from an attempt that didn't get further; false when there is no such branch. Throws
 * for a branch with other text.
 */
async function hasCommit(
  { host, repository, requests }: ConnectedRepository & { readonly requests: PullRequests },
  name: string,
  files: readonly PatchedFile[],
  signal: AbortSignal,
): Promise<boolean> {
  const branch = await requests.branch(name, signal);
  if (!branch) return false;
  for (const { path, text } of files) {
    const commit = { name, id: branch.commitId };
    const content = await host.read({ repository, commit, path }, Buffer.byteLength(text), signal);
    if (content.outcome !== "read" || wholeText(content) !== text)
      throw analyzerErrors.create("WHENCE_ERR_BRANCH_TAKEN", [repository, name]);
  }
  return true;
}

/** Returns the error of the API for a code host's failure, and any other error as it is. */
function refusalOf(error: unknown, vendor: string): unknown {
  if (error instanceof WhenceError) return error;
  const why = failureText(error, vendor);
  if (why === null) return error;
  const isRefusal = error instanceof VendorFailure && refusals.includes(error.reason);
  return analyzerErrors.create(isRefusal ? "WHENCE_ERR_PULL_REQUEST_REFUSED" : "WHENCE_ERR_CODE_HOST_FAILED", [why]);
}

const refusals: readonly VendorFailure["reason"][] = ["unauthorized", "forbidden", "not-found"];
