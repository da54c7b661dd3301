const secondsPerMinute = 60;
const secondsPerHour = 3600;

export function describe(seconds: number[]): string {
  const total = seconds.reduce((sum, each) => sum + each, 0);
  if (!Number.isInteger(total) || total <= 0) throw new RangeError(`a length of ${total} s`);
  const hours = Math.floor(total / secondsPerHour);
  const minutes = Math.floor((total % secondsPerHour) / secondsPerMinute);
  return [hours && `${hours} h`, `${minutes} min`, `${(total % secondsPerMinute).toString().padStart(2, '0')} s`].filter(Boolean).join(' ');
}
