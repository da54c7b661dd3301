/** The feature of a place with a signal that the code there spells a part of the error's message. */
export function spellsMessage(signals: readonly unknown[]): { readonly placeMessage: number } {
  return { placeMessage: Number(signals.length > 0) };
}
