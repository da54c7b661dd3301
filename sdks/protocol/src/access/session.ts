import { z } from "zod";

const organization = z.object({ id: z.string(), name: z.string(), role: z.string() });

/** The answer of `GET /api/session`: who is signed in, and for which organization they act. */
export const sessionSchema = z.object({
  user: z.object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    /** Whether the address was shown to be the person's. */
    email_verified: z.boolean(),
    /** Whether signing in with the password also takes a code of an authenticator app. */
    two_factor: z.boolean(),
  }),
  /** The active organization; null for a user who belongs to none. */
  organization: organization.nullable(),
  /** All organizations of the user, the earliest joined first. */
  organizations: z.array(organization),
});
export type Session = z.infer<typeof sessionSchema>;

/** `oidc` is the OpenID provider that the operator names. */
export const signInProviders = ["github", "google", "oidc"] as const;
export type SignInProvider = (typeof signInProviders)[number];

/** The answer of `GET /api/sign-in`: the ways to sign in to this service. */
export const signInOptionsSchema = z.object({
  /** Providers offered in addition to email and password. */
  providers: z.array(z.object({ id: z.enum(signInProviders), name: z.string() })),
  /** Whether anyone may sign up, or only people with an invitation. */
  sign_up: z.enum(["open", "invited"]),
});
export type SignInOptions = z.infer<typeof signInOptionsSchema>;

const token = z.string().min(1).max(200);

/** The body of `POST /api/setup`, which creates the first owner of a new service. */
export const setupRequestSchema = z.object({
  token,
  name: z.string().min(1).max(100),
  email: z.email().toLowerCase(),
  password: z.string().min(8).max(128),
});
export type SetupRequest = z.infer<typeof setupRequestSchema>;
