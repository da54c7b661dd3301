import type {
  AgentStatus,
  AnalyzeRequest,
  AnalyzeResponse,
  FeedbackAnswer,
  FeedbackRequest,
  Incident,
  IncidentPage,
  LifecycleChange,
  OwnerChange,
} from "@whence/protocol";
import { type IncidentQuery, WhenceClient } from "./client.ts";
import { clientLimits } from "./client-limits.ts";
import type { AgentEntry, FormerAgent } from "./credentials.ts";
import { credentialsFile } from "./credentials-file.ts";
import { ServiceRefusal } from "./errors.ts";
import { withFolderLock } from "./folder-lock.ts";
import type { FollowMessage } from "./follow.ts";
import { defaultServiceUrl, serviceAddress } from "./service-address.ts";

export interface AgentOptions {
  /** @default "http://127.0.0.1:4000" */
  readonly url?: string | undefined;
  /** An existing key, used without registering or storing anything. */
  readonly apiKey?: string | undefined;
  /** Names the agent's framework when it registers: 1 to 50 characters. */
  readonly source: string;
  /** The folder of the credentials: `.whence` in the user's home. */
  readonly folder: string;
  /** Called when this process has registered a new agent. */
  readonly onRegistered?: ((entry: AgentEntry) => void) | undefined;
}

/** Refusals that mean a key will never work again, by error code. */
const deadKeyCodes: Readonly<Record<string, string>> = {
  WHENCE_ERR_KEY_REVOKED: "revoked",
  WHENCE_ERR_KEY_EXPIRED: "expired",
};

/**
 * An agent at one service. It registers when it has no key, keeps its key in a file that only its user can read, and
 * registers again, once, when the key was revoked or has expired.
 */
export class Agent {
  readonly url: string;
  readonly #options: AgentOptions;

  constructor(options: AgentOptions) {
    this.url = serviceAddress(options.url ?? defaultServiceUrl);
    this.#options = options;
  }

  /** Whether it uses an existing key. */
  get hasGivenKey(): boolean {
    return this.#options.apiKey !== undefined;
  }

  /** Starts an analysis; resolves as soon as it is queued. */
  analyze(request: AnalyzeRequest, signal?: AbortSignal): Promise<AnalyzeResponse> {
    return this.#call((client) => client.analyze(request, signal), signal);
  }

  /** The state of the agent and its remaining time. */
  status(signal?: AbortSignal): Promise<AgentStatus> {
    return this.#call((client) => client.status(signal), signal);
  }

  incident(id: string, signal?: AbortSignal): Promise<Incident> {
    return this.#call((client) => client.incident(id, signal), signal);
  }

  /** Lists the incidents that the key may read, newest first. */
  incidents(query?: IncidentQuery, signal?: AbortSignal): Promise<IncidentPage> {
    return this.#call((client) => client.incidents(query, signal), signal);
  }

  /** Reports whether an incident's report was right; resolves with all feedback on it. */
  feedback(id: string, opinion: FeedbackRequest, signal?: AbortSignal): Promise<FeedbackAnswer> {
    return this.#call((client) => client.feedback(id, opinion, signal), signal);
  }

  /** Resolves, mutes, ignores, or reopens an incident; resolves with the incident. */
  changeLifecycle(id: string, change: LifecycleChange, signal?: AbortSignal): Promise<Incident> {
    return this.#call((client) => client.changeLifecycle(id, change, signal), signal);
  }

  /** Takes an incident, hands it over, lets it go, or acknowledges it; resolves with the incident. */
  changeOwner(id: string, change: OwnerChange, signal?: AbortSignal): Promise<Incident> {
    return this.#call((client) => client.changeOwner(id, change, signal), signal);
  }

  /** Comments on an incident; resolves with the incident. */
  comment(id: string, text: string, signal?: AbortSignal): Promise<Incident> {
    return this.#call((client) => client.comment(id, text, signal), signal);
  }

  /** Yields the steps of an investigation, then the finished incident. The key must be the one that started it. */
  async *follow(id: string, signal?: AbortSignal): AsyncGenerator<FollowMessage, void> {
    const apiKey = this.#options.apiKey ?? (await this.entry())?.api_key;
    yield* new WhenceClient({ url: this.url, apiKey }).follow(id, signal);
  }

  /** Returns what is stored about the agent; null when it never registered, or uses an existing key. */
  async entry(): Promise<AgentEntry | null> {
    if (this.hasGivenKey) return null;
    const { services } = await credentialsFile(this.#options.folder).read();
    return services[this.url] ?? null;
  }

  /**
   * Returns the stored agent, registering it first if there is none. Processes that start at the same time get the same
   * agent.
   */
  async ensure(signal?: AbortSignal): Promise<AgentEntry> {
    return (await this.entry()) ?? this.#register(null, signal);
  }

  /** Registers again to replace `former`, whose key no longer works, unless another process has just done so. */
  replace(former: AgentEntry, reason: string, signal?: AbortSignal): Promise<AgentEntry> {
    return this.#register({ entry: former, reason }, signal);
  }

  async #call<Result>(ask: (client: WhenceClient) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const { apiKey } = this.#options;
    if (apiKey !== undefined) return ask(new WhenceClient({ url: this.url, apiKey }));
    const entry = await this.ensure(signal);
    try {
      return await ask(new WhenceClient({ url: this.url, apiKey: entry.api_key }));
    } catch (error) {
      const reason = deathOf(entry, error);
      if (reason === null) throw error;
      const { api_key: newKey } = await this.replace(entry, reason, signal);
      return ask(new WhenceClient({ url: this.url, apiKey: newKey }));
    }
  }

  async #register(
    dead: { readonly entry: AgentEntry; readonly reason: string } | null,
    signal?: AbortSignal,
  ): Promise<AgentEntry> {
    const { folder, source, onRegistered } = this.#options;
    const file = credentialsFile(folder);
    await file.makeFolder();
    const register = async (): Promise<{ entry: AgentEntry; isNew: boolean }> => {
      const credentials = await file.read();
      const stored = credentials.services[this.url];
      if (stored && stored.agent_id !== dead?.entry.agent_id) return { entry: stored, isNew: false };
      const now = new Date().toISOString();
      const answer = await new WhenceClient({ url: this.url }).register(source, signal);
      const history = dead ? [former(dead.entry, now, dead.reason), ...dead.entry.history] : [];
      const kept = history.slice(0, clientLimits.historyMax);
      const entry: AgentEntry = { ...answer, source, registered_at: now, history: kept };
      await file.write({ version: 1, services: { ...credentials.services, [this.url]: entry } });
      return { entry, isNew: true };
    };
    const { entry, isNew } = await withFolderLock(folder, register, signal);
    if (isNew) onRegistered?.(entry);
    return entry;
  }
}

/** Returns why the entry's key no longer works; null when the error has another cause. */
export function deathOf(entry: AgentEntry, error: unknown): string | null {
  if (!(error instanceof ServiceRefusal)) return null;
  const said = deadKeyCodes[error.code];
  if (said !== undefined) return said;
  // The service deletes an expired agent a day later; its key is unknown then.
  const hasExpired = Date.now() >= Date.parse(entry.expires_at);
  return error.code === "WHENCE_ERR_KEY_UNKNOWN" && hasExpired ? "expired" : null;
}

function former({ agent_id, source, registered_at }: AgentEntry, endedAt: string, reason: string): FormerAgent {
  return { agent_id, source, registered_at, ended_at: endedAt, reason };
}
