/** Bounds how many model runs a process has at once, so that they never keep first reports waiting. */
export interface ModelPlaces {
  /** Returns what gives the place back; null when all are taken. */
  take(): (() => void) | null;
}

/** Creates places for at most `max` model runs. */
export function modelPlaces(max: number): ModelPlaces {
  let taken = 0;
  return {
    take() {
      if (taken >= max) return null;
      taken += 1;
      let isBack = false;
      return () => {
        if (!isBack) taken -= 1;
        isBack = true;
      };
    },
  };
}
