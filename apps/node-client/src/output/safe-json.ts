/**
 * What JSON lets through and a terminal or a reader may stumble over: DEL and the 8-bit controls, line and paragraph
 * separators, bidirectional controls, zero-width and other invisible characters.
 */
const UNSAFE =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/**
 * JSON whose text is harmless where it is printed: what `JSON.stringify` leaves as it is and no person can see is
 * written as an escape. Nothing is lost: whoever parses it gets the value.
 */
export function safeJson(value: unknown, indent?: number): string {
  return (JSON.stringify(value, undefined, indent) ?? "null").replace(UNSAFE, escaped);
}

function escaped(character: string): string {
  let units = "";
  for (let at = 0; at < character.length; at++) {
    units += `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
  }
  return units;
}
