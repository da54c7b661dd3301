import { useMutation } from "@tanstack/react-query";
import type { FormEvent, JSX, ReactNode } from "react";
import { Button } from "../../../components/button.tsx";
import { Problem } from "../../../components/problem.tsx";

export interface AccountFormProps {
  readonly action: string;
  /** Told the fields by their names. */
  readonly submit: (fields: Readonly<Record<string, string>>) => Promise<void>;
  readonly children: ReactNode;
}

/** A form that shows why it was refused, and keeps what was typed. */
export function AccountForm({ action, submit, children }: AccountFormProps): JSX.Element {
  const sending = useMutation({ mutationFn: submit });
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const fields = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)] as const);
    sending.mutate(Object.fromEntries(fields));
  };
  return (
    <form onSubmit={onSubmit}>
      {sending.error ? <Problem error={sending.error} /> : null}
      {children}
      <Button type="submit" look="main" busy={sending.isPending}>
        {action}
      </Button>
    </form>
  );
}
