import type { OutgoingCall } from "../core/outgoing-call.ts";

const switchingProtocols = 101;

/**
 * WebSockets that haven't opened yet, by the local port of their connection: Node's undici identifies an opened one
 * only by its address.
 */
export class OpeningWebSockets {
  readonly #calls = new Map<number | undefined, OutgoingCall>();

  /** Called when the request is sent. */
  add(localPort: number | undefined, call: OutgoingCall): void {
    this.#calls.set(localPort, call);
  }

  /** Called when the connection from this port has become a WebSocket. */
  opened(localPort: number | undefined): void {
    this.#calls.get(localPort)?.answered(switchingProtocols);
    this.#calls.delete(localPort);
  }

  /** Called when the call was answered, or failed, like any other. */
  remove(call: OutgoingCall | undefined): void {
    for (const [localPort, one] of this.#calls) if (one === call) this.#calls.delete(localPort);
  }
}
