"use strict";
// Programs that exit, run out of work, or get a signal, and what they change in their process.
const { spawn } = require("node:child_process");
const { readdirSync, statSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { failure, later, printStack, tellListeners } = require("./steps.cjs");

/** Calls back once the client has written an event to disk; at once in a program without the client. */
const onceOnDisk = (run) => {
  const isWatched = process.execArgv.includes("--conditions=watched");
  const files = readdirSync(tmpdir(), { recursive: true }).filter((name) => name.endsWith(".spool"));
  if (!isWatched || files.some((name) => statSync(join(tmpdir(), name)).size > 0)) run();
  else setTimeout(onceOnDisk, 10, run);
};

module.exports = {
  "exits with 3": (client) => {
    client.captureException(failure());
    process.exit(3);
  },
  "exits with 3 again in an exit listener": (client) => {
    process.on("exit", (code) => {
      console.log("leaving with", code);
      process.exit(3);
    });
    client.captureException(failure());
    process.exit(2);
  },
  "runs out of work": (client) => {
    client.captureException(failure());
    console.log("the loop runs empty");
  },
  "runs out of work, untouched": () => {
    console.log("nothing happened");
  },
  "takes up work again in beforeExit": (client) => {
    let rounds = 0;
    process.on("beforeExit", () => {
      rounds += 1;
      if (rounds < 3) later(() => console.log("round", rounds));
    });
    client.captureException(failure());
  },
  "prints and sets 4 in an exit listener": (client) => {
    process.on("exit", (code) => {
      console.log("leaving with", code);
      printStack("exit listener");
      process.exitCode = 4;
    });
    client.captureException(failure());
  },
  aborts: (client) => {
    client.captureException(failure());
    require("node:v8").setFlagsFromString("--no-abort-on-uncaught-exception");
    process.abort();
  },
  "is ended by SIGTERM": (client) => {
    client.captureException(failure());
    later(() => process.kill(process.pid, "SIGTERM"));
    setTimeout(() => console.log("not ended"), 5_000);
  },
  "is ended by SIGTERM when its error is on disk": (client) => {
    client.captureException(failure());
    onceOnDisk(() => {
      for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) console.log(signal, process.listenerCount(signal));
      process.kill(process.pid, "SIGTERM");
    });
  },
  "is ended by SIGTERM in a loop": (client) => {
    client.captureException(failure());
    spawn("sh", ["-c", `sleep 0.2; kill ${process.pid}`]);
    for (const until = Date.now() + 5_000; Date.now() < until; );
    console.log("not ended");
  },
  "is ended by SIGINT": (client) => {
    client.captureException(failure());
    later(() => process.kill(process.pid, "SIGINT"));
    setTimeout(() => console.log("not ended"), 5_000);
  },
  "is ended by SIGKILL": (client) => {
    client.captureException(failure());
    later(() => process.kill(process.pid, "SIGKILL"));
    setTimeout(() => console.log("not ended"), 5_000);
  },
  "handles SIGTERM and exits with 0": (client) => {
    process.on("SIGTERM", (signal) => {
      console.log("asked to stop by", signal);
      process.exit();
    });
    client.captureException(failure());
    later(() => process.kill(process.pid, "SIGTERM"));
    setTimeout(() => console.log("not ended"), 5_000);
  },
  "handles SIGINT and runs out of work": (client) => {
    const busy = setTimeout(() => console.log("not ended"), 5_000);
    process.on("SIGINT", (signal) => {
      console.log("asked to stop by", signal);
      clearTimeout(busy);
    });
    client.captureException(failure());
    later(() => process.kill(process.pid, "SIGINT"));
  },
  "lists its listeners": {
    listen: () => {
      process.on("unhandledRejection", () => undefined);
      process.on("newListener", (name) => name === "uncaughtExceptionMonitor" || console.log("added", name));
      process.on("removeListener", (name) => console.log("removed", name));
    },
    run: () => {
      tellListeners();
      process.removeAllListeners("unhandledRejection");
      tellListeners();
      console.log(process.emit("unhandledRejection"), process.emit === require("node:events").prototype.emit);
    },
  },
  "listens for as much as Node allows": () => {
    for (let count = 0; count < 10; count++) {
      process.on("exit", () => undefined);
      process.on("unhandledRejection", () => undefined);
      process.on("uncaughtException", () => undefined);
    }
  },
  "puts an emit of its own in place": {
    listen: () => {
      const { emit } = process;
      process.emit = function emitAndTell(name, ...args) {
        if (name !== "newListener") console.log("emits", name);
        return emit.call(this, name, ...args);
      };
    },
    run: () => {
      void Promise.reject(failure());
    },
  },
  "starts the client twice": (client) => {
    client.init({ apiKey: "whk_second", endpoint: process.env.WHENCE_ENDPOINT, service: "program" });
    throw failure();
  },
  "logs by console": (client) => {
    client.captureMessage("before");
    console.error("an error is logged", failure().message);
    console.warn("a warning is logged");
    console.trace("where");
    process.emitWarning("look out", { code: "TEST_WARNING" });
  },
};
