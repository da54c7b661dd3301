import type { JSX } from "react";
import { CopyField } from "../../../components/copy-field.tsx";
import { Form } from "../../../components/form.tsx";
import { enterCode, type TwoFactorSetup as Setup } from "../api/two-factor.ts";
import { CodeField } from "./code-field.tsx";
import { QrCode } from "./qr-code.tsx";

/** Hands the secret to an authenticator app, and takes a code of it as proof. */
export function TwoFactorSetup({
  setup,
  onDone,
}: {
  readonly setup: Setup;
  readonly onDone: () => Promise<void>;
}): JSX.Element {
  const secret = new URL(setup.totpURI).searchParams.get("secret") ?? "";
  return (
    <>
      <p>Scan this with an authenticator app, or enter the key there. Then enter the code that the app shows.</p>
      <QrCode label="QR code with the key for your authenticator app" value={setup.totpURI} />
      <CopyField label="Key" value={secret} />
      <Form
        action="Turn on"
        submit={async ({ code = "" }) => {
          await enterCode(code);
          await onDone();
        }}
      >
        <CodeField />
      </Form>
    </>
  );
}
