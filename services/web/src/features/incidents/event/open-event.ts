/** The known events of an incident's failure. */
interface KnownEvents {
  /** The event that someone opened; null at first. */
  readonly chosen: string | null;
  /** The event that opened the incident; null when something else did. */
  readonly triggerId: string | null;
  /** Whether that event isn't stored any longer. */
  readonly isTriggerGone: boolean;
  /** The newest that is listed; null without one. */
  readonly newest: string | null;
}

/** Returns the event to show: the chosen one, or else the one that opened the incident, or else the newest. */
export function openEvent({ chosen, triggerId, isTriggerGone, newest }: KnownEvents): string | null {
  if (chosen !== null) return chosen;
  return isTriggerGone ? (newest ?? triggerId) : (triggerId ?? newest);
}
