import type { Feedback, Incident } from "@whence/protocol";

/** Returns the person's own verdict on the current report; undefined without one. */
export function givenFeedback({ feedback }: Pick<Incident, "feedback">, userId: string): Feedback | undefined {
  const own = feedback?.find(({ author }) => author.kind === "member" && author.id === userId);
  return own && !own.on_earlier_report ? own : undefined;
}
