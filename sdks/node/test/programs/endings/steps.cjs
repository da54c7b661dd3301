"use strict";

/** The error that a program ends with. */
const failure = (message = "order lost") => new Error(message, { cause: new TypeError("no such column") });
const later = (run) => setTimeout(run, 10);
const printStack = (where) => console.log(where, new Error("seen from here").stack);
const tellListeners = () => {
  const names = process.eventNames().filter((name) => name !== "uncaughtExceptionMonitor");
  console.log(names.map(String).sort().join());
  for (const name of ["uncaughtException", "unhandledRejection", "exit", "beforeExit", "warning", "newListener"]) {
    console.log(name, process.listenerCount(name), process.listeners(name).length, process.rawListeners(name).length);
  }
};

module.exports = { failure, later, printStack, tellListeners };
