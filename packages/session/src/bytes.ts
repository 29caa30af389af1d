/** What one small object or list, one member of it, and one string cost beside their contents. */
const HOLDER = 24;
const SLOT = 8;
const TEXT = 16;

/**
 * An estimate, in bytes, of what a JSON value holds: two bytes for each UTF-16 unit of its strings (what they cost unless they are all Latin), and
 * something for each object and member. Counting stops soon after `most`, so that the answer is cheap and the same
 * whenever the same value is counted.
 */
export function bytesOf(value: unknown, most: number): number {
  if (typeof value === "string") return TEXT + 2 * value.length;
  if (typeof value !== "object" || value === null) return 0;
  if (Array.isArray(value) && value.length === 0) return 0;
  let bytes = 0;
  // Not recursive: JSON from a peer may be nested deeper than a call stack.
  let open: object[] | undefined;
  const count = (member: unknown): void => {
    bytes += SLOT;
    if (typeof member === "string") bytes += TEXT + 2 * member.length;
    else if (typeof member === "object" && member !== null) {
      if (open === undefined) open = [member];
      else open.push(member);
    }
  };
  for (let holder: object | undefined = value; holder !== undefined && bytes <= most; holder = open?.pop()) {
    bytes += HOLDER;
    if (Array.isArray(holder)) {
      for (let index = 0; index < holder.length && bytes <= most; index++) count(holder[index]);
    } else {
      for (const key in holder) {
        const member = (holder as { readonly [key: string]: unknown })[key];
        // JSON does not have it, so a state that was written down weighs the same.
        if (member === undefined) continue;
        if (key.length > SLOT) bytes += key.length;
        count(member);
      }
    }
  }
  return bytes;
}

/** {@link bytesOf} all items of a list. */
export function bytesOfAll(items: Iterable<unknown>, most: number): number {
  let bytes = 0;
  for (const item of items) bytes += bytesOf(item, most);
  return bytes;
}
