import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";

/**
 * A server for RESP 2, the Redis protocol, with five commands (`SET`, `GET`, `INCR`, `PING`, `HELLO`) and transactions.
 */
export interface RespServer {
  readonly port: number;
  close(): void;
}

const values = new Map<string, string>();

/** Returns Redis's answer to a command. */
function answer([name = "", key = "", value = ""]: readonly string[]): string {
  switch (name.toUpperCase()) {
    case "SET":
      values.set(key, value);
      return "+OK\r\n";
    case "GET": {
      const found = values.get(key);
      return found === undefined ? "$-1\r\n" : `$${Buffer.byteLength(found)}\r\n${found}\r\n`;
    }
    case "INCR":
      return "-ERR value is not an integer or out of range\r\n";
    case "PING":
      return "+PONG\r\n";
    case "HELLO":
      return "-NOPROTO unsupported protocol version\r\n";
    case "INFO":
      return "$23\r\nredis_version:7.4.0\r\n\r\n\r\n";
    default:
      return "+OK\r\n";
  }
}

interface Connection {
  /** Received but not processed. */
  text: string;
  /** Commands of the open transaction. */
  waiting?: string[][] | undefined;
}

/** Returns a connection's answer; commands in a transaction are queued until its end. */
function answerWith(connection: Connection, command: string[]): string {
  const { waiting } = connection;
  switch (command[0]?.toUpperCase()) {
    case "MULTI":
      connection.waiting = [];
      return "+OK\r\n";
    case "EXEC":
      connection.waiting = undefined;
      return `*${waiting?.length}\r\n${waiting?.map(answer).join("")}`;
    default:
      waiting?.push(command);
      return waiting ? "+QUEUED\r\n" : answer(command);
  }
}

/** Removes the complete commands from the received text. */
function takeCommands(received: { text: string }): string[][] {
  const commands: string[][] = [];
  for (;;) {
    const head = /^\*(\d+)\r\n/.exec(received.text);
    if (!head) return commands;
    const parts: string[] = [];
    let place = head[0].length;
    for (let index = 0; index < Number(head[1]); index += 1) {
      const size = /^\$(\d+)\r\n/.exec(received.text.slice(place));
      if (!size) return commands;
      place += size[0].length;
      parts.push(received.text.slice(place, place + Number(size[1])));
      place += Number(size[1]) + 2;
    }
    if (received.text.length < place) return commands;
    received.text = received.text.slice(place);
    commands.push(parts);
  }
}

/** Starts a server on a free port of the loopback interface. */
export async function startRespServer(): Promise<RespServer> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    const received: Connection = { text: "" };
    socket.setEncoding("latin1").on("data", (chunk) => {
      received.text += chunk;
      for (const command of takeCommands(received)) socket.write(answerWith(received, command));
    });
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
