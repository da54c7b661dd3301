import type { Clue } from "../../../../findings.ts";
import type { Programs } from "../programs.ts";
import { checkThenAct, lockOrder, neverSettled, readThenWrite } from "./asynchrony.ts";
import { detachedMethod, neverConnected } from "./clients-and-methods.ts";
import { listenerPerCall, nullIsObject, onlyGrows, patternMemory } from "./collections.ts";
import { handlerMayThrow, unheardErrors } from "./emitters.ts";
import { assumedCharset, foreignCharset, headerCase, keptForever, signedAnew } from "./requests.ts";
import { cluesOf, type Rule } from "./rule.ts";
import { fixedDay, ignoredBackPressure, nestedAcquire, sharedDefault } from "./sharing.ts";
import {
  inheritedKey,
  mixedUnits,
  nanPasses,
  narrowMode,
  relativePath,
  swallowedFailure,
  textAsFlag,
  textOfChunks,
  uncheckedStatus,
  unencodedPart,
  untrimmedSecret,
} from "./values.ts";

/** Ways of writing code that are known to lead to failures. A new one is an object in a file here, and a line in this list. */
const rules: readonly Rule[] = [
  onlyGrows,
  listenerPerCall,
  nullIsObject,
  unheardErrors,
  handlerMayThrow,
  readThenWrite,
  checkThenAct,
  lockOrder,
  neverSettled,
  mixedUnits,
  nanPasses,
  unencodedPart,
  untrimmedSecret,
  textAsFlag,
  textOfChunks,
  narrowMode,
  relativePath,
  uncheckedStatus,
  swallowedFailure,
  inheritedKey,
  nestedAcquire,
  ignoredBackPressure,
  sharedDefault,
  fixedDay,
  headerCase,
  keptForever,
  signedAnew,
  foreignCharset,
  assumedCharset,
  neverConnected,
  detachedMethod,
  patternMemory,
];

/** Everything suspicious in the files that were read whole. Which of it has to do with the error is not asked here. */
export function suspiciousCode(programs: Programs): Clue[] {
  const whole = programs.all().filter(({ isPart }) => !isPart);
  return whole.flatMap((program) => rules.flatMap((rule) => cluesOf(rule, program, programs)));
}
