import type { OutboundContext } from "../outbound-context.ts";
import type { SenderInputs } from "./alert-sender.ts";

/** What one source's connection takes. */
export interface ConnectionOptions {
  readonly inputs: SenderInputs;
  readonly outbound: OutboundContext;
  /** Of one delivery. */
  readonly bodyBytesMax: number;
  /** Takes the body of a webhook, which is acknowledged once this resolves; the sender sends it again when it rejects. */
  readonly take: (body: string) => Promise<void>;
  /** Takes why the connection fails, and null once it works again. */
  readonly note: (failure: string | null) => void;
}

/** How a sender delivers to networks that it can't reach: over a connection that is opened to it. */
export interface SenderConnection {
  /** Tells one connection from another by what was entered for the source; null when nothing was entered for one. */
  keyOf(inputs: SenderInputs): string | null;
  /** Keeps it open. Resolves once the signal fired, every delivery in hand was taken, and it is closed. */
  keep(options: ConnectionOptions, signal: AbortSignal): Promise<void>;
}
