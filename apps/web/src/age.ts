const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Returns the age of a time in a short form, such as `5 min`, `3 h` or `2 d`. After 14 days, returns the date. Returns
 * an empty text for a time that cannot be read.
 */
export function ageText(time: string | null | undefined, now: number): string {
  const at = Date.parse(time ?? "");
  if (Number.isNaN(at)) return "";
  const age = now - at;
  if (age < -DAY || age >= 14 * DAY) return new Date(at).toISOString().slice(0, 10);
  if (age < MINUTE) return "now";
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`;
  return age < DAY ? `${Math.floor(age / HOUR)} h` : `${Math.floor(age / DAY)} d`;
}
