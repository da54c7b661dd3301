import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** A mail server on this machine with just enough SMTP to accept a mail (RFC 5321). */
export interface SmtpServer {
  readonly url: string;
  /** Mails as they arrived. */
  readonly taken: readonly string[];
  /** Sets the reply to a recipient from now on; `250 ok` until then. */
  answerRecipient: string;
  close(): Promise<void>;
}

export async function startSmtpServer(): Promise<SmtpServer> {
  const taken: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    serve(socket, () => smtp.answerRecipient, taken);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const smtp: SmtpServer = {
    ...{ url: `smtp://127.0.0.1:${port}`, taken, answerRecipient: "250 ok" },
    async close() {
      server.close();
      await once(server, "close");
    },
  };
  return smtp;
}

function serve(socket: Socket, answerRecipient: () => string, taken: string[]): void {
  let [received, isData] = ["", false];
  const answer = (line: string): void => void socket.write(`${line}\r\n`);
  const command = (line: string): void => {
    const verb = line.slice(0, 4).toUpperCase();
    isData = verb === "DATA";
    if (isData) answer("354 go on");
    else if (verb === "QUIT") socket.end("221 bye\r\n");
    else answer(verb === "RCPT" ? answerRecipient() : "250 ok");
  };
  const take = (): void => {
    const end = isData ? "\r\n.\r\n" : "\r\n";
    const at = received.indexOf(end);
    if (at < 0) return;
    const text = received.slice(0, at);
    received = received.slice(at + end.length);
    if (isData) {
      taken.push(text);
      isData = false;
      answer("250 taken");
    } else command(text);
    take();
  };
  socket.on("data", (chunk: Buffer) => {
    received += chunk.toString();
    take();
  });
  answer("220 here");
}
