import type { Key as InkKey } from "ink";

/** Key, or text that was typed or pasted at once. */
export type Key =
  | { readonly name: "text"; readonly text: string }
  | { readonly name: "ctrl"; readonly letter: string }
  | { readonly name: KeyName };

type KeyName =
  | ("enter" | "newline" | "escape" | "tab" | "backtab" | "backspace" | "delete-word")
  | ("up" | "down" | "left" | "right" | "word-left" | "word-right")
  | ("home" | "end" | "page-up" | "page-down");

/** Sequences that switch bracketed paste: line breaks in a paste are text, not Enter. */
export const pasteMode = { on: "\u001b[?2004h", off: "\u001b[?2004l" } as const;

/** Makes a function that turns ink's reports into keys. It remembers an open paste. */
export function createKeyReader(): (input: string, key: Partial<InkKey>) => readonly Key[] {
  let isPasting = false;
  return (input, key) => {
    if (input === "[200~" || input === "[201~") {
      isPasting = input === "[200~";
      return [];
    }
    if (isPasting) {
      const text = key.return === true ? "\n" : key.tab === true ? "\t" : input;
      return text === "" ? [] : [{ name: "text", text: text.replace(/\r\n?/g, "\n") }];
    }
    const named = nameOf(input, key);
    if (named !== undefined) return [{ name: named }];
    if (key.ctrl === true) return input === "" ? [] : [{ name: "ctrl", letter: input }];
    // Ink passes escape sequences of unused keys without their first character.
    return key.meta === true || /^\[[\d;]*[~A-Za-z]$/.test(input) ? [] : typed(input);
  };
}

function nameOf(input: string, key: Partial<InkKey>): KeyName | undefined {
  if (key.return === true) return key.meta === true || key.shift === true ? "newline" : "enter";
  if (input === "\n") return "newline";
  if (key.escape === true) return "escape";
  if (key.tab === true) return key.shift === true ? "backtab" : "tab";
  if (key.upArrow === true) return "up";
  if (key.downArrow === true) return "down";
  const byWord = key.meta === true || key.ctrl === true;
  if (key.leftArrow === true) return byWord ? "word-left" : "left";
  if (key.rightArrow === true) return byWord ? "word-right" : "right";
  // Ink names the usual Backspace `delete`, like the Delete key.
  if (key.backspace === true || key.delete === true) return byWord ? "delete-word" : "backspace";
  if (key.home === true) return "home";
  if (key.end === true) return "end";
  if (key.pageUp === true) return "page-up";
  if (key.pageDown === true) return "page-down";
  if (key.meta !== true) return undefined;
  return input === "b" ? "word-left" : input === "f" ? "word-right" : undefined;
}

const controls: Readonly<Record<string, KeyName>> = {
  "\r": "enter",
  "\n": "newline",
  "\t": "tab",
  "\u007f": "backspace",
  "\b": "backspace",
};

/** Splits fast input, which arrives as one piece with Enter and other control characters in it. */
function typed(input: string): readonly Key[] {
  return (input.match(CONTROL_OR_TEXT) ?? []).map((piece): Key => {
    const name = controls[piece];
    if (name !== undefined) return { name };
    const code = piece.charCodeAt(0);
    return code < 0x20 ? { name: "ctrl", letter: String.fromCharCode(code + 0x60) } : { name: "text", text: piece };
  });
}

const CONTROL_OR_TEXT = /[\p{Cc}]|[^\p{Cc}]+/gu;
