import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Incident, limits, type Verdict, verdicts } from "@whence/protocol";
import { type FormEvent, type JSX, useId, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Problem } from "../../../components/problem.tsx";
import { toasts } from "../../../components/toasts.tsx";
import { giveFeedback } from "../api/change-incident.ts";
import { incidentQuery } from "../api/get-incident.ts";
import { givenFeedback } from "../given-feedback.ts";
import styles from "./feedback-form.module.css";

const names: Readonly<Record<Verdict, string>> = { right: "Yes", partly: "Partly", wrong: "No" };

/** "Was this right?", and why. The verdict counts toward the organization's accuracy. */
export function FeedbackForm({
  incident,
  userId,
}: {
  readonly incident: Incident;
  readonly userId: string;
}): JSX.Element {
  const given = givenFeedback(incident, userId);
  const [chosen, setChosen] = useState<Verdict | null>(null);
  const queryClient = useQueryClient();
  const reasonId = useId();
  const sending = useMutation({
    mutationFn: ({ verdict, reason }: { verdict: Verdict; reason: string }) =>
      giveFeedback(incident.id, { verdict, ...(reason === "" ? {} : { reason }) }),
    onSuccess: () => {
      setChosen(null);
      toasts.add({ title: "Thank you", description: "Your answer counts toward your organization's accuracy." });
      return queryClient.invalidateQueries(incidentQuery(incident.id));
    },
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget).get("reason") ?? "").trim();
    if (chosen) sending.mutate({ verdict: chosen, reason });
  };
  return (
    <form onSubmit={onSubmit} className={styles.form}>
      <fieldset>
        <legend>Was this right?</legend>
        {verdicts.map((verdict) => (
          <Button
            key={verdict}
            aria-pressed={(chosen ?? given?.verdict) === verdict}
            onClick={() => setChosen(verdict)}
          >
            {names[verdict]}
          </Button>
        ))}
      </fieldset>
      {given && chosen === null ? <p className={styles.soft}>{given.reason ?? "No reason given."}</p> : null}
      {chosen === null ? null : (
        <>
          <label htmlFor={reasonId}>{chosen === "right" ? "Anything to add?" : "What was the actual cause?"}</label>
          <textarea
            id={reasonId}
            name="reason"
            rows={3}
            maxLength={limits.feedbackReasonLengthMax}
            defaultValue={given?.reason ?? ""}
          />
          {sending.error ? <Problem error={sending.error} /> : null}
          <Button type="submit" look="main" busy={sending.isPending}>
            Send
          </Button>
        </>
      )}
    </form>
  );
}
