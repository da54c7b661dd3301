import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Feedback, type Incident, limits, type Verdict } from "@whence/protocol";
import { type FormEvent, type JSX, useId, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Problem } from "../../../components/problem.tsx";
import { toasts } from "../../../components/toasts.tsx";
import { giveFeedback } from "../api/change-incident.ts";
import { incidentQuery } from "../api/get-incident.ts";
import styles from "./feedback-form.module.css";
import { givenFeedback } from "./given-feedback.ts";

const choices = [
  ["right", "Yes"],
  ["wrong", "No"],
] as const satisfies readonly (readonly [Verdict, string])[];

interface FeedbackFormProps {
  readonly incident: Incident;
  readonly userId: string;
}

/** "Right?": the answer is kept on click, and a reason may follow. It counts toward the organization's accuracy. */
export function FeedbackForm({ incident, userId }: FeedbackFormProps): JSX.Element {
  const given = givenFeedback(incident, userId);
  const [isExplaining, setExplaining] = useState(false);
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (feedback: { readonly verdict: Verdict; readonly reason?: string }) =>
      giveFeedback(incident.id, feedback),
    onSuccess: (_, { reason }) => {
      setExplaining(reason === undefined);
      toasts.add({ title: "Thank you", description: "Your answer counts toward your organization's accuracy." });
      return queryClient.invalidateQueries({ queryKey: incidentQuery(incident.id).queryKey, exact: true });
    },
  });
  return (
    <div className={styles.feedback}>
      <fieldset>
        <legend>Right?</legend>
        {choices.map(([verdict, name]) => (
          <Button
            key={verdict}
            aria-pressed={given?.verdict === verdict}
            busy={isPending}
            onClick={() => (verdict === given?.verdict ? setExplaining(true) : mutate({ verdict }))}
          >
            {name}
          </Button>
        ))}
        {given?.verdict === "partly" ? <span className={styles.soft}>You said: partly.</span> : null}
      </fieldset>
      {error ? <Problem error={error} /> : null}
      {given && !isExplaining && given.reason !== null ? <p className={styles.soft}>{given.reason}</p> : null}
      {given && isExplaining ? <Reason given={given} isPending={isPending} send={mutate} /> : null}
    </div>
  );
}

interface ReasonProps {
  readonly given: Pick<Feedback, "verdict" | "reason">;
  readonly isPending: boolean;
  send(feedback: { readonly verdict: Verdict; readonly reason: string }): void;
}

function Reason({ given: { verdict, reason: written }, isPending, send }: ReasonProps): JSX.Element {
  const id = useId();
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget).get("reason") ?? "").trim();
    if (reason !== "") send({ verdict, reason });
  };
  return (
    <form onSubmit={onSubmit} className={styles.reason}>
      <label htmlFor={id}>{verdict === "right" ? "Anything to add?" : "What was the actual cause?"}</label>
      <textarea
        id={id}
        name="reason"
        rows={2}
        maxLength={limits.feedbackReasonLengthMax}
        defaultValue={written ?? ""}
      />
      <Button type="submit" busy={isPending}>
        Send
      </Button>
    </form>
  );
}
