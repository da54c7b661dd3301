import { WireType } from "@bufbuild/protobuf/wire";
import {
  type Budget,
  type Codec,
  type Field,
  integer64,
  isObject,
  malformed,
  many,
  message,
  numberOf,
  one,
  passFixed,
  passText,
  text,
  withDefault,
} from "./codec.ts";
import type { WireReader } from "./wire-reader.ts";

/** The attributes of a resource, a span, or a log record, by name. The last value of a repeated name counts. */
export type Attributes = ReadonlyMap<string, unknown>;

/**
 * A value of any kind: a text, boolean, or number, a list of values, or an object of them. Bytes are text in Base64, and
 * an absent value is null.
 */
export const anyValue: Codec<unknown> = {
  wireType: WireType.LengthDelimited,
  binary: (reader, budget) => pick(kinds.binary(reader, budget)),
  pass: (reader, budget) => kinds.pass(reader, budget),
  json: (value, budget) => pick(kinds.json(value, budget)),
};

const bool: Codec<boolean> = {
  wireType: WireType.Varint,
  binary: (reader) => reader.bool(),
  pass: (reader) => void reader.bool(),
  json(value) {
    if (typeof value !== "boolean") throw malformed("true or false is expected where there is neither");
    return value;
  },
};
/** As a number: what is above 2^53 loses its last digits. */
const int64: Codec<number> = {
  wireType: WireType.Varint,
  binary: (reader) => Number(reader.int64()),
  // The same bytes.
  pass: (reader) => void reader.bool(),
  json: integer64,
};
/** JSON has no names for these three. */
const unwritable: ReadonlySet<unknown> = new Set(["NaN", "Infinity", "-Infinity"]);
export const double: Codec<number> = {
  wireType: WireType.Bit64,
  binary: (reader) => reader.double(),
  pass: passFixed,
  json: (value) => (unwritable.has(value) ? Number(value) : numberOf(value)),
};
const bytes: Codec<string> = {
  wireType: WireType.LengthDelimited,
  binary: (reader) => Buffer.from(reader.bytes()).toString("base64"),
  pass: passText,
  json: text.json,
};

/** Refers to what is defined below it. */
function later<Value>(codec: () => Codec<Value>): Codec<Value> {
  return {
    wireType: WireType.LengthDelimited,
    binary: (reader, budget) => codec().binary(reader, budget),
    pass: (reader, budget) => codec().pass(reader, budget),
    json: (value, budget) => codec().json(value, budget),
  };
}

const keyValue = message({
  key: withDefault(1, text, ""),
  value: withDefault(
    2,
    later(() => anyValue),
    null,
  ),
});
const arrayValue = message({
  values: many(
    1,
    later(() => anyValue),
  ),
});

const none: Attributes = new Map();

/** A repeated `KeyValue`. */
export function attributes(number: number): Field<Attributes> {
  const list = many(number, keyValue);
  return {
    number,
    wireType: WireType.LengthDelimited,
    absent: none,
    binary(reader: WireReader, budget: Budget, previous: Attributes) {
      const { key, value } = keyValue.binary(reader, budget);
      const read = previous instanceof Map && previous !== none ? previous : new Map<string, unknown>();
      return read.set(key, value);
    },
    pass: keyValue.pass,
    json: (value, budget) => new Map(list.json(value, budget).map((pair) => [pair.key, pair.value])),
  };
}

const objectValue = message({ values: attributes(1) });

const kinds = message({
  stringValue: one(1, text),
  boolValue: one(2, bool),
  intValue: one(3, int64),
  doubleValue: one(4, double),
  arrayValue: one(5, arrayValue),
  kvlistValue: one(6, objectValue),
  bytesValue: one(7, bytes),
});

function pick(read: Readonly<Record<string, unknown>>): unknown {
  for (const value of Object.values(read)) {
    if (value === undefined) continue;
    if (!isObject(value)) return value;
    return value.values instanceof Map ? Object.fromEntries(value.values) : value.values;
  }
  return null;
}
