import type { Watch } from "@whence/protocol";
import type { PredictionWords } from "../messages/predictions.ts";
import type { Messages } from "../messages.en.ts";

/** What a person reads of a watch. */
export function watchWords(watch: Watch, { watches }: Pick<Messages, "watches">): PredictionWords {
  const words: { readonly [K in Watch["kind"]]: (watch: never) => PredictionWords } = watches;
  return words[watch.kind](watch as never);
}
