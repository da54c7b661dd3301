import { type Collector, type Observation, observeData } from "@whence/engine";
import { connectionTitle, type OutsideFinding } from "@whence/protocol";
import type { IntegrationRepository, IntegrationScope, OwnershipRepository, OwnershipScope } from "@whence/storage";
import {
  type FailureQuestion,
  type Integration,
  type IntegrationRegistry,
  mostTelling,
  type OutboundContext,
  type VendorFinding,
} from "@whence/vendors";
import type { Logger } from "../logger.ts";
import { freshInputs } from "./authorization/fresh-inputs.ts";
import { boundedFindings } from "./finding.ts";
import { integrationLimits } from "./integration-limits.ts";
import { ownCredentials } from "./own-credentials.ts";
import { type AskedAbout, type QuestionOf, questionAbout } from "./question-about.ts";

/** The dependencies for connecting an integration. */
export interface ConnectingContext extends OutboundContext {
  readonly registry: IntegrationRegistry;
}

/** The dependencies for querying a scope's integrations. */
export interface AskingContext extends ConnectingContext {
  readonly logger: Logger;
}

/**
 * Returns a collector for each integration that the scope has connected. They are queried in parallel. Each one's
 * answer, or the reason for its failure, is recorded with its connection.
 */
export async function integrationCollectors(
  { integrations, ownership }: IntegrationScope & OwnershipScope,
  asked: AskedAbout,
  context: AskingContext,
): Promise<readonly Collector[]> {
  const collectors: Collector[] = [];
  const ask = questionAbout(asked);
  if (!ask) return collectors;
  for (const { kind, name } of await integrations.list()) {
    const connections = integrations.named(name);
    const inputs = await connections.credentials(kind);
    const integration = inputs && context.registry.find(kind, inputs);
    if (!integration) continue;
    const title = connectionTitle({ vendor: integration.vendor, name });
    collectors.push(collectorOf(integration, inputs, { ...context, integrations: connections, ownership, ask, title }));
  }
  return collectors;
}

interface Asking extends AskingContext {
  /** The connection's name for people, which its evidence has. */
  readonly title: string;
  readonly integrations: IntegrationRepository;
  readonly ownership: Pick<OwnershipRepository, "members">;
  readonly ask: QuestionOf;
}

function collectorOf(integration: Integration, inputs: Readonly<Record<string, string>>, asking: Asking): Collector {
  const { kind } = integration;
  const { integrations, ask, clock, logger, title } = asking;
  const note = (outcome: { failure: string | null; findings: number }): Promise<void> =>
    integrations.noteOutcome(kind, { ...outcome, now: new Date(clock()) }).catch((error: unknown) => {
      logger.warn({ err: error, kind }, "the outcome of an integration was not noted");
    });
  return {
    name: title,
    deadlineMs: integrationLimits.askedWithinMs,
    async collect(findings, signal, missed) {
      const question = ask(findings);
      if (!question) return [];
      const failures: string[] = [];
      const about = { ...question, missed: (failure: unknown) => failures.push(messageOf(failure)) };
      const isTooSlow = (): Promise<void> => note({ failure: `${title} did not answer in time`, findings: 0 });
      try {
        const fresh = (await freshInputs(integrations, kind, asking, signal)) ?? inputs;
        const said = await askOnce(integration, fresh, { about, context: asking, signal });
        const answer = await withMembers(said, asking.ownership);
        const telling = mostTelling(answer, about).map((finding) => ({ ...finding, vendor: title }));
        const found = boundedFindings(telling, ownCredentials(kind, fresh));
        const [failure = null] = failures;
        if (failure !== null) missed(failure);
        await note({ failure: null, findings: found.length });
        if (failure !== null) await note({ failure, findings: 0 });
        return found.map((finding) => observe(finding, about));
      } catch (error) {
        if (signal.aborted) await isTooSlow();
        else await note({ failure: messageOf(error), findings: 0 });
        throw error;
      }
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

interface Question {
  readonly about: FailureQuestion;
  readonly context: OutboundContext;
  readonly signal: AbortSignal;
}

async function askOnce(
  integration: Integration,
  inputs: Readonly<Record<string, string>>,
  { about, context, signal }: Question,
): Promise<readonly VendorFinding[]> {
  const connection = integration.connect(inputs, context);
  try {
    return await connection.ask(about, signal);
  } finally {
    await connection.close();
  }
}

/** Replaces the address of someone on call by the member who has it: evidence says no more than it is needed for. */
async function withMembers(
  findings: readonly VendorFinding[],
  ownership: Pick<OwnershipRepository, "members">,
): Promise<readonly OutsideFinding[]> {
  const members = findings.some(({ email }) => email !== undefined) ? await ownership.members() : [];
  return findings.map(({ email, ...finding }) => {
    const member = members.find((one) => one.email === email?.toLowerCase());
    return finding.kind === "record" && member ? { ...finding, member_id: member.id } : finding;
  });
}

function observe(finding: OutsideFinding, about: FailureQuestion): Observation {
  const { vendor } = finding;
  const url = webAddress(finding.url);
  const at = finding.kind === "problem" ? finding.since : finding.at;
  return observeData({ kind: "integration", name: vendor, ...(url === null ? {} : { url }) }, finding, {
    observed_at: at ?? about.at,
    fact: { kind: "outside", outside: finding },
  });
}

/** Null for an address that isn't `http` or `https`. */
function webAddress(url: string | null): string | null {
  const parsed = url === null ? null : URL.parse(url);
  return parsed?.protocol === "https:" || parsed?.protocol === "http:" ? parsed.href : null;
}
