import { VendorFailure } from "./vendor-failure.ts";

/** Returns a vendor's response; null when the requested thing isn't there. */
export async function orAbsent<Value>(asked: Promise<Value>): Promise<Value | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof VendorFailure && error.reason === "not-found") return null;
    throw error;
  }
}
