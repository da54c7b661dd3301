import { WireType } from "@bufbuild/protobuf/wire";
import { gatewayErrors } from "../errors.ts";
import { otlpLimits } from "./otlp-limits.ts";
import { numberIn, type WireReader, wireTypeIn } from "./wire-reader.ts";

/** Limits one request while it is read: a few bytes can stand for many values. */
export class Budget {
  #values: number = otlpLimits.otlpValuesMax;
  #levels: number = otlpLimits.otlpLevelsMax;

  spend(): void {
    this.#values -= 1;
    if (this.#values < 0) throw malformed(`it has more than ${otlpLimits.otlpValuesMax} values`);
  }

  /** Begins what is nested one level deeper. */
  enter(): void {
    this.#levels -= 1;
    if (this.#levels < 0) throw malformed(`it is nested more than ${otlpLimits.otlpLevelsMax} levels deep`);
  }

  /** Ends it. What throws in between needs no end: nothing more is read. */
  leave(): void {
    this.#levels += 1;
  }
}

/** One kind of value, in protobuf and in JSON (OTLP's JSON mapping). */
export interface Codec<Value> {
  readonly wireType: WireType;
  binary(reader: WireReader, budget: Budget): Value;
  /** Passes over a value as `binary` reads it, with the same errors and the same budget, and makes nothing of it. */
  pass(reader: WireReader, budget: Budget): void;
  json(value: unknown, budget: Budget): Value;
}

/** One field of a message: where it is, and what becomes of it when it comes, perhaps again. */
export interface Field<Value> {
  readonly number: number;
  readonly wireType: WireType;
  /** The value of an absent field. */
  readonly absent: Value;
  binary(reader: WireReader, budget: Budget, previous: Value): Value;
  pass(reader: WireReader, budget: Budget): void;
  json(value: unknown, budget: Budget): Value;
}

type Fields = Readonly<Record<string, Field<unknown>>>;
type Message<Of extends Fields> = { readonly [Name in keyof Of]: Of[Name] extends Field<infer Value> ? Value : never };
/** What {@link message} reads. */
export type Read<Of> = Of extends Codec<infer Value> ? Value : never;

/** A message, which can also be all of a body. */
export interface MessageCodec<Value> extends Codec<Value> {
  /** Reads all that the reader has. */
  wholeBinary(reader: WireReader, budget: Budget): Value;
}

/** A message. Unknown fields are skipped, as both encodings ask of a receiver. */
export function message<Of extends Fields>(fields: Of): MessageCodec<Message<Of>> {
  const entries = Object.entries(fields);
  const absent = Object.fromEntries(entries.map(([name, field]) => [name, field.absent]));
  const byNumber: { readonly name: string; readonly field: Field<unknown> }[] = [];
  for (const [name, field] of entries) byNumber[field.number] = { name, field };
  // The fields say which type each name has, which no type of a loop over them can.
  const whole = (values: Readonly<Record<string, unknown>>): Message<Of> => values as Message<Of>;
  const until = (end: number, reader: WireReader, budget: Budget): Message<Of> => {
    const values = { ...absent };
    while (reader.pos < end) {
      const tag = reader.nextTag();
      budget.spend();
      const known = byNumber[numberIn(tag)];
      if (known?.field.wireType !== wireTypeIn(tag)) {
        reader.pass(tag);
        continue;
      }
      budget.enter();
      values[known.name] = known.field.binary(reader, budget, values[known.name]);
      budget.leave();
    }
    if (reader.pos > end) throw malformed("a message ends beyond its length");
    return whole(values);
  };
  const passUntil = (end: number, reader: WireReader, budget: Budget): void => {
    while (reader.pos < end) {
      const tag = reader.nextTag();
      budget.spend();
      const known = byNumber[numberIn(tag)];
      if (known?.field.wireType !== wireTypeIn(tag)) {
        reader.pass(tag);
        continue;
      }
      budget.enter();
      known.field.pass(reader, budget);
      budget.leave();
    }
    if (reader.pos > end) throw malformed("a message ends beyond its length");
  };
  return {
    wireType: WireType.LengthDelimited,
    wholeBinary: (reader, budget) => until(reader.len, reader, budget),
    binary: (reader, budget) => until(endOf(reader), reader, budget),
    pass: (reader, budget) => passUntil(endOf(reader), reader, budget),
    json(value, budget) {
      if (!isObject(value)) throw malformed("an object is expected where there is none");
      const values = { ...absent };
      for (const [name, field] of entries) {
        const given = value[name];
        if (given === undefined || given === null) continue;
        budget.spend();
        budget.enter();
        values[name] = field.json(given, budget);
        budget.leave();
      }
      return whole(values);
    },
  };
}

/** Reads the length of a message, and returns where it ends. */
export function endOf(reader: WireReader): number {
  const length = reader.next32();
  if (length > reader.len - reader.pos) throw malformed("a message ends beyond the body");
  return reader.pos + length;
}

/** A field that is undefined when absent. */
export function one<Value>(number: number, codec: Codec<Value>): Field<Value | undefined> {
  return { ...codec, number, absent: undefined };
}

/** A field that has a value of its own when absent. */
export function withDefault<Value>(number: number, codec: Codec<Value>, absent: Value): Field<Value> {
  return { ...codec, number, absent };
}

/** A repeated field. */
export function many<Value>(number: number, codec: Codec<Value>): Field<readonly Value[]> {
  return {
    number,
    wireType: codec.wireType,
    absent: [],
    binary(reader, budget, previous) {
      const value = codec.binary(reader, budget);
      // Copied once only: the shared empty list must stay empty.
      if (previous.length === 0) return [value];
      if (Array.isArray(previous)) previous.push(value);
      return previous;
    },
    pass: codec.pass,
    json(value, budget) {
      if (!Array.isArray(value)) throw malformed("a list is expected where there is none");
      return value.map((item: unknown) => {
        budget.spend();
        return codec.json(item, budget);
      });
    },
  };
}

/** Passes over a text or bytes. */
export const passText = (reader: WireReader): void => {
  reader.pos = reader.endOfNext();
};
/** Passes over 64 bits of a fixed length. */
export const passFixed = (reader: WireReader): void => reader.passBytes(8);

/** UTF-8 text; what isn't valid becomes U+FFFD. */
export const text: Codec<string> = {
  wireType: WireType.LengthDelimited,
  binary: (reader) => reader.string(),
  pass: passText,
  json(value) {
    if (typeof value !== "string") throw malformed("a text is expected where there is none");
    return value;
  },
};

/** An ID of bytes, as lower-case hex; JSON has it so. */
export const hexId: Codec<string> = {
  wireType: WireType.LengthDelimited,
  binary: (reader) => Buffer.from(reader.bytes()).toString("hex"),
  pass: passText,
  json: (value, budget) => text.json(value, budget).toLowerCase(),
};

/** A small whole number, or the number of an enum's value. */
export const whole: Codec<number> = {
  wireType: WireType.Varint,
  binary: (reader) => reader.int32(),
  pass: (reader) => void reader.next32(),
  json: (value) => within(-(2 ** 31), 2 ** 31, value),
};

const highFactor = 2 ** 32;

/** 64 unsigned bits of a fixed length. As a number: what is above 2^53 loses its last digits. */
export const fixed: Codec<number> = {
  wireType: WireType.Bit64,
  binary(reader) {
    const low = reader.fixed32();
    return reader.fixed32() * highFactor + low;
  },
  pass: passFixed,
  json: (value) => within(0, 2 ** 64, value),
};

/** 64 bits of a fixed length, with a sign. As a number: what is above 2^53 loses its last digits. */
export const signedFixed: Codec<number> = {
  wireType: WireType.Bit64,
  binary: (reader) => Number(reader.sfixed64()),
  pass: passFixed,
  json: integer64,
};

/** A point in time, in milliseconds since 1970, to the microsecond. */
export const time: Codec<number> = {
  wireType: WireType.Bit64,
  binary: (reader, budget) => milliseconds(fixed.binary(reader, budget)),
  pass: passFixed,
  json: (value, budget) => milliseconds(fixed.json(value, budget)),
};

/** A number holds nanoseconds since 1970 only to a few hundred. */
function milliseconds(nanos: number): number {
  return Math.round(nanos / 1_000) / 1_000;
}

/** A number in JSON, where 64 bits are a text. Never infinite: JSON's parser makes that of one that is too large. */
export function numberOf(value: unknown): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) {
    throw malformed("a number is expected where there is none");
  }
  return number;
}

/** 64 bits with a sign, in JSON. */
export function integer64(value: unknown): number {
  return within(-(2 ** 63), 2 ** 63, value);
}

/** The bounds of an integer's bits; the upper one is included, since the largest value of 64 bits rounds up to it. */
function within(min: number, max: number, value: unknown): number {
  const number = numberOf(value);
  if (number < min || number > max) throw malformed("a number has more bits than its field");
  return number;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function malformed(why: string, cause?: unknown): Error {
  return gatewayErrors.create("WHENCE_ERR_OTLP_BODY", [why], cause === undefined ? {} : { cause });
}
