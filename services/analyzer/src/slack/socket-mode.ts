import { setTimeout as delay } from "node:timers/promises";
import type { KnownAlertSource } from "@whence/storage";
import { slackSocketLimits } from "./socket-limits.ts";
import { SocketSession, type SocketSessionContext } from "./socket-session.ts";

export interface SocketMode {
  /** Takes no new events, puts those in hand on the queue, and closes every connection. */
  stop(): Promise<void>;
}

/** What one source's connections end with. */
interface Session {
  readonly ending: AbortController;
  readonly ended: Promise<void>;
}

/**
 * Keeps a connection in Socket Mode for each Slack app that has an app-level token, for networks that Slack can't reach. Each
 * process has its own: Slack sends an event to one of them, and one that comes again is on the queue already.
 */
export function startSocketMode(options: SocketSessionContext): SocketMode {
  const sessions = new Map<string, Session>();
  const stopping = new AbortController();
  const looking = look(options, sessions, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await looking;
      for (const { ending } of sessions.values()) ending.abort();
      await Promise.all([...sessions.values()].map(({ ended }) => ended));
    },
  };
}

async function look(options: SocketSessionContext, sessions: Map<string, Session>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const sources = await options.control.alertSources.ofKind("slack");
      adjust(options, sessions, sources);
    } catch (error) {
      options.logger.warn({ err: error }, "couldn't look for Slack apps in Socket Mode; will retry");
    }
    await delay(slackSocketLimits.lookEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Ends the sessions whose source or token is gone, and starts one for each new token. */
function adjust(
  options: SocketSessionContext,
  sessions: Map<string, Session>,
  sources: readonly KnownAlertSource[],
): void {
  const wanted = new Map(
    sources.flatMap((source) => (source.inputs.app_token ? [[`${source.id} ${source.inputs.app_token}`, source]] : [])),
  );
  for (const [key, { ending }] of sessions) {
    if (wanted.has(key)) continue;
    ending.abort();
    sessions.delete(key);
  }
  for (const [key, source] of wanted) {
    if (sessions.has(key)) continue;
    if (sessions.size >= slackSocketLimits.sourcesMax) {
      options.logger.warn({ source: source.id }, "too many Slack apps in Socket Mode; one isn't connected");
      continue;
    }
    const ending = new AbortController();
    sessions.set(key, { ending, ended: new SocketSession(options, source).run(ending.signal) });
  }
}
