/** The inputs of an alert source, entered or generated, with secrets in plain text. */
export type SenderInputs = Readonly<Record<string, string>>;
