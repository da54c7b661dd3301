import { createSocket, type Socket } from "node:dgram";
import dns from "node:dns";
import fs from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { resolveName } from "../../src/runtime/resolve-name.ts";

const serverTimeoutMs = 250;
let server: Socket | undefined;
afterEach(() => {
  server?.close();
  server = undefined;
});

/** Starts a name server that gives this answer, or none; records the names left to `dns.lookup`. */
async function serve(answer?: (question: Buffer) => Buffer): Promise<{ dns: typeof dns; left: string[] }> {
  const socket = createSocket("udp4");
  server = socket;
  socket.on("message", (question, { port, address }) => {
    if (answer) socket.send(answer(question), port, address);
  });
  await new Promise<void>((resolve) => {
    socket.bind(0, "127.0.0.1", resolve);
  });
  const { port } = socket.address();
  const left: string[] = [];
  class Resolver extends dns.Resolver {
    constructor(options: dns.ResolverOptions) {
      super(options);
      this.setServers([`127.0.0.1:${port}`]);
    }
  }
  const lookup = (host: string, _options: object, callback: (error: null, address: string, family: number) => void) => {
    left.push(host);
    callback(null, "192.0.2.9", 4);
  };
  return { dns: { ...dns, Resolver, lookup: lookup as typeof dns.lookup }, left };
}

type Outcome = { readonly code?: string | undefined; readonly address?: unknown };

function resolve(from: typeof dns, host: string, options: dns.LookupOptions = {}, cancels = false): Promise<Outcome> {
  return new Promise((done) => {
    const resolver = resolveName({ dns: from, fs, serverTimeoutMs }, host, options, (error, address) => {
      done(error ? { code: error.code } : { address });
    });
    if (cancels) resolver?.cancel();
  });
}

/** Returns a DNS message (RFC 1035, section 4.1): the question, the response flags, and what follows. */
function reply(question: Buffer, flags: number, answers: readonly Buffer[] = []): Buffer {
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(flags, 2);
  header.writeUInt16BE(answers.length, 6);
  header.writeUInt16BE(0, 10);
  const end = question.indexOf(0, 12) + 5;
  return Buffer.concat([header, question.subarray(12, end), ...answers]);
}

const noSuchName = (question: Buffer): Buffer => reply(question, 0x81_83);
const isAt = (address: readonly number[]) => (question: Buffer) =>
  reply(question, 0x81_80, [Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address])]);

describe("a name", () => {
  it("is what the name servers return, without a thread that the process would wait for", async () => {
    const { dns: from, left } = await serve(isAt([192, 0, 2, 1]));
    expect(await resolve(from, "whence.example.com")).toEqual({ address: "192.0.2.1" });
    expect(await resolve(from, "whence.example.com", { all: true })).toEqual({
      address: [{ address: "192.0.2.1", family: 4 }],
    });
    expect(left).toEqual([]);
  });

  it("is canceled while name servers don't answer", async () => {
    const { dns: from, left } = await serve();
    expect((await resolve(from, "whence.example.com")).code).toBe("ETIMEOUT");
    expect((await resolve(from, "whence.example.com", {}, true)).code).toBe("ECANCELLED");
    expect(left).toEqual([]);
  });

  it("is canceled where no name server can be reached, however soon that is known", async () => {
    const { dns: from, left } = await serve();
    class Resolver extends dns.Resolver {
      constructor() {
        super();
        this.resolve4 = ((_host: string, done: (error: Error) => void) =>
          done(Object.assign(new Error("unreachable"), { code: "ETIMEOUT" }))) as typeof this.resolve4;
      }
    }
    expect((await resolve({ ...from, Resolver }, "whence.example.com")).code).toBe("ETIMEOUT");
    expect(left).toEqual([]);
  });

  it("is left to the system when name servers don't know it, or aren't needed", async () => {
    const { dns: from, left } = await serve(noSuchName);
    expect(await resolve(from, "whence")).toEqual({ address: "192.0.2.9" });
    await resolve(from, "localhost");
    await resolve(from, "whence.localhost");
    expect(left).toEqual(["whence", "localhost", "whence.localhost"]);
  });
});
