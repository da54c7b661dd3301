import { createHash } from "node:crypto";
import type { Hit, WatchPlace } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { Observation } from "../../src/findings/observation.ts";
import type { DeployFact } from "../../src/signals/facts/deploy-fact.ts";
import { type Hunk, hunkText } from "../../src/signals/facts/release-change.ts";
import type { WatchedEvent } from "../../src/watched/watched-event.ts";
import { investigated } from "../investigated.ts";
import { deploy, ownDeploy, seen } from "../report/written-reports.ts";
import { eventSubject, exception, frameAt, type Program, reportedEvent } from "../reported-event.ts";

const stop = { values: {}, thread: "1-0", nth: 1, callers: [], kind: "reached" } satisfies Partial<Hit>;

/** A failure of a program that was seen again with these stops, after what releases changed. */
interface Again {
  readonly program: Program;
  readonly message: string;
  /** The calls on its stack, the innermost first: the file, the code, and the function. */
  readonly calls: readonly (readonly [file: string, code: string, name: string])[];
  readonly hits: readonly Hit[];
  readonly changes?: readonly Observation[];
}

async function reportOn({ program, message, calls, hits, changes = [] }: Again, isAgain = true) {
  const frames = calls.map(([file, code, name]) => frameAt(program, file, code, name));
  const event = reportedEvent({
    exceptions: [exception("TypeError", message, frames)],
    request: { method: "POST", path: "/parcels", headers: {} },
  });
  const { incident, input } = eventSubject(event);
  if (input.kind !== "event") throw new Error("not an event");
  const files = Object.entries(program).map(([name, content]) => ({ name, path: name, content, version: "1.4.2" }));
  const collector = { name: "releases", collect: async () => changes };
  const watch = async (watched: readonly WatchedEvent[]) =>
    (await investigated({ incident, input: { ...input, files, watched } }, [collector])).report;
  const ordered = (await watch([])).watch ?? [];
  const places = ordered.flatMap((place) => (place.sha256 === undefined ? [] : [{ ...place, sha256: place.sha256 }]));
  const counted = places.map((place, index) => ({
    place: index,
    hits: hits.filter(({ file, starts }) => file === place.file && starts === place.starts).length,
    is_complete: true,
  }));
  const watched = { order: "wat_1", at_ms: 12, places: counted, hits: [...hits] };
  const again = { ...event, id: "0197a9d0-0000-7000-8000-000000000002", watched };
  return isAgain ? watch([{ event: again, places }]) : watch([]);
}

const released = (of: DeployFact, path: string, hunk: Hunk): Observation[] => {
  const { service, release, previous, at: releasedAt } = of;
  const known = { range: null, location: null, observed_at: releasedAt };
  const digest = (excerpt: string) => createHash("sha256").update(excerpt).digest("hex");
  const change = { service, release, previous: previous ?? "", releasedAt, path, hunk, commit: null };
  return [
    {
      ...{ ...known, source: { kind: "source_file", name: path }, excerpt: hunkText(hunk) },
      ...{ sha256: digest(hunkText(hunk)), fact: { kind: "release-change", change } },
    },
    seen({ kind: "deploy", deploy: of }),
  ];
};

describe("a request's body that was seen without the failing value", () => {
  const [routes, parcels, address] = ["/srv/shop/routes.js", "/srv/shop/parcels.js", "/srv/shop/address.js"];
  const program: Program = {
    [routes]: `import { json } from "node:stream/consumers";
import { ship } from "./parcels.js";
export async function answer(request) {
  return ship(await json(request));
}
`,
    [parcels]: `import { addressLines } from "./address.js";
import { buyLabel } from "./labels.js";
export async function ship({ id, address }) {
  const label = await buyLabel(addressLines(address));
  return { id, label };
}
`,
    [address]: `export function addressLines({ name, postcode }) {
  return [name, postcode.trim()];
}
`,
    "/srv/shop/labels.js": `export async function buyLabel(lines) {
  return lines.join();
}
`,
  };
  const shipped = (address: string): Hit => ({
    ...{ ...stop, file: parcels, line: 4, function: "ship", starts: 3, at_ms: 8 },
    values: { id: '"o1"', address },
  });
  const thrown: Hit = {
    ...{ ...stop, file: address, line: 2, function: "addressLines", starts: 1, at_ms: 9 },
    values: { name: '"Kim"', postcode: "undefined" },
  };
  const again = (hits: Hit[], changed: Partial<Program> = {}): Again => ({
    program: { ...program, ...changed } as Program,
    message: "Cannot read properties of undefined (reading 'trim')",
    calls: [
      [address, "postcode.trim", "addressLines"],
      [parcels, "addressLines(address)", "ship"],
      [routes, "ship(await", "answer"],
    ],
    hits,
  });
  const refuted = ({ candidates }: Awaited<ReturnType<typeof reportOn>>) =>
    candidates.flatMap(({ seen, location }) => (seen === "refuted" ? [location?.function] : []));

  it("has its fields looked for where they pass", async () => {
    const { watch = [] } = await reportOn(again([shipped("{…}"), thrown]), false);
    const fieldsIn = (name: string) => watch.filter((place: WatchPlace) => place.function === name)[0]?.fields;
    expect([fieldsIn("ship"), fieldsIn("addressLines")]).toEqual([["postcode"], undefined]);
  });

  it("refutes a function that passed on what came without it, and one that didn't run", async () => {
    const report = await reportOn(again([shipped("{…}"), thrown]));
    expect(refuted(report).toSorted()).toEqual(["buyLabel", "ship"]);
    expect(JSON.stringify(report)).toContain(
      "`address.postcode` was already missing at `ship` (`parcels.js:4`) 0 ms before the request failed at 10:00:00 UTC; the request came without it",
    );
  });

  it("refutes nothing where the value was seen nearer only, or wasn't looked for", async () => {
    expect(refuted(await reportOn(again([thrown])))).toEqual([]);
    expect(refuted(await reportOn(again([shipped("[object]"), thrown])))).toEqual([]);
    expect(refuted(await reportOn(again([shipped('{"postcode": "8001", …}'), thrown])))).toEqual([]);
  });
});

describe("a release that explains what was seen", () => {
  const order = "/srv/shop/order.js";
  const program: Program = {
    [order]: `export function placeOrder({ id, address }) {
  const city = address.city.trim();
  return { id, city };
}
`,
  };
  const thrown = (address = "undefined"): Hit => ({
    ...{ ...stop, file: order, line: 2, function: "placeOrder", starts: 1, at_ms: 9 },
    values: { id: '"o1"', address },
  });
  const again = (hits: Hit[], changes: Observation[]): Again => ({
    ...{ program, hits, changes, calls: [[order, "address.city", "placeOrder"]] },
    message: "Cannot read properties of undefined (reading 'city')",
  });
  const wrote = (...removed: string[]) =>
    released(ownDeploy, "order.js", { from: 2, removed, to: 2, added: ["  const city = address.city.trim();"] });
  const moved = (path: string) =>
    released(ownDeploy, path, {
      ...{ from: 9, removed: ["    const city = address.city.trim();"], to: 9, added: [] },
    }).slice(0, 1);
  const confirmed = async (one: Again) =>
    (await reportOn(one)).candidates.filter(({ seen }) => seen === "confirmed").map(({ location }) => location?.line);

  it("confirms the line that it wrote, which needs what was missing", async () => {
    const one = again([thrown()], wrote("  const town = townOf(id);"));
    expect(await confirmed(one)).toEqual([2]);
    const report = await reportOn(one);
    expect(report.candidates[0]?.support.join("\n")).toContain("`orders` 1.4.2 wrote this line");
    expect(report.root_cause_summary).toContain("`address` was missing at `placeOrder`");
  });

  it.each<[string, Again]>([
    ["that the line before needed as well", again([thrown()], wrote("  const city = address.city;"))],
    ["that was there", again([thrown('{"city": "Bonn", …}')], wrote("  const town = townOf(id);"))],
    [
      "on a line that it didn't write",
      again(
        [thrown()],
        released(ownDeploy, "order.js", {
          ...{ from: 3, removed: ["  return { id, town };"], to: 3, added: ["  return { id, city };"] },
        }),
      ),
    ],
    [
      "on a line that it moved there",
      again([thrown()], [...wrote("  const town = townOf(id);"), ...moved("src/old-order.js")]),
    ],
    [
      "in a release that is ruled out",
      again(
        [thrown()],
        released({ ...ownDeploy, verdict: "ruled-out", reason: { kind: "none-in-release" } }, "order.js", {
          ...{ from: 2, removed: [], to: 2, added: ["  const city = address.city.trim();"] },
        }),
      ),
    ],
  ])("confirms no line for a value %s", async (_, one) => {
    expect(await confirmed(one)).toEqual([]);
  });
});

describe("an answer that was seen without the failing value", () => {
  const [client, page] = ["/srv/shop/payments-client.js", "/srv/shop/page.js"];
  const program: Program = {
    [client]: `export async function fetchPayment(id) {
  const response = await fetch("http://payments/payments/" + id);
  const { payment } = await response.json();
  return { id: payment.id, amount: payment.amount };
}
`,
    [page]: `import { fetchPayment } from "./payments-client.js";
export async function pageOf(id) {
  const payment = await fetchPayment(id);
  return payment.amount.currency;
}
`,
  };
  const at = { ...stop, file: client, function: "fetchPayment", starts: 1 };
  const fetched = (payment: string): Hit => ({ ...at, line: 4, at_ms: 7, values: { id: '"p1"', payment } });
  const thrown: Hit = {
    ...{ ...stop, file: page, line: 4, function: "pageOf", starts: 2, at_ms: 9 },
    values: { id: '"p1"', payment: '{"amount": undefined, …}' },
  };
  const again = (payment: string, removed: string, of = deploy, path = "src/body.ts"): Again => ({
    ...{ program, hits: [fetched(payment), thrown], calls: [[page, "amount.currency", "pageOf"]] },
    message: "Cannot read properties of undefined (reading 'currency')",
    changes: released(of, path, {
      ...{ from: 7, removed: [removed], to: 7, added: ["  return { total: amount };"] },
    }),
  });
  const confirmed = async (one: Again) =>
    (await reportOn(one)).candidates.filter(({ seen }) => seen === "confirmed").map(({ service }) => service);

  it("confirms the release that took it away, which leads the report", async () => {
    const one = again('{"id": "p1", …}', "  return { amount };");
    expect(await confirmed(one)).toEqual(["payments"]);
    const { candidates } = await reportOn(one);
    expect(candidates[0]?.seen).toBe("confirmed");
    expect(candidates[0]?.support.join("\n")).toContain("`payments` 2.0.0 took it away");
  });

  it.each([
    ["took away something else", '{"id": "p1", …}', "  return { sum };"],
    ["took away what the answer had", '{"id": "p1", "amount": {"cents": 1, …}, …}', "  return { amount };"],
  ])("confirms no release that %s", async (_, payment, removed) => {
    expect(await confirmed(again(payment, removed))).toEqual([]);
  });

  it("confirms no release of a service that isn't known to have answered", async () => {
    const other = { ...deploy, service: "catalog", answeredLast: false };
    expect(await confirmed(again('{"id": "p1", …}', "  return { amount };", other))).toEqual([]);
  });

  it("confirms no release that dropped a column of that name", async () => {
    const one = again('{"id": "p1", …}', "");
    const changes = released(deploy, "migrations/7.sql", {
      ...{ from: 1, removed: [], to: 1, added: ["ALTER TABLE payments DROP COLUMN amount;"] },
    });
    expect(await confirmed({ ...one, changes })).toEqual([]);
  });

  it("confirms a release that took it away in two places", async () => {
    const one = again('{"id": "p1", …}', "  return { amount };");
    const second = { from: 3, removed: ["  return { id, amount };"], to: 3, added: ["  return { id };"] };
    expect(
      await confirmed({
        ...one,
        changes: [...(one.changes ?? []), ...released(deploy, "src/list.ts", second).slice(0, 1)],
      }),
    ).toEqual(["payments"]);
  });
});
