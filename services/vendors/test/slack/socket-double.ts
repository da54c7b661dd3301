import { once } from "node:events";
import { type WebSocket, WebSocketServer } from "ws";

/** A double of Slack's end of Socket Mode. https://docs.slack.dev/apis/events-api/using-socket-mode */
export class SocketDouble {
  readonly #server: WebSocketServer;
  /** All that were opened, the oldest first. */
  readonly sockets: WebSocket[] = [];
  /** Ids of the envelopes that were acknowledged. */
  readonly acknowledged: string[] = [];
  /** Addresses that were asked for. */
  readonly paths: string[] = [];
  /** Whether Slack greets a connection. */
  greets = true;

  private constructor(server: WebSocketServer) {
    this.#server = server;
    server.on("connection", (socket, { url = "" }) => {
      this.paths.push(url);
      this.sockets.push(socket);
      socket.on("message", (data) => this.acknowledged.push(JSON.parse(String(data)).envelope_id));
      if (!this.greets) return;
      const debug_info = { host: "applink-1", build_number: 118, approximate_connection_time: 18_060 };
      socket.send(JSON.stringify({ type: "hello", num_connections: 1, debug_info, connection_info: { app_id: "A1" } }));
    });
  }

  static async start(): Promise<SocketDouble> {
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    await once(server, "listening");
    return new SocketDouble(server);
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the double listens on no port");
    return address.port;
  }

  /** Connections that are open. */
  get open(): readonly WebSocket[] {
    return this.sockets.filter(({ readyState, OPEN }) => readyState === OPEN);
  }

  /** Sends an event over the newest connection, as `envelope`. */
  sendEvent(envelope: string, payload: object, more: object = {}): void {
    const type = { type: "events_api", accepts_response_payload: false, retry_attempt: 0, retry_reason: "" };
    this.send({ envelope_id: envelope, ...type, payload, ...more });
  }

  send(message: object | string, socket = this.open.at(-1)): void {
    socket?.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.terminate();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
