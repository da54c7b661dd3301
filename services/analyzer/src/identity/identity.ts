import type { IncomingHttpHeaders } from "node:http";
import type { SignInOptions } from "@whence/protocol";

/** Someone who is signed in, whether or not they belong to an organization. */
export interface Person {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  /** Whether the address was shown to be theirs. */
  readonly isVerified: boolean;
  /** Whether signing in with the password also takes a code. */
  readonly hasSecondFactor: boolean;
  readonly sessionId: string;
}

/** A signed-in person, acting for one organization. */
export interface Member extends Person {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly role: string;
}

/** An attempt at a password during the delay caused by earlier attempts. */
export class SignInDelayed extends Error {
  readonly seconds: number;

  constructor(seconds: number) {
    super(`the next attempt may come in ${seconds} seconds`);
    this.name = "SignInDelayed";
    this.seconds = seconds;
  }
}

/** Accounts and sessions: a boundary around the identity library. */
export interface Identity {
  /** How people can sign in. */
  readonly options: SignInOptions;
  /** Returns the person whose session cookie the headers carry; null without a session. */
  person(headers: IncomingHttpHeaders): Promise<Person | null>;
  /**
   * Returns the member whose session cookie the headers carry; null without a session, or for a user without an
   * organization.
   */
  member(headers: IncomingHttpHeaders): Promise<Member | null>;
  /**
   * Returns the `Set-Cookie` values of a new session in the browser of a `User-Agent`; null when the address and the password don't match, or a code has
   * to follow. Rejects with {@link SignInDelayed} while earlier attempts delay the next one.
   */
  signIn(credentials: { email: string; password: string }, userAgent?: string): Promise<readonly string[] | null>;
  /** Returns the password as it is stored with an account. */
  hashPassword(password: string): Promise<string>;
  /**
   * Returns whether an organization can do without passwords: an owner has signed in with the operator's OpenID provider.
   */
  canDoWithoutPasswords(organizationId: string): Promise<boolean>;
  /** Handles the library's own routes, below `/api/auth`. */
  handle(request: Request): Promise<Response>;
}
