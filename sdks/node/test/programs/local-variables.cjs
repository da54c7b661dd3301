"use strict";
// Throws as its argument says, with values in its variables. Code that must not run prints that it did.
const { writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { Worker } = require("node:worker_threads");
const { init, captureException } = require(join(process.env.WHENCE_SDK, "index.cjs"));

const { WHENCE_ENDPOINT: endpoint, OFF: off } = process.env;
init({ apiKey: "k", endpoint, spool: false, localVariables: off === undefined, redact: ["iban"] });

class Shop {
  constructor(name) {
    this.name = name;
  }
  total(orders) {
    const count = orders.length;
    for (const order of orders) {
      const label = `order ${order.id}`;
      order.customer.name;
      label.trim();
    }
    return count;
  }
}

/** Passes a thrown error to the client. */
function capture(run) {
  try {
    run();
  } catch (error) {
    captureException(error);
  }
}

function say() {
  console.log("ran code of the program");
  return 1;
}

function loud() {
  const getter = {
    get balance() {
      return say();
    },
    toString: say,
    toJSON: say,
  };
  const trapped = new Proxy(
    {},
    { get: say, has: say, ownKeys: say, getPrototypeOf: say, getOwnPropertyDescriptor: say },
  );
  const nested = { trapped, list: [trapped] };
  throw new Error(String([getter, trapped, nested].length));
}

function secrets() {
  const password = "hunter2";
  const user = { id: 7, Token: "t", bank: [{ IBAN: "DE00", name: "N" }] };
  const iban = "DE00";
  throw new Error(String([password, user, iban].length));
}

function kinds() {
  const missing = undefined;
  const nothing = null;
  const big = 12n;
  const infinite = Number.POSITIVE_INFINITY;
  const made = new Date(0);
  const bytes = Buffer.from("secret");
  const rates = new Map([["EUR", 1]]);
  const failure = new TypeError("inner");
  const callback = say;
  const mark = Symbol("mark");
  throw new Error(String([missing, nothing, big, infinite, made, bytes, rates, failure, callback, mark].length));
}

/** Returns a value of a kind with the given size. */
function sized(kind, size) {
  const values = {
    text: () => "x".repeat(size),
    list: () => Array.from({ length: size }, (_, index) => index),
    record: () => Object.fromEntries(Array.from({ length: size }, (_, index) => [`k${index}`, index])),
    levels: () => Array.from({ length: size }).reduce((inner) => ({ inner }), "core"),
    texts: () => Array.from({ length: 10 }, () => "x".repeat(size)),
  };
  const value = values[kind]();
  throw new Error(String(value.length));
}

/** Declares a function in a file, since code without one doesn't count as the program's. */
function declares(count) {
  const file = join(process.env.FOLDER, "declares.cjs");
  const names = Array.from({ length: count }, (_, index) => `const v${index} = ${index};`);
  writeFileSync(file, `module.exports = () => { ${names.join(" ")} throw new Error("declares"); };`);
  require(file)();
}

function nest(depth) {
  const at = depth;
  if (depth === 0) throw new Error("nested");
  return nest(depth - 1) + at;
}

const cases = {
  caught: () => capture(() => new Shop("main").total([{ id: 1, customer: { name: "A" } }, { id: 2 }])),
  uncaught: () => new Shop("main").total([{ id: 2 }]),
  rejected: async () => {
    const [id] = await Promise.all([7]);
    await fail(id);
  },
  generator: () => capture(() => [...numbers(3)]),
  "kept and thrown again": () => {
    const kept = [];
    for (const id of [1, 2]) {
      try {
        fails(id);
      } catch (error) {
        kept.push(error);
      }
    }
    setImmediate(() => {
      for (const error of kept) {
        capture(() => {
          throw error;
        });
      }
    });
  },
  wrapped: () => {
    capture(() => {
      const outer = "outer";
      try {
        fails(3);
      } catch (cause) {
        throw new Error(`wrapped ${outer}`, { cause });
      }
    });
  },
  made: () => {
    capture(() => {
      const reason = "made by another function";
      throw makeError(reason);
    });
  },
  loud: () => capture(loud),
  secrets: () => capture(secrets),
  kinds: () => capture(kinds),
  sized: () => capture(() => sized(process.argv[3], Number(process.argv[4]))),
  declares: () => capture(() => declares(Number(process.argv[3]))),
  nested: () => capture(() => nest(Number(process.argv[3]))),
  "hot loop": () => {
    for (let index = 0; index < 100_000; index++) {
      try {
        fails(index);
      } catch (error) {
        if (index < 200) captureException(error);
      }
    }
  },
  "calls a package": () => {
    const reserve = (sku) => require(process.argv[3])(sku);
    reserve("A-1");
  },
  "bad argument": () =>
    capture(() => {
      const address = "not a URL";
      new URL(address);
    }),
  "in a thread": () => new Worker(__filename, { argv: ["caught"] }),
  "after a debugger was let in": () => {
    require("node:inspector").open(0);
    capture(() => fails(1));
    capture(() => fails(2));
    require("node:inspector").close();
  },
};

function fails(id) {
  throw new Error(`failed ${id}`);
}

function makeError(reason) {
  return new Error(reason);
}

async function fail(id) {
  const attempt = 2;
  await null;
  throw new Error(`failed ${id} ${attempt}`);
}

function* numbers(limit) {
  for (let at = 0; ; at++) {
    if (at === limit) throw new Error("too many");
    yield at;
  }
}

cases[process.argv[2]]();
