import type { Watch } from "@whence/protocol";
import type { OfKind } from "../../findings/kinds.ts";
import type { PredictionWords } from "../messages/predictions.ts";
import type { Messages } from "../messages.en.ts";

/** Returns the words of a watch. */
export function watchWords<K extends Watch["kind"]>(
  watch: OfKind<Watch, K>,
  { watches }: Pick<Messages, "watches">,
): PredictionWords {
  return watches[watch.kind](watch);
}
