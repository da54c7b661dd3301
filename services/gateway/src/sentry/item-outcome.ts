/** What became of an item: `counted` ones are of a kind that isn't kept, `over_limit` ones are unread. */
export type ItemOutcome = "stored" | "counted" | "invalid" | "over_limit";
