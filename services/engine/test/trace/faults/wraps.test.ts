import type { Exception } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { investigated } from "../../investigated.ts";
import { eventSubject, exception, frameAt, type Program, reportedEvent } from "../../reported-event.ts";

const total = `export function totalOf(cart) {
  return cart.lines.reduce((sum, line) => sum + line.price.amount, 0);
}
`;
/** The code that calls it, by how it passes the error on. */
const wrappers = {
  "a catch clause": `import { totalOf } from "./total.js";
export function place(cart) {
  try {
    return totalOf(cart);
  } catch (error) {
    throw new OrderError("could not place", { cause: error });
  }
}
`,
  "a catch clause with a condition": `import { totalOf } from "./total.js";
export function place(cart) {
  try {
    return totalOf(cart);
  } catch (problem) {
    if (problem instanceof RangeError) return 0;
    throw new OrderError("could not place", { cause: problem });
  }
}
`,
  "the callback of a promise": `import { totalOf } from "./total.js";
export function place(cart) {
  return Promise.resolve(cart).then((one) =>
    totalOf(cart),
  ).catch((reason) => {
    throw new OrderError("could not place", { cause: reason });
  });
}
`,
} as const;

const missing = "Cannot read properties of undefined (reading 'amount')";

async function investigatedChain(...exceptions: Exception[]) {
  const { report } = await investigated(eventSubject(reportedEvent({ exceptions }), "shop"));
  return report;
}

describe("an error that was caught and wrapped in another", () => {
  it.each(Object.entries(wrappers))(
    "is explained by where it was thrown, not by %s that wraps it",
    async (_, place) => {
      const program: Program = { "/srv/shop/src/total.js": total, "/srv/shop/src/place.js": place };
      const at = (file: string, code: string, name: string) => frameAt(program, `/srv/shop/src/${file}`, code, name);
      const report = await investigatedChain(
        exception("OrderError", "could not place", [at("place.js", "new OrderError", "place")]),
        exception("TypeError", missing, [
          at("total.js", "amount", "totalOf"),
          at("place.js", "totalOf(cart)", "place"),
        ]),
      );
      const wrapped = place.slice(0, place.indexOf("new OrderError")).split("\n").length;
      expect(report.candidates[0]?.location).toMatchObject({ file: "/srv/shop/src/total.js", line: 2 });
      expect(report.candidates[0]?.statement).toContain("`amount` of `line.price`");
      expect(report.candidates.map(({ location }) => location)).not.toContainEqual(
        expect.objectContaining({ file: "/srv/shop/src/place.js", line: wrapped }),
      );
      expect(JSON.stringify(report)).not.toContain("throws `TypeError");
    },
  );

  it("is explained by what was tried when it has no stack of its own", async () => {
    const program: Program = {
      "/srv/shop/src/store.js": `import { readFile } from "node:fs/promises";
export async function load(name) {
  try {
    return await readFile("/data/" + name + ".jsn", "utf8");
  } catch (error) {
    throw new Error("store is broken", { cause: error });
  }
}
`,
    };
    const report = await investigatedChain(
      exception("Error", "store is broken", [frameAt(program, "/srv/shop/src/store.js", "new Error", "load")]),
      exception("Error", "ENOENT: no such file or directory, open '/data/a.jsn'", [], { code: "ENOENT" }),
    );
    expect(report.candidates[0]?.location).toMatchObject({ line: 4 });
  });
});

describe("a handler that fails on its own", () => {
  it("isn't said to throw an error that it caught before, and wraps", async () => {
    const program: Program = {
      "/srv/shop/src/retry.js": `export class Retry {
  async run(task) {
    try {
      return await task();
    } catch (error) {
      this.failures.push(error);
    }
    throw new Error("gave up", { cause: this.failures[0] });
  }
}
`,
      "/srv/shop/src/send.js": `export function send(retry, mail) {
  return retry.run(() => mail.server.send(mail.body));
}
`,
    };
    const at = (file: string, code: string, name: string) => frameAt(program, `/srv/shop/src/${file}`, code, name);
    const report = await investigatedChain(
      exception("Error", "gave up", [at("retry.js", "new Error", "Retry.run")]),
      exception("TypeError", "Cannot read properties of undefined (reading 'send')", [
        at("send.js", "send(mail.body)", "send"),
        at("retry.js", "task()", "Retry.run"),
      ]),
    );
    expect(JSON.stringify(report)).not.toContain("`Retry.run` (`src/retry.js:8`) throws `TypeError");
  });

  it("stays the cause when it returns nothing instead", async () => {
    const program: Program = {
      "/srv/shop/src/session.js": `import { decode } from "./token.js";
export function sessionOf(token) {
  try {
    return decode(token);
  } catch {
    return null;
  }
}
`,
      "/srv/shop/src/me.js": `import { sessionOf } from "./session.js";
export function me(token) {
  const session = sessionOf(token);
  return session.user;
}
`,
    };
    const subject = eventSubject(
      reportedEvent({
        exceptions: [
          exception("TypeError", "Cannot read properties of null (reading 'user')", [
            frameAt(program, "/srv/shop/src/me.js", "user;", "me"),
          ]),
        ],
      }),
    );
    if (subject.input.kind !== "event") throw new Error("the subject is an event");
    const files = Object.entries(program).map(([name, content]) => ({
      name,
      path: name,
      content,
      version: "as deployed",
    }));
    const { report } = await investigated({ ...subject, input: { ...subject.input, files } });
    expect(report.candidates[0]?.location?.file).toBe("/srv/shop/src/session.js");
  });
});
