import { backtrackingPattern } from "./backtracking-pattern.ts";
import { badValue } from "./bad-value.ts";
import { blockingCall } from "./blocking-call.ts";
import { brokenFile } from "./broken-file.ts";
import { clearedColumn } from "./cleared-column.ts";
import { compressedText } from "./compressed-text.ts";
import { computedIndex } from "./computed-index.ts";
import { deliberateThrow } from "./deliberate-throw.ts";
import { endlessLoop } from "./endless-loop.ts";
import { exchangedArguments } from "./exchanged-arguments.ts";
import { importCycle } from "./import-cycle.ts";
import { keptCredential } from "./kept-credential.ts";
import { keptResource } from "./kept-resource.ts";
import { lateBinding } from "./late-binding.ts";
import { literalInMessage } from "./literal-in-message.ts";
import { lostKeys } from "./lost-keys.ts";
import { lostOverride } from "./lost-override.ts";
import { lostType } from "./lost-type.ts";
import { messageSource } from "./message-source.ts";
import { missingAwait } from "./missing-await.ts";
import { missingExport } from "./missing-export.ts";
import { missingModule } from "./missing-module.ts";
import { mistypedField } from "./mistyped-field.ts";
import { mistypedSetting } from "./mistyped-setting.ts";
import { mixedUnits } from "./mixed-units.ts";
import { naiveTime } from "./naive-time.ts";
import { namedFile } from "./named-file.ts";
import { overflow } from "./overflow.ts";
import { ownEvent } from "./own-event.ts";
import { pageCount } from "./page-count.ts";
import { racingCheck } from "./racing-check.ts";
import { recursion } from "./recursion.ts";
import { referenceEquality } from "./reference-equality.ts";
import { removedKey } from "./removed-key.ts";
import { renamedColumn } from "./renamed-column.ts";
import { repeatedWrite } from "./repeated-write.ts";
import { roundedParts } from "./rounded-parts.ts";
import { shadowedVariable } from "./shadowed-variable.ts";
import { sharedDefault } from "./shared-default.ts";
import { sharedState } from "./shared-state.ts";
import { silentWrapper } from "./silent-wrapper.ts";
import { skippedEntry } from "./skipped-entry.ts";
import { spentIterator } from "./spent-iterator.ts";
import { splitText } from "./split-text.ts";
import { swallowedError } from "./swallowed-error.ts";
import { textOrder } from "./text-order.ts";
import { throwSite } from "./throw-site.ts";
import { timeLimit } from "./time-limit.ts";
import { unawaitedValue } from "./unawaited-value.ts";
import { unreleasedResource } from "./unreleased-resource.ts";
import { unserializedText } from "./unserialized-text.ts";
import { unsetField } from "./unset-field.ts";
import { utcDay } from "./utc-day.ts";
import { valueStep } from "./value-step.ts";
import { writtenFile } from "./written-file.ts";

/** Every kind of signal in code. If several name a category at one place, the first one counts. */
export const codeKinds = {
  [throwSite.name]: throwSite,
  [badValue.name]: badValue,
  [deliberateThrow.name]: deliberateThrow,
  [valueStep.name]: valueStep,
  [missingAwait.name]: missingAwait,
  [unreleasedResource.name]: unreleasedResource,
  [messageSource.name]: messageSource,
  [literalInMessage.name]: literalInMessage,
  [brokenFile.name]: brokenFile,
  [namedFile.name]: namedFile,
  [missingModule.name]: missingModule,
  [missingExport.name]: missingExport,
  [swallowedError.name]: swallowedError,
  [recursion.name]: recursion,
  [sharedState.name]: sharedState,
  [unawaitedValue.name]: unawaitedValue,
  [lostType.name]: lostType,
  [sharedDefault.name]: sharedDefault,
  [backtrackingPattern.name]: backtrackingPattern,
  [endlessLoop.name]: endlessLoop,
  [blockingCall.name]: blockingCall,
  [keptResource.name]: keptResource,
  [mixedUnits.name]: mixedUnits,
  [racingCheck.name]: racingCheck,
  [keptCredential.name]: keptCredential,
  [pageCount.name]: pageCount,
  [timeLimit.name]: timeLimit,
  [utcDay.name]: utcDay,
  [renamedColumn.name]: renamedColumn,
  [roundedParts.name]: roundedParts,
  [splitText.name]: splitText,
  [compressedText.name]: compressedText,
  [silentWrapper.name]: silentWrapper,
  [lateBinding.name]: lateBinding,
  [removedKey.name]: removedKey,
  [mistypedField.name]: mistypedField,
  [textOrder.name]: textOrder,
  [lostKeys.name]: lostKeys,
  [naiveTime.name]: naiveTime,
  [unserializedText.name]: unserializedText,
  [importCycle.name]: importCycle,
  [skippedEntry.name]: skippedEntry,
  [lostOverride.name]: lostOverride,
  [spentIterator.name]: spentIterator,
  [repeatedWrite.name]: repeatedWrite,
  [unsetField.name]: unsetField,
  [shadowedVariable.name]: shadowedVariable,
  [writtenFile.name]: writtenFile,
  [clearedColumn.name]: clearedColumn,
  [mistypedSetting.name]: mistypedSetting,
  [ownEvent.name]: ownEvent,
  [exchangedArguments.name]: exchangedArguments,
  [computedIndex.name]: computedIndex,
  [referenceEquality.name]: referenceEquality,
  [overflow.name]: overflow,
};
