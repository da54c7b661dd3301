"use strict";
const plans = new Map([["p1", { name: "basic" }]]);

function planOf(customer) {
  const found = plans.get(customer.id);
  return found; // customer: trap, password, note, iban, vip, rope
}

function callOften(times) {
  let sum = 0;
  for (let at = 0; at < times; at += 1) sum += planOf({ id: "p1" }).name.length;
  return sum;
}

function returnLarge() {
  return largeText().length;
}

function largeText() {
  return "x".repeat(1e8);
}

function keepFailure(failure) {
  return failure;
}

module.exports = { planOf, callOften, keepFailure, returnLarge };
