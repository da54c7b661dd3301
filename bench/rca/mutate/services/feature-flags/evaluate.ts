import { bucketOf } from './bucket.ts';
import type { FlagStore } from './flag-store.ts';
import type { Segments } from './segments.ts';
import type { Condition, Flag, Serve, User, Value } from './types.ts';

interface Context {
  flags: FlagStore;
  segments: Segments;
}

export function evaluate(name: string, flag: Flag, user: User, context: Context): Value {
  for (const required of flag.requires ?? []) {
    const other = evaluate(required, context.flags.find(required), user, context);
    if (!other) return false;
  }
  const rule = flag.rules.find((each) => matches(each.if, user, context));
  return serve(rule?.serve ?? flag.default, name, user);
}

function matches(condition: Condition, user: User, { segments }: Context): boolean {
  if (condition.segment !== undefined) return segments.of(user.id).includes(condition.segment);
  const value = user[condition.attribute!];
  return condition.in ? condition.in.includes(value) : value === condition.is;
}

function serve({ value, percent }: Serve, name: string, user: User): Value {
  if (percent !== undefined) return bucketOf(name, user.id) < percent;
  if (value === undefined) throw new Error(`${name} serves nothing to ${user.id}`);
  return value;
}
