import { VendorFailure } from "../http/vendor-failure.ts";
import type { LanguageModelProvider } from "../language-models/language-model-provider.ts";

/** Amazon Bedrock's Converse API. */
export const amazonBedrock: LanguageModelProvider = {
  name: "amazon-bedrock",
  async open(
    { access_key_id: accessKeyId = "", secret_access_key: secretAccessKey = "", region = "" },
    modelName,
    { documented, fetch },
  ) {
    if (!/^[a-z]{2,4}(?:-[a-z]+)+-\d$/.test(region))
      throw new VendorFailure("invalid-input", "the region isn't a name such as eu-central-1");
    const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
    const domain = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
    const baseURL = documented(`https://bedrock-runtime.${region}.${domain}`);
    // An empty API key and session token keep the library from taking them from the environment, like the address.
    const credentials = { accessKeyId, secretAccessKey, sessionToken: "", apiKey: "" };
    return createAmazonBedrock({ ...credentials, region, baseURL, fetch })(modelName);
  },
};
