/** Maximum number of lists and objects inside of each other. */
export const MAX_DEPTH = 1_000;

const code = { quote: 0x22, backslash: 0x5c, list: 0x5b, listEnd: 0x5d, object: 0x7b, objectEnd: 0x7d } as const;

/**
 * Returns `true` if a JSON text is nested too deeply. `JSON.parse` takes 2 µs for each level: a body of 16 MiB could stop
 * the process for half a minute.
 */
// REM-22
export function isDeep(text: string): boolean {
  if (text.length <= MAX_DEPTH) return false;
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === code.quote) isString = !isString;
    else if (isString) at += unit === code.backslash ? 1 : 0;
    else if (unit === code.list || unit === code.object) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (unit === code.listEnd || unit === code.objectEnd) depth -= 1;
  }
  return false;
}
