import type { Failure } from "../failure.ts";
import type { Trail } from "../follow/trail.ts";
import { findClearedColumns } from "./cleared-columns.ts";
import { findCompressedTexts } from "./compressed-texts.ts";
import { findExchanged } from "./exchanged-arguments.ts";
import { findComputedIndexes } from "./indexes/computed-indexes.ts";
import { findInterruptions } from "./interruptions.ts";
import { findKeptAttempts } from "./kept-attempts.ts";
import { findKeptCredentials } from "./kept-credentials.ts";
import { findKeptResources } from "./kept-resources.ts";
import { findLateBindings } from "./late-bindings.ts";
import { findLostKeys } from "./lost-keys.ts";
import { findLostOverrides } from "./lost-overrides.ts";
import { findLostTypes } from "./lost-types.ts";
import { findMessageSources } from "./message-source.ts";
import { findMistypedFields } from "./mistyped-fields.ts";
import { findMistypedSettings } from "./mistyped-settings.ts";
import { findNaiveTimes } from "./naive-times.ts";
import { findNamedCoroutines } from "./named-coroutines.ts";
import { findOverflows } from "./overflows.ts";
import { findPageCounts } from "./page-counts.ts";
import { findRacingChecks } from "./racing-checks.ts";
import { findReferenceEquality } from "./reference-equality.ts";
import { findRemovedKeys } from "./removed-keys.ts";
import { findRenamedColumns } from "./renamed-columns.ts";
import { findRepeatedWrites } from "./repeated-writes.ts";
import { findRoundedParts } from "./rounded-parts.ts";
import { findShadowedVariables } from "./shadowed-variables.ts";
import { findSharedDefaults } from "./shared-defaults.ts";
import { findSilentWrappers } from "./silent-wrappers.ts";
import { findSkippedEntries } from "./skipped-entries.ts";
import { findSpentIterators } from "./spent-iterators.ts";
import { findSplitTexts } from "./split-texts.ts";
import { findStateChanges } from "./state-changes.ts";
import { findSwallowed } from "./swallowed-errors.ts";
import { findTextOrders } from "./text-orders.ts";
import { findTimeLimits } from "./time-limits.ts";
import { findUnawaitedCalls } from "./unawaited-calls.ts";
import { findUnawaitedFields } from "./unawaited-fields.ts";
import { findMixedUnits } from "./units/mixed-units.ts";
import { findUnreleased } from "./unreleased-resources.ts";
import { findUnserialized } from "./unserialized-texts.ts";
import { findUnsetFields } from "./unset-fields.ts";
import { findUtcDays } from "./utc-days.ts";
import { findWrittenFiles } from "./written-files.ts";

/** Notes on the trail where the code shows one kind of mistake that bears on the failure. */
export type FindFault = (failure: Failure, trail: Trail) => void;

/** In this order, as later ones read what earlier ones noted. */
export const faultFinders: readonly FindFault[] = [
  findKeptResources,
  findInterruptions,
  findStateChanges,
  findMessageSources,
  findUnawaitedCalls,
  findUnreleased,
  findSwallowed,
  findNamedCoroutines,
  findUnawaitedFields,
  findSilentWrappers,
  findLateBindings,
  findRemovedKeys,
  findMistypedFields,
  findLostTypes,
  findTimeLimits,
  findLostKeys,
  findNaiveTimes,
  findTextOrders,
  findUnserialized,
  findMixedUnits,
  findRacingChecks,
  findPageCounts,
  findUtcDays,
  findRenamedColumns,
  findRoundedParts,
  findSplitTexts,
  findCompressedTexts,
  findKeptCredentials,
  findSharedDefaults,
  findSkippedEntries,
  findLostOverrides,
  findUnsetFields,
  findClearedColumns,
  findWrittenFiles,
  findMistypedSettings,
  findShadowedVariables,
  findRepeatedWrites,
  findKeptAttempts,
  findSpentIterators,
  findExchanged,
  findComputedIndexes,
  findReferenceEquality,
  findOverflows,
];
