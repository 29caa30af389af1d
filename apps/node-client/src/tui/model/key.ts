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

/** Reader of a terminal's input in raw mode. */
export interface KeyReader {
  /** Reads input. The rest of an incomplete sequence or paste may follow in the next piece. */
  read(input: string): void;
  /** Drops what is incomplete. */
  stop(): void;
}

/** Milliseconds after which a lone escape character is the key Escape, and not the begin of a sequence. */
const ESCAPE_MS = 50;

/** Makes a {@link KeyReader} that passes keys to `press`. */
export function createKeyReader(press: (key: Key) => void): KeyReader {
  let open = "";
  let timer: NodeJS.Timeout | undefined;
  const giveUp = () => {
    const isEscape = open === "\u001b" || open === "\u001b\u001b";
    open = "";
    if (isEscape) press({ name: "escape" });
  };
  return {
    read(input) {
      clearTimeout(timer);
      const text = open + input;
      open = "";
      for (const { 0: piece, groups = {} } of text.matchAll(PIECE)) {
        const key = groups.open === undefined ? keyOf(piece, groups) : undefined;
        open = groups.open ?? "";
        if (key !== undefined) press(key);
      }
      if (open !== "" && !open.startsWith("\u001b[200~")) timer = setTimeout(giveUp, ESCAPE_MS);
    },
    stop: () => clearTimeout(timer),
  };
}

/** Input in pieces: a paste, an incomplete end, the sequence of a key, a character with Alt, a control, typed text. */
const PIECE = new RegExp(
  [
    "\\x1b\\[200~(?<paste>[^]*?)\\x1b\\[201~",
    "(?<open>\\x1b\\[200~[^]*|\\x1b{1,2}(?:(?:\\[\\[?|O)[0-?]*[ -/]*)?)$",
    "(?<escapes>\\x1b{1,2})[[O](?<params>[0-?]*)[ -/]*(?<final>\\[?[@-~])",
    "\\x1b(?<alt>[^\\x1b])",
    "\\p{Cc}",
    "\\P{Cc}+",
  ].join("|"),
  "gu",
);

const controls: Readonly<Record<string, KeyName>> = {
  ...{ "\u001b": "escape", "\r": "enter", "\n": "newline", "\t": "tab", "\u007f": "backspace", "\b": "backspace" },
};
/** Keys by the last letter of their sequence, and those that end in `~` or `u` by their number. */
const sequences: Readonly<Record<string, KeyName>> = {
  ...{ A: "up", B: "down", C: "right", D: "left", F: "end", H: "home", M: "enter", Z: "backtab" },
  ...{ "1~": "home", "3~": "backspace", "4~": "end", "5~": "page-up", "6~": "page-down", "7~": "home", "8~": "end" },
  "13u": "enter",
};
/** Meanings of keys with Alt or Ctrl. */
const modified: Partial<Readonly<Record<KeyName, KeyName>>> = {
  ...{ enter: "newline", backspace: "delete-word", left: "word-left", right: "word-right" },
};
const withAlt: Readonly<Record<string, KeyName>> = { b: "word-left", f: "word-right" };
const SHIFT = 1;

/** Returns the key of a piece; `undefined` for keys without a use. */
function keyOf(piece: string, { paste, escapes, params = "", final, alt }: Record<string, string | undefined>) {
  if (paste !== undefined) return textKey(paste.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\n\t]/gu, ""));
  if (final !== undefined) {
    const [code, modifiers] = params.split(";");
    const name = sequences[final === "~" || final === "u" ? `${code}${final}` : final];
    const held = Number(modifiers ?? 1) - 1;
    const isModified = escapes?.length === 2 || (name === "enter" ? held : held & ~SHIFT) > 0;
    return name && { name: (isModified ? modified[name] : undefined) ?? name };
  }
  if (alt !== undefined) {
    const name = withAlt[alt] ?? modified[controls[alt] ?? "escape"];
    return name && { name };
  }
  const name = controls[piece];
  if (name !== undefined) return { name };
  const code = piece.charCodeAt(0);
  return code < 0x20 ? ({ name: "ctrl", letter: String.fromCharCode(code + 0x60) } as const) : textKey(piece);
}

function textKey(text: string): Key | undefined {
  return text === "" ? undefined : { name: "text", text };
}
