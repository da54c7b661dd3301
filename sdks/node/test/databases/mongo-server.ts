import { type AddressInfo, createServer, type Socket } from "node:net";
import { BSON } from "mongodb";

/** A server for MongoDB's wire protocol: `find` returns one document, `insert` fails. */
export interface MongoServer {
  readonly port: number;
  close(): void;
}

const headerBytes = 16;
const opMsg = 2_013;
const opReply = 1;
const opQuery = 2_004;

function answer(command: BSON.Document): BSON.Document {
  if (command.find !== undefined)
    return { ok: 1, cursor: { id: BSON.Long.ZERO, ns: `shop.${command.find}`, firstBatch: [{ name: "bob" }] } };
  if (command.insert !== undefined) return { ok: 0, code: 11_000, codeName: "DuplicateKey", errmsg: "duplicate key" };
  return {
    ok: 1,
    isWritablePrimary: true,
    helloOk: true,
    minWireVersion: 0,
    maxWireVersion: 21,
    maxBsonObjectSize: 16_777_216,
  };
}

/** Returns the reply to a message, in the format of the request. */
function replyTo(message: Buffer): Buffer {
  const [id, code] = [message.readInt32LE(4), message.readInt32LE(12)];
  const isQuery = code === opQuery;
  // The header is followed by flags, the collection's name, and two numbers, or by flags and the section kind.
  const start = isQuery ? message.indexOf(0, headerBytes + 4) + 9 : headerBytes + 5;
  const command = BSON.deserialize(message.subarray(start, start + message.readInt32LE(start)));
  const head = Buffer.alloc(headerBytes + (isQuery ? 20 : 5));
  if (isQuery) head.writeInt32LE(1, headerBytes + 16);
  const body = BSON.serialize(answer(command));
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(id, 8);
  head.writeInt32LE(isQuery ? opReply : opMsg, 12);
  return Buffer.concat([head, body]);
}

/** Starts a server on a free port of the loopback interface. */
export async function startMongoServer(): Promise<MongoServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let received = Buffer.alloc(0);
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= headerBytes && received.length >= received.readInt32LE(0)) {
        const size = received.readInt32LE(0);
        socket.write(replyTo(received.subarray(0, size)));
        received = received.subarray(size);
      }
    });
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
