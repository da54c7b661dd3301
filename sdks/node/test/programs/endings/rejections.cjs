"use strict";
// Programs that end by a rejection, and what their listeners do.
const { failure, later, printStack, tellListeners } = require("./steps.cjs");

module.exports = {
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
};
