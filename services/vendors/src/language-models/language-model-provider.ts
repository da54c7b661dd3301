import type { ModelProviderName } from "@whence/protocol";
import type { LanguageModel } from "ai";
import type { ModelConnection } from "./model-connection.ts";

/** A provider's object. Never a model's name alone: the library would send that to a gateway of others. */
export type ProvidedModel = Exclude<LanguageModel, string>;

/** A provider of language models, implemented in one file. */
export interface LanguageModelProvider {
  readonly name: ModelProviderName;
  /** Opens a model with the entered inputs. Throws a `VendorFailure` when one can't be right. Makes no request yet. */
  open(
    inputs: Readonly<Record<string, string>>,
    modelName: string,
    connection: ModelConnection,
  ): Promise<ProvidedModel>;
}
