const perMinute = 12;

export function priceOf(rider, minutes) {
  const paid = Math.max(0, minutes - rider.minutes);
  return paid * perMinute;
}
