import type { Hit } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../testing.ts";

const files = {
  "src/plans.js": `export function planOf(id) {
  return plans.get(id);
}
export function seatsOf(id) {
  return seats.get(id);
}
`,
  "src/account.js": `import { planOf, seatsOf } from "./plans.js";
export function loadAccount(id) {
  const row = rows.get(id);
  return { ...row, plan: planOf(row.plan), seats: seatsOf(row.id) };
}
`,
  "src/invoice.js": `import { loadAccount } from "./account.js";
function lineOf(account) {
  return account.plan.price * 9;
}
export function invoice(id) {
  return lineOf(loadAccount(id));
}
`,
};
const error = "TypeError: Cannot read properties of undefined (reading 'price')";
const errorLog = `${error}
    at lineOf (/app/src/invoice.js:3:23)
    at invoice (/app/src/invoice.js:6:10)
`;

const at = (file: string, line: number, name: string, starts: number) => ({ file, line, function: name, starts });
const hit = { values: {}, thread: "1-0", nth: 1, callers: [] } satisfies Partial<Hit>;
const inInvoice = at("src/invoice.js", 6, "invoice", 5);
const inAccount = at("src/account.js", 4, "loadAccount", 2);
const plan: Hit = {
  ...{ ...hit, ...at("src/plans.js", 2, "planOf", 1), kind: "returned", returned: "undefined", at_ms: 10 },
  ...{ values: { id: '"p9"' }, callers: [inAccount, inInvoice] },
};
const seats: Hit = { ...plan, ...at("src/plans.js", 5, "seatsOf", 4), at_ms: 11 };
const account: Hit = {
  ...{ ...hit, ...inAccount, kind: "returned", returned: '{"id": 2, "plan": undefined, "seats": 4}', at_ms: 12 },
  callers: [inInvoice],
};
const threw: Hit = {
  ...{ ...hit, ...at("src/invoice.js", 3, "lineOf", 2), kind: "threw", error, at_ms: 14 },
  ...{ values: { account: '{"id": 2, "plan": undefined, "seats": 4}' }, callers: [inInvoice] },
};
const rethrown: Hit = { ...hit, ...inInvoice, kind: "threw", error, at_ms: 14 };

async function seenIn(hits: readonly Hit[]) {
  const subject = textSubject(errorLog, files);
  if (subject.input.kind !== "text") throw new Error("no text");
  const observed = { runs: [{ run: 2, places: [], hits: [...hits] }] };
  const { report } = await investigated({ ...subject, input: { ...subject.input, observed } });
  return report.candidates.flatMap(({ seen, location }) => (seen ? [`${seen} ${location?.function}`] : []));
}

describe("a field that was missing in an object", () => {
  it("is followed to the function whose result it was set to", async () => {
    expect(await seenIn([plan, seats, account, threw, rethrown])).toEqual(["confirmed planOf"]);
  });

  it.each([
    ["set to what another function returned", [seats, account, threw, rethrown]],
    ["of an object that was made in another call", [plan, { ...account, at_ms: 8 }, { ...threw, at_ms: 9 }]],
    ["that the returned object has", [plan, { ...account, returned: '{"plan": {"price": 1}}' }, threw, rethrown]],
    ["of an object within the returned one", [plan, { ...account, returned: '{"of": {"plan": undefined}}' }, threw]],
    [
      "of a text that looks like an object",
      [plan, { ...account, returned: String.raw`{"a": "\"plan\": undefined"}` }, threw],
    ],
  ])("confirms nothing for one %s", async (_, hits) => {
    expect(await seenIn(hits)).toEqual([]);
  });

  it("refutes no function that ran: any of them may have left the field out", async () => {
    const found = await seenIn([{ ...plan, returned: '{"price": 1}' }, account, threw, rethrown]);
    expect(found).toEqual([]);
  });
});
