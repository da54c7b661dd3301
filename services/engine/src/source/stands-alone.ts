import type { Standing } from "../findings/findings.ts";

/** Of an error about whose surroundings nothing is known. */
export const standsAlone: Standing = { inValue: false, mayQuoteStack: false, logged: false, endsText: false, at: null };
