import { z } from "zod";

const organization = z.object({ id: z.string(), name: z.string(), role: z.string() });

/** The answer of `GET /api/session`: who is signed in, and for which organization they act. */
export const sessionSchema = z.object({
  user: z.object({ id: z.string(), name: z.string(), email: z.string() }),
  /** The active one; null for a person without an organization. */
  organization: organization.nullable(),
  /** All that the user belongs to, the earliest joined first. */
  organizations: z.array(organization),
});
export type Session = z.infer<typeof sessionSchema>;

export const signInProviders = ["github", "google"] as const;
export type SignInProvider = (typeof signInProviders)[number];

/** The answer of `GET /api/sign-in`: how people get in here. */
export const signInOptionsSchema = z.object({
  /** Beside email and password. */
  providers: z.array(z.enum(signInProviders)),
  /** Whether strangers may sign up by themselves. */
  sign_up: z.enum(["open", "invited"]),
});
export type SignInOptions = z.infer<typeof signInOptionsSchema>;

const token = z.string().min(1).max(200);

/** The body of `POST /api/setup`: the first owner of a new service. */
export const setupRequestSchema = z.object({
  token,
  name: z.string().min(1).max(100),
  email: z.email().toLowerCase(),
  password: z.string().min(8).max(128),
});
export type SetupRequest = z.infer<typeof setupRequestSchema>;
