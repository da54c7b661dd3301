import type { User } from './types.ts';

export type Segments = ReturnType<typeof openSegments>;

export function openSegments() {
  const members: Record<string, string[]> = {};
  const derived = [
    { name: 'paying', test: (user: User) => user['plan'] !== 'free' },
    { name: 'staff', test: (user: User) => user.groups.includes('staff') },
  ];
  return {
    refresh(user: User): void {
      members[user.id] = derived.filter(({ test }) => test(user)).map(({ name }) => name);
    },
    of: (user: string): string[] => members[user]!.toSorted(),
  };
}
