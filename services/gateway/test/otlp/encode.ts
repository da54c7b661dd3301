import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/** One field of a message to write: its number, and what it holds. */
export type Encoded = readonly [
  number: number,
  value: string | Uint8Array | { readonly varint: number } | { readonly ns: bigint } | readonly Encoded[],
];

/** Writes a message in protobuf, without knowing its type. */
export function encode(fields: readonly Encoded[]): Buffer {
  const writer = new BinaryWriter();
  for (const [number, value] of fields) write(writer, number, value);
  return Buffer.from(writer.finish());
}

function write(writer: BinaryWriter, number: number, value: Encoded[1]): void {
  if (typeof value === "string") writer.tag(number, WireType.LengthDelimited).string(value);
  else if (value instanceof Uint8Array) writer.tag(number, WireType.LengthDelimited).bytes(value);
  else if ("varint" in value) writer.tag(number, WireType.Varint).int64(value.varint);
  else if ("ns" in value) writer.tag(number, WireType.Bit64).fixed64(value.ns);
  else writer.tag(number, WireType.LengthDelimited).bytes(encode(value));
}

/** An attribute with a text. */
export function attribute(field: number, key: string, value: string): Encoded {
  return [
    field,
    [
      [1, key],
      [2, [[1, value]]],
    ],
  ];
}
