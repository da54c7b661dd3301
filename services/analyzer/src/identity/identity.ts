import type { IncomingHttpHeaders } from "node:http";
import type { SignInOptions } from "@whence/protocol";

/** Somebody who is signed in, whether or not they belong to an organization. */
export interface Person {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
}

/** A signed-in person, acting for one organization. */
export interface Member extends Person {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly role: string;
}

/** Who people are and whether they are signed in: a boundary around the identity library. */
export interface Identity {
  /** How people get in. */
  readonly options: SignInOptions;
  /** Whose session cookie the headers carry; null without a session. */
  person(headers: IncomingHttpHeaders): Promise<Person | null>;
  /** The member whose session cookie the headers carry; null without a session, or for a user of no organization. */
  member(headers: IncomingHttpHeaders): Promise<Member | null>;
  /** The `Set-Cookie` values of a new session; null when the address and the password do not belong together. */
  signIn(credentials: { email: string; password: string }): Promise<readonly string[] | null>;
  /** The password as it is stored with an account. */
  hashPassword(password: string): Promise<string>;
  /** The library's own routes, below `/api/auth`. */
  handle(request: Request): Promise<Response>;
}
