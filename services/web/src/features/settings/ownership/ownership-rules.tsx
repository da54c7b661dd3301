import { useMutation } from "@tanstack/react-query";
import type { JSX, MouseEvent } from "react";
import { Button } from "../../../components/button.tsx";
import { ConfirmButton } from "../../../components/confirm-button.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Row, Rows } from "../../../components/rows.tsx";
import { replaceOwnership } from "../api/ownership.ts";
import { useChange } from "../use-change.ts";
import { useViewer } from "../viewer.ts";
import { coveredBy, moved, type OwnershipRule, sentRules } from "./ordered-rules.ts";

interface RulesProps {
  readonly rules: readonly OwnershipRule[];
}

/** The rules in the order in which they decide. */
export function OwnershipRules({ rules }: RulesProps): JSX.Element {
  const { isOwner } = useViewer();
  const change = useChange();
  const moving = useMutation({
    mutationFn: ({ from, to }: { readonly from: number; readonly to: number }) =>
      change(replaceOwnership({ rules: sentRules(moved(rules, from, to)) }), `Rule ${from + 1} is now rule ${to + 1}`),
  });
  /** Keeps the focus on the pressed button, which moves with its rule, so that it can be pressed again. */
  const move = async (event: MouseEvent<HTMLButtonElement>, from: number, to: number): Promise<void> => {
    const button = event.currentTarget;
    if (moving.isPending || to < 0 || to >= rules.length) return;
    await moving.mutateAsync({ from, to }).catch(() => undefined);
    button.focus();
  };
  return (
    <>
      {moving.error ? <Problem error={moving.error} /> : null}
      <Rows none="No rules yet. Without one, a new incident has no owner until someone takes it.">
        {rules.map((rule, at) => (
          <Row
            key={keyOf(rules, at)}
            title={<Matched rule={rule} at={at} />}
            facts={[`owned by ${rule.owner.name}`, rule.owner.email, unused(rules, at)]}
            actions={
              isOwner ? (
                <>
                  <Button
                    aria-label={`Move rule ${at + 1} up`}
                    icon="up"
                    aria-disabled={at === 0}
                    onClick={(event) => void move(event, at, at - 1)}
                  />
                  <Button
                    aria-label={`Move rule ${at + 1} down`}
                    icon="down"
                    aria-disabled={at === rules.length - 1}
                    onClick={(event) => void move(event, at, at + 1)}
                  />
                  <Delete rules={rules} at={at} />
                </>
              ) : null
            }
          />
        ))}
      </Rows>
    </>
  );
}

function Matched({ rule, at }: { readonly rule: OwnershipRule; readonly at: number }): JSX.Element {
  return (
    <>
      {at + 1}. {rule.match === "service" ? "service" : "file"} <code>{rule.pattern}</code>
    </>
  );
}

/** Follows a rule when it moves; equal rules differ by their order. */
function keyOf(rules: readonly OwnershipRule[], at: number): string {
  const keys = rules.slice(0, at + 1).map(({ match, pattern, owner }) => JSON.stringify([match, pattern, owner.id]));
  return `${keys.filter((key) => key === keys[at]).length} ${keys[at]}`;
}

function unused(rules: readonly OwnershipRule[], at: number): string | null {
  const first = coveredBy(rules, at);
  return first === undefined ? null : `never decides: rule ${first + 1} matches the same`;
}

function Delete({ rules, at }: RulesProps & { readonly at: number }): JSX.Element {
  const change = useChange();
  return (
    <ConfirmButton
      label="Delete"
      of={`rule ${at + 1}`}
      title={`Delete rule ${at + 1}?`}
      action={() => change(replaceOwnership({ rules: sentRules(rules.toSpliced(at, 1)) }), "Rule deleted")}
    >
      <p>New incidents get their owner from the other rules. Incidents keep the owner they have.</p>
    </ConfirmButton>
  );
}
