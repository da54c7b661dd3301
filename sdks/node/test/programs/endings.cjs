"use strict";
const { fork, spawn } = require("node:child_process");
const { readdirSync, statSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

const failure = (message = "order lost") => new Error(message, { cause: new TypeError("no such column") });
const later = (run) => setTimeout(run, 10);
/** Calls back once the client has written an event to disk; at once in a program without the client. */
const onceOnDisk = (run) => {
  const isWatched = process.execArgv.includes("--conditions=watched");
  const files = readdirSync(tmpdir(), { recursive: true }).filter((name) => name.endsWith(".spool"));
  if (!isWatched || files.some((name) => statSync(join(tmpdir(), name)).size > 0)) run();
  else setTimeout(onceOnDisk, 10, run);
};
const printStack = (where) => console.log(where, new Error("seen from here").stack);
const tellListeners = () => {
  const names = process.eventNames().filter((name) => name !== "uncaughtExceptionMonitor");
  console.log(names.map(String).sort().join());
  for (const name of ["uncaughtException", "unhandledRejection", "exit", "beforeExit", "warning", "newListener"]) {
    console.log(name, process.listenerCount(name), process.listeners(name).length, process.rawListeners(name).length);
  }
};

/**
 * The endings. Each is a function, or `{ listen, run }`: `listen` runs before the client has started (or after, if
 * started with "first"), then `run`.
 */
const endings = {
  "throws an error": () => {
    throw failure();
  },
  "throws later": () => {
    later(() => {
      throw failure();
    });
  },
  "throws text": () => {
    throw "plain words";
  },
  "throws undefined": () => {
    throw undefined;
  },
  "throws null later": () => {
    later(() => {
      throw null;
    });
  },
  "throws a plain object": () => {
    throw { code: "E_ORDER", order: 31 };
  },
  "throws a frozen error": () => {
    throw Object.freeze(failure());
  },
  "freezes Error, then throws": () => {
    Object.freeze(Error);
    process.emitWarning("look out");
    throw failure();
  },
  "throws an error without a stack": () => {
    const error = failure();
    error.stack = undefined;
    throw error;
  },
  "throws an error that can't be read": () => {
    later(() => {
      throw new Proxy(failure(), {
        get: () => {
          throw new Error("a trap");
        },
      });
    });
  },
  "throws an AggregateError": () => {
    throw new AggregateError([failure("first"), failure("second")], "both lost");
  },
  "throws with an exit code set": () => {
    process.exitCode = 5;
    throw failure();
  },
  "throws in a microtask": () => {
    queueMicrotask(() => {
      throw failure();
    });
  },
  "throws in process.nextTick": () => {
    process.nextTick(() => {
      throw failure();
    });
  },
  "emits an error without a listener": () => {
    new (require("node:events"))().emit("error", failure());
  },
  "stays for what others left": () => {
    setTimeout(() => undefined, 30_000);
  },
  "throws in an exit listener": () => {
    process.on("exit", () => {
      throw failure();
    });
  },
  "throws in an uncaughtException listener": {
    listen: () => {
      process.on("uncaughtException", () => {
        throw failure("second");
      });
    },
    run: () => {
      throw failure();
    },
  },
  "catches and lives": {
    listen: () => {
      process.on("uncaughtException", (error, origin) => {
        console.log("mine:", error.message, origin);
        printStack("listener");
        later(() => console.log("still here"));
      });
    },
    run: () => {
      throw failure();
    },
  },
  "catches one error, then dies of the next": {
    listen: () => {
      process.once("uncaughtException", (error) => console.log("mine:", error.message));
    },
    run: () => {
      later(() => {
        later(() => {
          throw failure("second");
        });
        throw failure();
      });
    },
  },
  "catches and exits with 9": {
    listen: () => {
      process.on("uncaughtException", (error) => {
        process.stderr.write(`mine: ${error.message}\n`);
        process.exit(9);
      });
    },
    run: () => {
      throw failure();
    },
  },
  "monitors, then dies": {
    listen: () => {
      process.on("uncaughtExceptionMonitor", (error, origin) => console.log("mine:", error.message, origin));
    },
    run: () => {
      throw failure();
    },
  },
  "exits with 6 in a monitor": {
    listen: () => {
      process.on("uncaughtExceptionMonitor", () => process.exit(6));
    },
    run: () => {
      throw failure();
    },
  },
  "takes errors by setUncaughtExceptionCaptureCallback": {
    listen: () => {
      process.setUncaughtExceptionCaptureCallback((error) => console.log("mine:", error.message));
    },
    run: () => {
      later(() => console.log("still here"));
      throw failure();
    },
  },
  "throws in a domain that listens": () => {
    const domain = require("node:domain").create();
    domain.on("error", (error) => console.log("mine:", error.message));
    domain.run(() => {
      later(() => {
        throw failure();
      });
    });
  },
  "throws in a domain that doesn't listen": () => {
    require("node:domain")
      .create()
      .run(() => {
        later(() => {
          throw failure();
        });
      });
  },
  "rejects in a domain that listens": () => {
    const domain = require("node:domain").create();
    domain.on("error", (error) => console.log("mine:", error.message));
    domain.run(() => {
      void Promise.reject(failure());
    });
  },
  rejects: () => {
    void Promise.reject(failure());
  },
  "rejects later": () => {
    later(async () => {
      throw failure();
    });
  },
  "rejects with text": () => {
    void Promise.reject("plain words");
  },
  "rejects with undefined": () => {
    void Promise.reject();
  },
  "rejects, and handles it late": () => {
    const promise = Promise.reject(failure());
    later(() => promise.catch((error) => console.log("late:", error.message)));
    later(() => later(() => console.log("still here")));
  },
  "rejects, and handles it in time": () => {
    const promise = Promise.reject(failure());
    process.nextTick(() => promise.catch((error) => console.log("in time:", error.message)));
  },
  "handles rejections": {
    listen: () => {
      process.on("unhandledRejection", (reason) => console.log("mine:", reason.message));
    },
    run: () => {
      void Promise.reject(failure());
    },
  },
  "handles rejections and late handling": {
    listen: () => {
      process.on("unhandledRejection", (reason) => console.log("mine:", reason.message));
      process.on("rejectionHandled", () => printStack("handled late"));
    },
    run: () => {
      const promise = Promise.reject(failure());
      later(() => promise.catch(() => console.log("late")));
    },
  },
  "handles rejections twice over": {
    listen: () => {
      process.on("unhandledRejection", () => printStack("first"));
      process.on("unhandledRejection", () => printStack("second"));
    },
    run: () => {
      void Promise.reject(failure());
    },
  },
  "handles one rejection, then dies of the next": {
    listen: () => {
      process.once("unhandledRejection", (reason) => {
        console.log("mine:", reason.message);
        tellListeners();
      });
    },
    run: () => {
      void Promise.reject(failure());
      later(() => Promise.reject(failure("second")));
    },
  },
  "exits with 8 on a rejection": {
    listen: () => {
      process.on("unhandledRejection", () => process.exit(8));
    },
    run: () => {
      void Promise.reject(failure());
    },
  },
  "throws on a rejection": {
    listen: () => {
      process.on("unhandledRejection", (reason) => {
        throw reason;
      });
    },
    run: () => {
      void Promise.reject(failure());
    },
  },
  "handles rejections and errors": {
    listen: () => {
      process.on("unhandledRejection", (reason) => console.log("rejection:", reason.message));
      process.on("uncaughtException", (error, origin) => console.log("error:", error.message, origin));
    },
    run: () => {
      void Promise.reject(failure());
      later(() => {
        throw failure("second");
      });
    },
  },
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
    client.init({ apiKey: "whk_second", endpoint: process.env.WHENCE_ENDPOINT, service: "second" });
    throw failure();
  },
  "logs by console": (client) => {
    client.captureMessage("before");
    console.error("an error is logged", failure().message);
    console.warn("a warning is logged");
    console.trace("where");
    process.emitWarning("look out", { code: "TEST_WARNING" });
  },
  "has its thread throw, and listens": (_client, here) => {
    listening(thread(here, "throws later"));
  },
  "has its thread throw, and doesn't listen": (_client, here) => {
    thread(here, "throws later");
  },
  "has its thread throw text, and listens": (_client, here) => {
    listening(thread(here, "throws text"));
  },
  "has its thread reject, and listens": (_client, here) => {
    listening(thread(here, "rejects"));
  },
  "has its thread catch and live": (_client, here) => {
    listening(thread(here, "catches and lives"));
  },
  "has its thread exit with 3": (_client, here) => {
    listening(thread(here, "exits with 3"));
  },
  "has its thread run out of work": (_client, here) => {
    listening(thread(here, "runs out of work"));
  },
  "has its bare thread throw, and listens": (_client, here) => {
    listening(thread(here, "throws later", "without"));
  },
  "has its bare thread throw, and doesn't listen": (_client, here) => {
    thread(here, "throws later", "without");
  },
  "exits while its thread runs": (client, here) => {
    thread(here, "runs for long").on("online", () => {
      client.captureException(failure());
      process.exit(7);
    });
  },
  "runs for long": () => {
    setTimeout(() => undefined, 30_000);
  },
  "forks a process that throws": (_client, here) => {
    child(here, "throws an error");
  },
  "forks a process that rejects": (_client, here) => {
    child(here, "rejects");
  },
  "forks a process that exits with 3": (_client, here) => {
    child(here, "exits with 3");
  },
  "talks to a forked process": (_client, here) => {
    const other = child(here, "answers its parent");
    other.on("message", (message) => console.log("answer:", message));
    other.send("question");
  },
  "answers its parent": () => {
    process.on("message", (message) => {
      printStack("message listener");
      process.send(`${message}!`, () => process.disconnect());
    });
  },
  "is a cluster whose worker throws": (_client, here) => {
    const cluster = require("node:cluster");
    if (!cluster.isPrimary) {
      throw failure();
    }
    cluster.setupPrimary({ exec: here, args: process.argv.slice(2) });
    cluster.fork().on("exit", (code, signal) => console.log("worker ended with", code, signal));
  },
};

function thread(here, ending, client = "with") {
  const { Worker } = require("node:worker_threads");
  return new Worker(here, { argv: [ending, client] });
}

function listening(worker) {
  worker.on("error", (error) => console.log("mine:", error.message, error.name));
  worker.on("exit", (code) => console.log("thread ended with", code));
}

function child(here, ending) {
  const other = fork(here, [ending]);
  other.on("exit", (code, signal) => console.log("child ended with", code, signal));
  return other;
}

/** Adds listeners before the client, unless `WHENCE_INIT` is "first"; with "no" the client was preloaded. */
function start(ending, client, here) {
  const { listen, run } = typeof ending === "function" ? { run: ending } : ending;
  const order = process.argv[3] === "without" ? "no" : process.env.WHENCE_INIT;
  if (order !== "first") listen?.();
  if (order !== "no") client.init({ apiKey: "whk_test", endpoint: process.env.WHENCE_ENDPOINT, service: "program" });
  if (order === "first") listen?.();
  run(client, here);
}

module.exports = { endings, start };
