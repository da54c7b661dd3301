import {
  type ModelProvider,
  type ModelProviderName,
  type ModelSettings,
  modelBudgetSchema,
  modelProviderNames,
  modelProviders,
} from "@whence/protocol";
import { type JSX, useState } from "react";
import { Field } from "../../../components/field.tsx";
import { Form } from "../../../components/form.tsx";
import { Select } from "../../../components/select.tsx";
import type { FieldProblems } from "../../../lib/field-problems.ts";
import { connectModel } from "../api/model.ts";
import { ConnectionInput } from "../components/connection-input.tsx";
import styles from "../components/settings-page.module.css";
import { useChange } from "../use-change.ts";
import { askedInput, budgetCounts, budgetUsd, enteredModel, priceFields } from "./entered-model.ts";

const options = modelProviderNames.map((value) => ({ value, name: modelProviders[value].label }));
const defaults = modelBudgetSchema.parse({});

/** Connects a model or changes it. `current` is the organization's own. */
export function ModelForm({ current }: { readonly current: ModelSettings | null }): JSX.Element {
  const change = useChange();
  const [provider, setProvider] = useState<ModelProviderName>(current?.provider ?? "ollama");
  const { inputs, example }: ModelProvider = modelProviders[provider];
  const before = current?.provider === provider ? current : null;
  return (
    <Form
      action={current ? "Save model" : "Connect model"}
      noValidate
      submit={async (fields) => {
        await change(connectModel(enteredModel(provider, fields, current)), "Model saved");
      }}
    >
      {(problems) => (
        <>
          <Select
            label="Provider"
            options={options}
            value={provider}
            onChange={({ target }) => setProvider(modelProviderNames.find((name) => name === target.value) ?? provider)}
          />
          <Field
            key={`name of ${provider}`}
            label="Model name"
            name="name"
            hint={`As the provider calls it. For example, ${example}.`}
            problem={problems.name}
            spellCheck={false}
            autoComplete="off"
            defaultValue={before?.name}
          />
          {inputs.map((input) => (
            <ConnectionInput
              key={`${provider} ${input.name}`}
              input={askedInput(input, before)}
              shown={before?.inputs[input.name]}
              problem={problems[input.name]}
            />
          ))}
          <Numbers current={current} problems={problems} />
        </>
      )}
    </Form>
  );
}

interface NumbersProps {
  readonly current: ModelSettings | null;
  readonly problems: FieldProblems;
}

/** Prices and budgets. */
function Numbers({ current, problems }: NumbersProps): JSX.Element {
  const { prices = null, budget = defaults } = current ?? {};
  const common = { inputMode: "decimal", autoComplete: "off" } as const;
  return (
    <div className={styles.pair}>
      {budgetCounts.map(([name, label]) => (
        <Field
          key={name}
          {...common}
          {...{ label, name }}
          hint={`Default: ${defaults[name]}`}
          problem={problems[`budget.${name}`]}
          defaultValue={budget[name]}
        />
      ))}
      {budgetUsd.map(([name, label]) => (
        <Field
          key={name}
          {...common}
          {...{ label, name }}
          hint="Empty for no limit. Needs prices."
          problem={problems[`budget.${name}`]}
          defaultValue={budget[name] ?? ""}
        />
      ))}
      {priceFields.map(([name, label]) => (
        <Field
          key={name}
          {...common}
          {...{ label, name }}
          hint="From the provider's price list. Empty: the cost is unknown."
          problem={problems[`prices.${name}`] ?? problems.prices}
          defaultValue={prices?.[name] ?? ""}
        />
      ))}
    </div>
  );
}
