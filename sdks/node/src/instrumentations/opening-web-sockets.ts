import type { OutgoingCall } from "../core/outgoing-call.ts";

const switchingProtocols = 101;

/**
 * WebSockets whose answer has not come, by the local port of their connection: all that Node's undici says of an
 * answered one is the address, and of the request no more.
 */
export class OpeningWebSockets {
  readonly #calls = new Map<number | undefined, OutgoingCall>();

  /** The request is on its way. */
  add(localPort: number | undefined, call: OutgoingCall): void {
    this.#calls.set(localPort, call);
  }

  /** The connection from this port is a WebSocket now. */
  opened(localPort: number | undefined): void {
    this.#calls.get(localPort)?.answered(switchingProtocols);
    this.#calls.delete(localPort);
  }

  /** The call has been answered, or has failed, as any other. */
  remove(call: OutgoingCall | undefined): void {
    for (const [localPort, one] of this.#calls) if (one === call) this.#calls.delete(localPort);
  }
}
