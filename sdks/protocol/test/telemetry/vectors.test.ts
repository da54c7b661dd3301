import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { limits } from "../../src/limits.ts";
import { isRedactedName, redactedNames } from "../../src/redaction.ts";
import {
  batchEnvelopeSchema,
  batchSchema,
  dropReasons,
  eventSchema,
  eventTypes,
} from "../../src/telemetry/telemetry.ts";
import { validationErrors } from "../../src/validation/validation-issues.ts";

const folder = join(import.meta.dirname, "../../vectors");

function read<File>(name: string): File {
  return JSON.parse(readFileSync(join(folder, name), "utf8")) as File;
}

interface Named<Vector> {
  readonly vectors: readonly (Vector & { readonly name: string })[];
}
interface LimitVector {
  readonly at: string;
  readonly repeat: unknown;
  readonly many?: boolean;
  readonly max: number;
  readonly refused: "batch" | "event";
}
interface LimitsFile extends Named<LimitVector> {
  readonly transport: Readonly<Record<string, number>>;
  readonly batch: object;
}

const batches = read<Named<{ batch: { events: { type: string }[]; dropped?: { reason: string }[] } }>>("batches.json");
const invalidEvents = read<Named<{ event: unknown; detail: unknown }>>("invalid-events.json");
const invalidBatches = read<Named<{ batch: unknown; detail: unknown }>>("invalid-batches.json");
const limitsFile = read<LimitsFile>("limits.json");
const redaction = read<Named<{ redactions: readonly { rule: string; path: string }[] }>>("redaction.json");

/** Returns the base batch with the vector's value repeated `count` times at its place. */
function filled({ at, repeat, many }: LimitVector, count: number): unknown {
  const batch: unknown = structuredClone(limitsFile.batch);
  const keys = at.slice(1).split("/");
  const last = keys.pop() ?? "";
  const holder = keys.reduce<unknown>((value, key) => Reflect.get(Object(value), key), batch);
  const value = many ? Array.from({ length: count }, () => repeat) : String(repeat).repeat(count);
  Reflect.set(Object(holder), last, value);
  return batch;
}

describe("the wire vectors", () => {
  it("are the documented files", () => {
    expect(readdirSync(folder).toSorted()).toEqual([
      "batches.json",
      "invalid-batches.json",
      "invalid-events.json",
      "limits.json",
      "redaction.json",
      "situations.json",
    ]);
  });

  it.each(batches.vectors)("have a batch that the schema keeps whole: $name", ({ batch }) => {
    expect(batchSchema.parse(batch)).toMatchObject(batch);
  });

  it("have every type of event, and every reason for a drop", () => {
    const all = batches.vectors.map(({ batch }) => batch);
    expect(new Set(all.flatMap(({ events }) => events.map(({ type }) => type)))).toEqual(new Set(eventTypes));
    const reasons = all.flatMap(({ dropped = [] }) => dropped.map(({ reason }) => reason));
    expect(new Set(reasons)).toEqual(new Set(dropReasons));
  });

  it("have every optional field of a batch and of an event", () => {
    const written = JSON.stringify(batches.vectors);
    const fields = [batchSchema, eventSchema].flatMap(({ shape }) => Object.keys(shape));
    expect(fields.filter((field) => !written.includes(`"${field}":`))).toEqual([]);
  });

  it.each(invalidEvents.vectors)("have the detail of a rejected event: $name", ({ event, detail }) => {
    const result = eventSchema.safeParse(event);
    expect(validationErrors(result.error?.issues ?? [], event, "body")).toEqual(detail);
  });

  it.each(invalidBatches.vectors)("have the detail of a rejected batch: $name", ({ batch, detail }) => {
    const result = batchEnvelopeSchema.safeParse(batch);
    expect(validationErrors(result.error?.issues ?? [], batch, "body")).toEqual(detail);
  });

  it.each(limitsFile.vectors)("have both sides of a limit: $name", (vector) => {
    const schema = vector.refused === "batch" ? batchEnvelopeSchema : batchSchema;
    expect(schema.safeParse(filled(vector, vector.max)).error?.issues).toBeUndefined();
    expect(schema.safeParse(filled(vector, vector.max + 1)).success).toBe(false);
    expect(batchEnvelopeSchema.safeParse(filled(vector, vector.max + 1)).success).toBe(vector.refused === "event");
  });

  it("have the limits of the transport", () => {
    expect(limitsFile.transport).toEqual({
      batch_bytes: limits.batchBytesMax,
      batch_unpacked_bytes: limits.batchUnpackedBytesMax,
      event_json_bytes: limits.eventBytesMax,
    });
  });

  it("have every redacted name, and call only those default ones", () => {
    const receipts = redaction.vectors.flatMap(({ redactions }) => redactions);
    const names = receipts
      .filter(({ rule }) => rule === "default-name")
      .map(({ path }) => path.slice(path.lastIndexOf("/") + 1).toLowerCase());
    expect(new Set(names)).toEqual(new Set(redactedNames));
    expect(names.every(isRedactedName)).toBe(true);
  });
});
