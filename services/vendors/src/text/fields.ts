import { z } from "zod";

const identifierLengthMax = 512;

/** An identifier at a sender: visible, short, and storable. */
export const identifier = z
  .string()
  .min(1)
  .max(identifierLengthMax)
  .regex(/^\P{Cc}+$/u);

/** A text that a sender may leave out or send as null. */
export const optionalText = z.string().nullish();

/** A scalar value; null for anything else. */
export const scalar = z.union([z.string(), z.number(), z.boolean()]).nullable().catch(null);

/** Parses RFC 3339 with a zone into RFC 3339 in UTC with milliseconds. */
export const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());
