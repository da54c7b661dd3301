import { useQuery } from "@tanstack/react-query";
import { ownershipLimits } from "@whence/protocol";
import { type JSX, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { ownershipQuery, replaceOwnership } from "../api/ownership.ts";
import { SettingsPage } from "../components/settings-page.tsx";
import { useChange } from "../use-change.ts";
import { useViewer } from "../viewer.ts";
import { type EnteredOwnershipRule, type OwnershipRule, sentRules } from "./ordered-rules.ts";
import { OwnershipRuleForm } from "./ownership-rule-form.tsx";
import { OwnershipRules } from "./ownership-rules.tsx";

/** The rules for who owns new incidents. */
export function OwnershipPage(): JSX.Element {
  const { isOwner } = useViewer();
  const ownership = useQuery(ownershipQuery);
  return (
    <SettingsPage
      title="Ownership"
      lead="Rules give a new incident its owner when its first investigation ends, by its service or by the file in which its report places the cause. The first rule that matches decides; an owner that a person chose stays."
      owners="can add, order, and delete rules"
    >
      <Loaded query={ownership} lines={4}>
        {({ rules }) => (
          <>
            {isOwner && rules.length < ownershipLimits.ownershipRulesMax ? <NewRule rules={rules} /> : null}
            <Panel title="Rules">
              <OwnershipRules rules={rules} />
            </Panel>
          </>
        )}
      </Loaded>
    </SettingsPage>
  );
}

/** Adds a rule after the others. */
function NewRule({ rules }: { readonly rules: readonly OwnershipRule[] }): JSX.Element {
  const change = useChange();
  const [isOpen, setIsOpen] = useState(false);
  const add = async (rule: EnteredOwnershipRule): Promise<void> => {
    await change(replaceOwnership({ rules: [...sentRules(rules), rule] }), "Rule added");
    setIsOpen(false);
  };
  return (
    <>
      <div>
        <Button look={isOpen ? "plain" : "main"} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? "Close" : "Add rule"}
        </Button>
      </div>
      {isOpen ? (
        <Panel title="New rule">
          <OwnershipRuleForm submit={add} />
        </Panel>
      ) : null}
    </>
  );
}
