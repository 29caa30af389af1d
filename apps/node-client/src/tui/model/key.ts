/** Pressed key, or text that was typed or pasted in one piece. */
export type Key =
  | { readonly name: "text"; readonly text: string; readonly isPaste?: true }
  | { readonly name: "ctrl"; readonly letter: string }
  | { readonly name: KeyName };

type KeyName =
  | ("enter" | "newline" | "escape" | "tab" | "backtab" | "backspace" | "delete" | "delete-word")
  | ("up" | "down" | "left" | "right" | "word-left" | "word-right")
  | ("home" | "end" | "page-up" | "page-down");

/**
 * Sequences that switch bracketed paste on and off. With bracketed paste, a line break in a paste is text and not the
 * key Enter.
 */
export const pasteMode = { on: "\u001b[?2004h", off: "\u001b[?2004l" } as const;

/**
 * Sequences of the kitty keyboard protocol. With this protocol, a terminal reports Shift-Enter as a separate key. A
 * terminal with this protocol answers `ask`. Then `on` switches the protocol on, and `off` restores the earlier mode.
 */
export const kittyKeys = { ask: "\u001b[?u", on: "\u001b[>1u", off: "\u001b[<u" } as const;

/**
 * Time after which a single escape character counts as the key Escape, in milliseconds. With
 * input before this time, the escape character begins a sequence.
 */
const ESCAPE_MS = 50;
/** Time without input after which a paste has ended, in milliseconds. The end mark may be missing. */
const PASTE_MS = 1000;
/** Maximum length of one paste in characters. The rest of a longer paste is dropped. */
const MAX_PASTE = 1024 * 1024;
const PASTE = { begin: "\u001b[200~", end: "\u001b[201~" } as const;

/**
 * Creates a reader of the input of a terminal in raw mode. It calls `press` for each key, `onKitty` for each answer of a
 * terminal that supports the kitty keyboard protocol, and `onRow` for each report of the cursor's row.
 */
export function createKeyReader(press: (key: Key) => void, onKitty?: () => void, onRow?: (row: number) => void) {
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
    const pasted = textKey(text.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\n\t]/gu, ""));
    pressIf(pasted && { ...pasted, isPaste: true });
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
      if (open !== "") continue;
      if (groups.final === "u" && groups.params?.startsWith("?")) onKitty?.();
      else if (isPlace(groups)) onRow?.(Number.parseInt(groups.params ?? "", 10));
      else pressIf(keyOf(piece, groups));
    }
    if (begin >= 0) {
      open = "";
      readPaste(text.slice(begin + PASTE.begin.length), "");
    } else if (open.length > MAX_SEQUENCE) open = "";
    else if (open !== "") timer = setTimeout(giveUp, ESCAPE_MS);
  }

  return {
    /** Reads a piece of input. If a sequence or a paste is incomplete, the next piece may continue it. */
    read(input: string): void {
      clearTimeout(timer);
      const text = open + input;
      open = "";
      if (paste === undefined) readKeys(text);
      else readPaste(text, paste);
    },
    /** Drops an incomplete sequence or paste. */
    stop(): void {
      clearTimeout(timer);
      open = "";
      paste = undefined;
    },
  };
}

/** Returns `true` for a report of the cursor's row and column. The key F3 has the same last letter. */
function isPlace({ kind, params = "", final }: Record<string, string | undefined>): boolean {
  return kind === "[" && final === "R" && /^\d+;\d+$/.test(params);
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
/** Keys by the end of their sequence: its last letter, or the number before `~`. */
const sequences: Readonly<Record<string, KeyName>> = {
  ...{ A: "up", B: "down", C: "right", D: "left", F: "end", H: "home", Z: "backtab", OM: "enter" },
  ...{ "1~": "home", "3~": "delete", "4~": "end", "5~": "page-up", "6~": "page-down", "7~": "home", "8~": "end" },
};
/** Keys by their codes in the kitty protocol. The large codes belong to the number pad. */
const codes: Readonly<Record<number, KeyName>> = {
  ...{ 9: "tab", 13: "enter", 27: "escape", 127: "backspace", 57414: "enter", 57417: "left", 57418: "right" },
  ...{ 57419: "up", 57420: "down", 57421: "page-up", 57422: "page-down", 57423: "home", 57424: "end", 57426: "delete" },
};
/** Keys that Alt or Ctrl turns into another key. */
const modified: Partial<Readonly<Record<KeyName, KeyName>>> = {
  ...{ enter: "newline", backspace: "delete-word", delete: "delete-word", left: "word-left", right: "word-right" },
};
const withAlt: Readonly<Record<string, KeyName>> = { b: "word-left", f: "word-right" };
const [SHIFT, ALT, CTRL] = [1, 2, 4];

/** Returns the key of a piece of input. Returns `undefined` for an unused key and for a piece that is not a key. */
function keyOf(piece: string, groups: Record<string, string | undefined>): Key | undefined {
  const { report, escapes, kind, params = "", final, alt } = groups;
  // Other sequences are reports or answers, for example of a mouse.
  if (report !== undefined || !/^[\d;:]*$/.test(params)) return undefined;
  if (final !== undefined) {
    const [code = 0, modifiers, other = 0] = params.split(";").map((param) => Number.parseInt(param, 10) || 0);
    // The other modifiers are keys such as Super, and the lock keys.
    const held = (Math.max(1, modifiers ?? 1) - 1) & (SHIFT | ALT | CTRL);
    if (final === "u") return keyOfCode(code, held);
    // xterm with modifyOtherKeys writes the code of the key last.
    if (final === "~" && code === 27) return keyOfCode(other, held);
    const name = sequences[final === "~" ? `${code}~` : final === "M" ? `${kind}M` : final];
    return name && withModifiers(name, escapes?.length === 2 ? ALT : held);
  }
  if (alt !== undefined) {
    const name = withAlt[alt] ?? modified[controls.get(alt) ?? "escape"];
    return name && { name };
  }
  const name = controls.get(piece);
  if (name !== undefined) return { name };
  const code = piece.charCodeAt(0);
  // Ctrl-/ has the same code.
  if (code === 0x1f) return { name: "ctrl", letter: "_" };
  return code < 0x20 ? ({ name: "ctrl", letter: String.fromCharCode(code + 0x60) } as const) : textKey(piece);
}

function withModifiers(name: KeyName, held: number): Key {
  if (name === "tab" && held === SHIFT) return { name: "backtab" };
  const isModified = (name === "enter" ? held : held & ~SHIFT) > 0;
  return { name: (isModified ? modified[name] : undefined) ?? name };
}

/** Returns the key for a code of the kitty protocol: a special key, or a character. */
function keyOfCode(code: number, held: number): Key | undefined {
  const name = codes[code];
  if (name !== undefined) return withModifiers(name, held);
  // Codes of the private area are keys without a character, such as Caps Lock.
  if (code < 0x20 || (code >= 0xe000 && code <= 0xf8ff) || code > 0x10ffff) return undefined;
  const letter = String.fromCodePoint(code);
  // The keyboard decides which of these keys is Ctrl-_.
  if ((held & ~SHIFT) === CTRL && "_-/".includes(letter)) return { name: "ctrl", letter: "_" };
  if (held === CTRL) return letter === "j" ? { name: "newline" } : { name: "ctrl", letter: letter.toLowerCase() };
  const altered = held === ALT ? withAlt[letter] : undefined;
  if (altered !== undefined) return { name: altered };
  return (held & ~SHIFT) === 0 ? textKey(letter) : undefined;
}

function textKey(text: string): Extract<Key, { name: "text" }> | undefined {
  return text === "" ? undefined : { name: "text", text };
}
