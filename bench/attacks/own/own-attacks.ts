import type { Attack } from "../attack.ts";
import { encodings } from "./encodings.ts";
import { forgeries } from "./forgeries.ts";
import { instructions } from "./instructions.ts";
import { lies } from "./lies.ts";
import { attackedNames } from "./names.ts";

/** Our own attacks, each with its twin. */
export const ownAttacks: readonly Attack[] = [...instructions, ...encodings, ...forgeries, ...lies, ...attackedNames];
