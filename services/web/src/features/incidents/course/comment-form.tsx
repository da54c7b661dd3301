import { useQuery } from "@tanstack/react-query";
import { limits } from "@whence/protocol";
import { type FormEvent, type JSX, type KeyboardEvent, type RefObject, useId, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { commentOn } from "../api/change-incident.ts";
import { teammatesQuery } from "../api/get-members.ts";
import { useChange } from "../use-change.ts";
import styles from "./comment-form.module.css";
import { offeredMentions, withMention } from "./mention.ts";

interface CommentFormProps {
  /** Of the incident. */
  readonly id: string;
  readonly organizationId: string | null;
  readonly ref: RefObject<HTMLTextAreaElement | null>;
}

/** The box for a comment. `@` offers members; Ctrl or ⌘ with Enter sends it. */
export function CommentForm({ id, organizationId, ref }: CommentFormProps): JSX.Element {
  const [text, setText] = useState("");
  const boxId = useId();
  const { data: members = [] } = useQuery({
    ...teammatesQuery(organizationId ?? ""),
    enabled: organizationId !== null,
  });
  const { mutate, isPending } = useChange(id, { send: commentOn, said: () => "Comment added" });
  const send = (): void => {
    if (text.trim() !== "" && !isPending) mutate({ text }, { onSuccess: () => setText("") });
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    send();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
      send();
      // The page's keys work again, and reading goes on with the activity.
      event.currentTarget.closest("details")?.querySelector("summary")?.focus();
    }
    if (event.key === "Escape") event.currentTarget.blur();
  };
  return (
    <form onSubmit={onSubmit} className={styles.form}>
      <label htmlFor={boxId}>Comment</label>
      <textarea
        id={boxId}
        ref={ref}
        rows={2}
        maxLength={limits.commentLengthMax}
        placeholder="@ mentions a member"
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKeyDown}
      />
      <div className={styles.actions}>
        {offeredMentions(text, members).map((member) => (
          <Button
            key={member.id}
            look="quiet"
            onClick={() => {
              setText(withMention(text, member, members));
              ref.current?.focus();
            }}
          >
            @{member.name}
          </Button>
        ))}
        <Button type="submit" busy={isPending}>
          Comment
        </Button>
      </div>
    </form>
  );
}
