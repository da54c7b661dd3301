"use strict";
// Programs that end by an error, and what their listeners do.
const { failure, later, printStack } = require("./steps.cjs");

module.exports = {
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
};
