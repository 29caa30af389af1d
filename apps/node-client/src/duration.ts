import { UsageError } from "./usage-error.js";

const milliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1000, "": 1000, m: 60_000, h: 3_600_000 };
/** The longest that a timer can wait. */
const MAX_MS = 2 ** 31 - 1;

/**
 * Reads a time such as `90` (seconds), `90s`, `1.5m`, `2h` or `500ms`, in milliseconds.
 *
 * @throws UsageError that names the option
 */
export function readDuration(option: string, text: string): number {
  const [, number = "", unit = ""] = /^(\d+(?:\.\d+)?)(ms|s|m|h|)$/.exec(text.trim()) ?? [];
  const ms = Number(number) * (milliseconds[unit] ?? 0);
  if (ms > 0 && ms <= MAX_MS) return ms;
  throw new UsageError(`${option} is a time such as 90, 90s, 5m or 1h, up to 24 days, not "${text}".`);
}
