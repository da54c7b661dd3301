"use strict";
// A port that accepts no more connections: its queue is full and never drained.
const { createServer, connect } = require("node:net");

const server = createServer();
server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
  const { port } = server.address();
  for (let count = 0; count < 4; count++) connect(port, "127.0.0.1").on("error", () => undefined);
  setImmediate(() => {
    require("node:fs").writeSync(1, `${port}\n`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
});
