import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { HttpSender } from "../../src/delivery/http.ts";
import * as sdkLimits from "../../src/sdk-limits.ts";
import { closeServer, listen } from "../gateway.ts";
import { eventually } from "../polling.ts";
import { stopClock } from "../stopped-clock.ts";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function senderTo(server: Server): Promise<HttpSender> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const sender = new HttpSender(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, "whk_test");
  stops.push(() => {
    sender.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return sender;
}

/** Starts a server that answers with arbitrary bytes once a request has begun. */
function speaking(answer: (socket: Socket) => void): Promise<HttpSender> {
  return senderTo(
    createTcpServer((socket) => {
      socket.on("error", () => undefined).once("data", () => answer(socket));
    }),
  );
}

function answering(listener: RequestListener): Promise<HttpSender> {
  return senderTo(createServer(listener));
}

const head = "HTTP/1.1 202 Accepted\r\ncontent-type: application/json\r\n";

describe("a sender reports a missing answer", () => {
  it.each<[string, (socket: Socket) => void]>([
    ["of something that is not HTTP", (socket) => socket.end("220 mail.example ESMTP\r\n")],
    ["when the connection is cut at once", (socket) => socket.destroy()],
    ["when it is reset", (socket) => socket.resetAndDestroy()],
    ["when the head breaks off", (socket) => socket.end(head)],
    ["when the body breaks off", (socket) => socket.end(`${head}content-length: 100\r\n\r\n{"accep`)],
    ["when a chunk breaks off", (socket) => socket.end(`${head}transfer-encoding: chunked\r\n\r\n5\r\n{"a`)],
    [
      "when the protocol is to be switched",
      (socket) => socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"),
    ],
    ["of a head that never ends", (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(200_000)}`)],
  ])("%s", async (_what, answer) => {
    const sender = await speaking(answer);
    await expect(sender.post(Buffer.from("{}"))).rejects.toThrow();
  });

  it("when there is no response within the timeout", async () => {
    let isReached = false;
    const sender = await answering(() => {
      isReached = true;
    });
    stops.unshift(stopClock("setTimeout"));
    const failure = expect(sender.post(Buffer.from("{}"))).rejects.toThrow(
      `no answer within ${sdkLimits.requestTimeoutMs} ms`,
    );
    await eventually(() => isReached);
    vi.advanceTimersByTime(sdkLimits.requestTimeoutMs);
    await failure;
  });

  it("when a response trickles endlessly", async () => {
    let dripped = 0;
    const sender = await answering((_request, response) => {
      response.writeHead(202);
      const drip = setInterval(() => {
        dripped += 1;
        response.write(" ");
      }, 1);
      stops.push(() => clearInterval(drip));
    });
    stops.unshift(stopClock("setTimeout"));
    const failure = expect(sender.post(Buffer.from("{}"))).rejects.toThrow();
    await eventually(() => dripped > 10);
    vi.advanceTimersByTime(sdkLimits.requestTimeoutMs);
    await failure;
  });
});

describe("a sender", () => {
  it("reads an endless response only up to its limit", async () => {
    const sender = await answering((_request, response) => {
      let isOver = false;
      response.on("close", () => {
        isOver = true;
      });
      const pour = (): void => {
        if (isOver) return;
        response.write("x".repeat(65_536));
        setImmediate(pour);
      };
      response.writeHead(500);
      pour();
    });
    const { status, body } = await sender.post(Buffer.from("{}"));
    expect(status).toBe(500);
    expect(body.length).toBeLessThanOrEqual(sdkLimits.answerBytesMax);
  });

  it("keeps its connection, and retries once when the server has just closed it", async () => {
    let requests = 0;
    const connections = new Set<Socket>();
    const server = createServer((request, response) => {
      requests += 1;
      connections.add(request.socket);
      // The third request on a connection finds it closed, as at the end of a server's keep-alive timeout.
      if (requests === 3) request.socket.resetAndDestroy();
      else request.resume().on("end", () => response.writeHead(202).end("{}"));
    });
    const sender = await senderTo(server);
    const statuses: number[] = [];
    for (let turn = 0; turn < 3; turn++) statuses.push((await sender.post(Buffer.from("{}"))).status);
    expect([statuses, requests, connections.size]).toEqual([[202, 202, 202], 4, 2]);
  });

  it("reaches a server whose name also resolves to an unreachable address", async () => {
    const server = createServer((_request, response) => response.writeHead(202).end("{}"));
    const port = await listen(server);
    stops.push(() => closeServer(server));
    const sender = new HttpSender(`http://localhost:${port}`, "whk_test");
    stops.push(() => sender.close());
    expect((await sender.post(Buffer.from("{}"))).status).toBe(202);
  });
});
