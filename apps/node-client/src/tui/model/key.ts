/** Pressed key, or text that was typed or pasted in one piece. */
export type Key =
  | { readonly name: "text"; readonly text: string }
  | { readonly name: "ctrl"; readonly letter: string }
  | { readonly name: KeyName };

type KeyName =
  | ("enter" | "newline" | "escape" | "tab" | "backtab" | "backspace" | "delete" | "delete-word")
  | ("up" | "down" | "left" | "right" | "word-left" | "word-right")
  | ("home" | "end" | "page-up" | "page-down");

/** Sequences that switch bracketed paste on and off. With it, a line break in a paste is text and not the key Enter. */
export const pasteMode = { on: "\u001b[?2004h", off: "\u001b[?2004l" } as const;

/** Reader of the input of a terminal in raw mode. */
export interface KeyReader {
  /** Reads a piece of input. If a sequence or a paste is incomplete, the next piece may continue it. */
  read(input: string): void;
  /** Drops an incomplete sequence or paste. */
  stop(): void;
}

/**
 * Time after which a single escape character counts as the key Escape, in milliseconds. With
 * input before this time, the escape character begins a sequence.
 */
const ESCAPE_MS = 50;
/** Time without input after which a paste has ended, in milliseconds. The end mark may be missing. */
const PASTE_MS = 1000;
/** Maximum length of one paste in characters. The rest of a longer paste is dropped. */
const MAX_PASTE = 1024 * 1024;
/** Sequences before and after a paste. */
const PASTE = { begin: "\u001b[200~", end: "\u001b[201~" } as const;

/** Creates a {@link KeyReader} that calls `press` for each key. */
export function createKeyReader(press: (key: Key) => void): KeyReader {
  let open = "";
  let paste: string | undefined;
  let timer: NodeJS.Timeout | undefined;

  const giveUp = () => {
    const isEscape = open === "\u001b" || open === "\u001b\u001b";
    open = "";
    if (isEscape) press({ name: "escape" });
  };
  const pressIf = (key: Key | undefined) => key && press(key);
  const endPaste = () => {
    const text = `${paste}${open}`;
    paste = undefined;
    open = "";
    pressIf(textKey(text.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\n\t]/gu, "")));
  };

  function readPaste(text: string, before: string): void {
    const at = text.indexOf(PASTE.end);
    // The last characters may be the beginning of the end mark.
    const upTo = at < 0 ? Math.max(0, text.length - PASTE.end.length + 1) : at;
    paste = (before + text.slice(0, upTo)).slice(0, MAX_PASTE);
    open = at < 0 ? text.slice(upTo) : "";
    if (at < 0) {
      timer = setTimeout(endPaste, PASTE_MS);
      return;
    }
    endPaste();
    readKeys(text.slice(at + PASTE.end.length));
  }

  function readKeys(text: string): void {
    const begin = text.indexOf(PASTE.begin);
    for (const { 0: piece, groups = {} } of (begin < 0 ? text : text.slice(0, begin)).matchAll(PIECE)) {
      open = groups.open ?? "";
      if (open === "") pressIf(keyOf(piece, groups));
    }
    if (begin >= 0) {
      open = "";
      readPaste(text.slice(begin + PASTE.begin.length), "");
    } else if (open.length > MAX_SEQUENCE) open = "";
    else if (open !== "") timer = setTimeout(giveUp, ESCAPE_MS);
  }

  return {
    read(input) {
      clearTimeout(timer);
      const text = open + input;
      open = "";
      if (paste === undefined) readKeys(text);
      else readPaste(text, paste);
    },
    stop: () => clearTimeout(timer),
  };
}

/** Maximum length of an incomplete sequence in characters. A longer one is dropped. */
const MAX_SEQUENCE = 4096;

/**
 * Pieces of input:
 * - an incomplete sequence at the end
 * - a report of the mouse
 * - an answer of the terminal
 * - the sequence of a key
 * - a character with Alt
 * - a control character
 * - typed text
 */
const PIECE = new RegExp(
  [
    "(?<open>\\x1b\\[M[^]{0,2}|\\x1b[\\]P^_X][^\\x07\\x1b]*\\x1b?|\\x1b{1,2}(?:(?:\\[\\[?|O)[0-?]*[ -/]*)?)$",
    "(?<report>\\x1b\\[M[^]{3}|\\x1b[\\]P^_X][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\))",
    "(?<escapes>\\x1b{1,2})(?<kind>[[O])(?<params>[0-?]*)[ -/]*(?<final>\\[?[@-~])",
    "\\x1b(?<alt>[^\\x1b])",
    "\\p{Cc}",
    "\\P{Cc}+",
  ].join("|"),
  "gu",
);

const controls: ReadonlyMap<string, KeyName> = new Map([
  ["\u001b", "escape"],
  ["\r", "enter"],
  ["\n", "newline"],
  ["\t", "tab"],
  ["\u007f", "backspace"],
  ["\b", "backspace"],
]);
/** Keys by the end of their sequence: its last letter, or the number before `~` or `u`. */
const sequences: Readonly<Record<string, KeyName>> = {
  ...{ A: "up", B: "down", C: "right", D: "left", F: "end", H: "home", Z: "backtab" },
  ...{ "1~": "home", "3~": "delete", "4~": "end", "5~": "page-up", "6~": "page-down", "7~": "home", "8~": "end" },
  ...{ "13u": "enter", OM: "enter" },
};
/** Keys that Alt or Ctrl turns into another key. */
const modified: Partial<Readonly<Record<KeyName, KeyName>>> = {
  ...{ enter: "newline", backspace: "delete-word", delete: "delete-word", left: "word-left", right: "word-right" },
};
const withAlt: Readonly<Record<string, KeyName>> = { b: "word-left", f: "word-right" };
const SHIFT = 1;

/** Returns the key of a piece of input. Returns `undefined` for an unused key and for a piece that is not a key. */
function keyOf(piece: string, groups: Record<string, string | undefined>): Key | undefined {
  const { report, escapes, kind, params = "", final, alt } = groups;
  // Other sequences are reports or answers, for example of a mouse.
  if (report !== undefined || !/^[\d;]*$/.test(params)) return undefined;
  if (final !== undefined) {
    const [code, modifiers] = params.split(";");
    const name = sequences[final === "~" || final === "u" ? `${code}${final}` : final === "M" ? `${kind}M` : final];
    const held = Number(modifiers ?? 1) - 1;
    const isModified = escapes?.length === 2 || (name === "enter" ? held : held & ~SHIFT) > 0;
    return name && { name: (isModified ? modified[name] : undefined) ?? name };
  }
  if (alt !== undefined) {
    const name = withAlt[alt] ?? modified[controls.get(alt) ?? "escape"];
    return name && { name };
  }
  const name = controls.get(piece);
  if (name !== undefined) return { name };
  const code = piece.charCodeAt(0);
  return code < 0x20 ? ({ name: "ctrl", letter: String.fromCharCode(code + 0x60) } as const) : textKey(piece);
}

function textKey(text: string): Key | undefined {
  return text === "" ? undefined : { name: "text", text };
}
