import { secondMs } from "@whence/protocol";
import { z } from "zod";

/** The latest time of a `Date`. https://tc39.es/ecma262/#sec-time-values-and-time-range */
const millisecondsMax = 8_640_000_000_000_000;
const nanosecondsPerMillisecond = 1_000_000n;

const formatted = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Milliseconds since 1970, as RFC 3339. */
export const epochMilliseconds = z.number().min(0).max(millisecondsMax).transform(formatted);

/** Seconds since 1970, as RFC 3339. */
export const epochSeconds = z
  .number()
  .min(0)
  .max(millisecondsMax / secondMs)
  .transform((seconds) => formatted(seconds * secondMs));

/** Digits of the nanoseconds since 1970, as RFC 3339 with milliseconds. */
export const epochNanoseconds = z
  .string()
  .regex(/^\d{1,19}$/)
  .transform((digits) => formatted(Number(BigInt(digits) / nanosecondsPerMillisecond)));
