import type { IntegrationRepository } from "@whence/storage";
import {
  type CodeHost,
  type CodeHostVendor,
  type OutboundContext,
  type PullRequests,
  repositoryOf,
} from "@whence/vendors";
import { freshInputs } from "../integrations/authorization/fresh-inputs.ts";

/** A repository at a connected code host. */
export interface ConnectedRepository {
  readonly host: CodeHost;
  readonly repository: string;
  /** Opens it to propose a change, until the signal is aborted. */
  openPullRequests(): PullRequests;
}

/** A connected code host, with the inputs of its connection. */
interface ConnectedHost {
  readonly host: CodeHost;
  readonly inputs: Readonly<Record<string, string>>;
}

/**
 * Opens a code host within the time of a signal; null when it isn't connected. It is closed, which ends pending
 * requests, once `openUntil` is aborted.
 */
export async function connectedHost(
  integrations: IntegrationRepository,
  codeHost: CodeHostVendor,
  context: OutboundContext,
  signal: AbortSignal,
  openUntil: AbortSignal = signal,
): Promise<ConnectedHost | null> {
  const inputs = await freshInputs(integrations, codeHost.kind, context, signal);
  if (!inputs) return null;
  const host = codeHost.open(inputs, context);
  openUntil.addEventListener("abort", () => void host.close(), { once: true });
  return { host, inputs };
}

/** The repository to find. */
interface SoughtRepository {
  readonly codeHost: CodeHostVendor;
  /** Null when the service isn't known. */
  readonly service: string | null;
  /** The page of an issue whose repository is taken where none has the service's code. */
  readonly page?: string | null;
}

/**
 * Returns the repository with a service's code at a connected code host, or else that of the issue; null without one.
 * Its host is closed as {@link connectedHost} says.
 */
export async function connectedRepository(
  integrations: IntegrationRepository,
  { codeHost, service, page = null }: SoughtRepository,
  context: OutboundContext,
  signal: AbortSignal,
  openUntil: AbortSignal = signal,
): Promise<ConnectedRepository | null> {
  const connected = await connectedHost(integrations, codeHost, context, signal, openUntil);
  if (!connected) return null;
  const { host, inputs } = connected;
  const ofService = service === null ? null : await repositoryOf(host, inputs, service, signal);
  const repository = ofService ?? (page === null ? null : codeHost.repositoryOfIssue(page, context));
  if (repository === null) return null;
  const openPullRequests = (): PullRequests => {
    const requests = codeHost.openPullRequests(inputs, repository, context);
    signal.addEventListener("abort", () => void requests.close(), { once: true });
    return requests;
  };
  return { host, repository, openPullRequests };
}

/** Reads from the repository with a service's code and closes its host; null without one. */
export async function readRepository<Read>(
  integrations: IntegrationRepository,
  sought: SoughtRepository,
  context: OutboundContext,
  stopped: AbortSignal,
  read: (connected: ConnectedRepository, signal: AbortSignal) => Promise<Read | null>,
): Promise<Read | null> {
  // Aborting it closes the host.
  const ended = new AbortController();
  const signal = AbortSignal.any([stopped, ended.signal]);
  try {
    const connected = await connectedRepository(integrations, sought, context, signal);
    return connected && (await read(connected, signal));
  } finally {
    ended.abort();
  }
}
