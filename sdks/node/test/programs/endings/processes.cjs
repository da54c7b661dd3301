"use strict";
// Programs with threads and other processes.
const { fork } = require("node:child_process");
const { failure, printStack } = require("./steps.cjs");

module.exports = {
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
