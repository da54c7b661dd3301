import type { Location } from "@whence/protocol";
import type { z } from "zod";
import type { LinkWords } from "../words/link-words.ts";

/** A kind of any family, as documentation, tests, and measurements see it: its data is whatever its schema accepts. */
export interface Kind {
  readonly name: string;
  readonly means: string;
  /** Data that is of the kind. */
  readonly example: object;
  readonly accepts: (data: unknown) => boolean;
  /** What a report says of such data; throws when the data isn't of the kind. */
  readonly sentence: (data: unknown) => string;
  readonly worth: Worth;
}

/** What a kind is to the ranking; empty where it says nothing about a cause. */
interface Worth {
  /** What a signal is worth for its file on its own, 0 to 1. */
  readonly decides?: number;
  /** The features that it brings to the learned ranking of files and places. */
  readonly features?: readonly string[];
  /** The names of its weights in the model of services. */
  readonly weights?: readonly string[];
  /** What a change is worth for its file, 0 to 1: where the failure began soon after it, and where its release is suspect. */
  readonly change?: { readonly near: number; readonly suspect: number };
}

/** The place that the examples are about. */
export const examplePlace: Location = { file: "src/orders.ts", line: 31, function: "reserveStock" };

/** Describes a kind as one of any family. */
export function describeKind<Data extends object>(
  { name, means, example }: Pick<Kind, "name" | "means"> & { readonly example: Data },
  schema: z.ZodType<Data>,
  sentence: (data: Data) => string,
  worth: Worth = {},
): Kind {
  return {
    name,
    means,
    example,
    worth,
    accepts: (data) => schema.safeParse(data).success,
    sentence: (data) => sentence(schema.parse(data)),
  };
}

/** What every family adds to a kind that is defined. */
export interface Described {
  readonly described: Kind;
}

/** A kind that a link of the causal chain can be made of, with the words for such a link. */
export interface Linked<Args> {
  readonly link: LinkWords<Args>;
}

/** Adds the words for a link to a kind. */
export function linked<K, Args>(kind: K, link: LinkWords<Args>): K & Linked<Args> {
  return { ...kind, link };
}

/** The arguments of the links that kinds of a list can be, by their names. */
export type LinksOf<Kinds> = {
  readonly [K in keyof Kinds as Kinds[K] extends Linked<never> ? K : never]: Kinds[K] extends Linked<infer Args>
    ? Args
    : never;
};
