const minutesPerHour = 60;

export function dueAt({ priorities }, priority, opened) {
  const { hours } = priorities[priority];
  return opened + hours * minutesPerHour;
}

export function urgencyOf({ priorities }, { priority, opened, due }, now) {
  const { weight } = priorities[priority];
  const used = (now - opened) / (due - opened);
  if (!(used >= 0)) throw new RangeError(`used ${used} of the time until ${due}`);
  return used * weight;
}
