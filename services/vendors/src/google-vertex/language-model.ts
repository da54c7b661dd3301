import { createPrivateKey } from "node:crypto";
import { VendorFailure } from "../http/vendor-failure.ts";
import type { LanguageModelProvider } from "../language-models/language-model-provider.ts";

const tokenAddress = "https://oauth2.googleapis.com/token";

/** Gemini on Google Vertex AI, with a service account. */
export const googleVertex: LanguageModelProvider = {
  name: "google-vertex",
  async open({ project = "", location = "", client_email = "", private_key = "" }, modelName, { documented, fetch }) {
    if (!/^[a-z][a-z0-9-]*$/.test(location))
      throw new VendorFailure("invalid-input", "the location isn't a name such as europe-west1 or global");
    if (!/^[a-z][a-z0-9:.-]*$/.test(project))
      throw new VendorFailure("invalid-input", "the project isn't a project's id such as my-project-123");
    if (!isRsaKey(private_key))
      throw new VendorFailure("invalid-input", "the private key isn't an RSA key in PEM: enter all of its lines");
    const { createGoogleVertex } = await import("@ai-sdk/google-vertex");
    const path = `/v1beta1/projects/${project}/locations/${location}/publishers/google`;
    const tokens = documented(tokenAddress);
    // The library asks for tokens on its own: they come from the documented address, by the same guarded requests.
    const fetchImplementation: typeof fetch = (_address, init) => fetch(tokens, init);
    return createGoogleVertex({
      project,
      location,
      fetch,
      baseURL: documented(`https://${hostOf(location)}${path}`),
      // An empty API key keeps the library from taking one from the environment.
      apiKey: "",
      googleAuthOptions: {
        credentials: { client_email, private_key },
        clientOptions: { transporterOptions: { fetchImplementation } },
      },
    })(modelName);
  },
};

/** Whether tokens can be signed with it: the library finds out only when it asks for the first one. */
function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}

/** https://cloud.google.com/vertex-ai/generative-ai/docs/learn/locations. */
function hostOf(location: string): string {
  if (location === "global") return "aiplatform.googleapis.com";
  if (location === "eu" || location === "us") return `aiplatform.${location}.rep.googleapis.com`;
  return `${location}-aiplatform.googleapis.com`;
}
