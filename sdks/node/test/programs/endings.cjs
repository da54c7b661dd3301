"use strict";
// Ends in the way that its argument names.
const sdk = require("./sdk.cjs");

const failure = () => new Error("order lost", { cause: new TypeError("no such column") });
const endings = {
  throws() {
    throw failure();
  },
  "throws-later"() {
    setTimeout(() => {
      throw failure();
    }, 20);
  },
  "throws-string"() {
    throw "plain words";
  },
  "throws-undefined"() {
    throw undefined;
  },
  "throws-frozen"() {
    throw Object.freeze(failure());
  },
  "throws-in-exit-handler"() {
    process.on("exit", () => {
      throw failure();
    });
  },
  rejects() {
    void Promise.reject(failure());
  },
  "rejects-string"() {
    void Promise.reject("plain words");
  },
  "exits-3"() {
    sdk.captureException(failure());
    process.exit(3);
  },
  "runs-out"() {
    sdk.captureException(failure());
    console.log("the loop runs empty");
  },
  "runs-out-untouched"() {
    console.log("nothing happened");
  },
  "catches-and-lives"() {
    process.on("uncaughtException", (error, origin) => {
      console.log("mine:", error.message, origin);
      setTimeout(() => console.log("still here"), 20);
    });
    throw failure();
  },
  "catches-and-exits"() {
    process.on("uncaughtException", (error) => {
      console.error("mine:", error.message);
      process.exit(9);
    });
    throw failure();
  },
  "handles-rejections"() {
    process.on("unhandledRejection", (reason) => console.log("mine:", reason.message));
    void Promise.reject(failure());
  },
  "handles-one-rejection"() {
    process.once("unhandledRejection", (reason) => console.log("mine:", reason.message));
    void Promise.reject(failure());
    setTimeout(() => Promise.reject(new Error("second")), 20);
  },
  "prints-in-exit-handler"() {
    process.on("exit", (code) => console.log("leaving with", code));
    process.exitCode = 4;
    sdk.captureMessage("on the way out");
  },
};
endings[process.argv[2]]();
