import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type JSX, type ReactNode, useEffect, useRef } from "react";
import { type FieldProblems, fieldProblems } from "../lib/field-problems.ts";
import { Button } from "./button.tsx";
import styles from "./form.module.css";
import { Problem } from "./problem.tsx";

export interface FormProps {
  /** The submit button's text. */
  readonly action: string;
  /** Called with the fields by name. */
  readonly submit: (fields: Readonly<Record<string, string>>) => Promise<void>;
  /** The fields. A function receives the problem of each rejected field, to show it there. */
  readonly children: ReactNode | ((problems: FieldProblems) => ReactNode);
  /** Turns off the browser's own validation where `submit` validates. */
  readonly noValidate?: boolean;
  /** Puts the fields and the button in one row, if there is room. */
  readonly inline?: boolean;
}

/** A form that shows why it was rejected, and keeps what was entered. */
export function Form({ action, submit, children, noValidate = false, inline = false }: FormProps): JSX.Element {
  const sending = useMutation({ mutationFn: submit });
  const formRef = useRef<HTMLFormElement>(null);
  const problems = fieldProblems(sending.error);
  useEffect(() => {
    if (sending.error) formRef.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [sending.error]);
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const fields = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)] as const);
    sending.mutate(Object.fromEntries(fields));
  };
  const isAtFields = typeof children === "function" && Object.keys(problems).length > 0;
  return (
    <form ref={formRef} onSubmit={onSubmit} noValidate={noValidate} className={inline ? styles.inline : styles.form}>
      {sending.error && !isAtFields ? <Problem error={sending.error} /> : null}
      {typeof children === "function" ? children(problems) : children}
      <Button type="submit" look="main" busy={sending.isPending}>
        {action}
      </Button>
    </form>
  );
}
