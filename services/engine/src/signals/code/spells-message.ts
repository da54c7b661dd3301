/** The feature of a place whose code contains a part of the error's message. */
export function spellsMessage(signals: readonly unknown[]): { readonly placeMessage: number } {
  return { placeMessage: Number(signals.length > 0) };
}
