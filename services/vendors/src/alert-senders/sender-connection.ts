import type { OutboundContext } from "../outbound-context.ts";
import type { SenderInputs } from "./sender-inputs.ts";

/** The options of one source's connection. */
export interface ConnectionOptions {
  readonly inputs: SenderInputs;
  readonly outbound: OutboundContext;
  /** Of one delivery. */
  readonly bodyBytesMax: number;
  /**
   * Takes the body of a webhook, which is acknowledged once this resolves; if it rejects, the sender sends it again.
   */
  readonly take: (body: string) => Promise<void>;
  /** Records why the connection failed, or null once it works again. */
  readonly note: (failure: string | null) => void;
}

/** A connection opened to a sender, through which it delivers to networks that it can't reach. */
export interface SenderConnection {
  /**
   * Returns a key that identifies a connection by the source's inputs; null when they contain none for a connection.
   */
  keyOf(inputs: SenderInputs): string | null;
  /** Keeps it open. Resolves once the signal fired, every received delivery was taken, and it is closed. */
  keep(options: ConnectionOptions, signal: AbortSignal): Promise<void>;
}
