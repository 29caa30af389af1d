import type { TerminalState } from "@turnkit/session";
import type { TextInput } from "./text-input.js";

type TerminalExit = NonNullable<TerminalState["exitStatus"]>;

/** Content that one character of a typed text represents. */
export type Fold =
  | { readonly type: "paste"; readonly text: string }
  | { readonly type: "image"; readonly path: string; readonly name: string }
  | { readonly type: "output"; readonly command: string; readonly text: string; readonly exit?: TerminalExit };

/** Folds by their characters. */
export type Folds = ReadonlyMap<string, Fold>;

/** Characters that represent folds. They are from the last private plane of Unicode, which no font uses. */
const FIRST_MARK = 0x10f000;
const MARKS = /[\u{10f000}-\u{10fffd}]/gu;
/** Maximum number of folds, and of characters in all folds. */
const MAX_FOLDS = 1000;
const MAX_FOLDED = 4 * 1024 * 1024;
/** A paste with more lines or characters is folded. */
const MOST_LINES = 10;
const MOST_CHARACTERS = 2000;

/** Returns `true` if a paste is so long that it becomes a fold. */
export function isLongPaste(text: string): boolean {
  return text.length > MOST_CHARACTERS || text.split("\n", MOST_LINES + 1).length > MOST_LINES;
}

/** Replaces characters that would represent a fold. Typed and pasted text must not contain such characters. */
export function withoutMarks(text: string): string {
  return text.replace(MARKS, "\ufffd");
}

/** Adds a fold. Returns `undefined` if there are too many. */
export function addFold(folds: Folds, fold: Fold): { readonly folds: Folds; readonly mark: string } | undefined {
  const size = [...folds.values()].reduce((sum, one) => sum + sizeOf(one), sizeOf(fold));
  if (folds.size >= MAX_FOLDS || size > MAX_FOLDED) return undefined;
  const mark = String.fromCodePoint(FIRST_MARK + folds.size);
  return { folds: new Map([...folds, [mark, fold]]), mark };
}

function sizeOf(fold: Fold): number {
  return fold.type === "image" ? 0 : fold.text.length;
}

/** Returns a text with the label of each fold in place of its character, for the screen. */
export function labelled(text: string, folds: Folds): string {
  return replaced(text, folds, labelOf);
}

export function shownInput({ text, cursor }: TextInput, folds: Folds): TextInput {
  return { text: labelled(text, folds), cursor: labelled(text.slice(0, cursor), folds).length };
}

/** Returns a text without folds: pastes in full, and images by their paths. The history and the editor show this text. */
export function unfolded(text: string, folds: Folds): string {
  return replaced(text, folds, (fold) => {
    if (fold.type === "paste") return fold.text;
    return fold.type === "image" ? fold.path : labelOf(fold);
  });
}

/** Returns a text with its pastes in full, and with the labels of other folds. The agent gets this text. */
export function withPastes(text: string, folds: Folds): string {
  return replaced(text, folds, (fold) => (fold.type === "paste" ? fold.text : labelOf(fold)));
}

/** Returns a text from the editor, in which labels of images and outputs are folds again. */
export function fromEditor(text: string, folds: Folds): string {
  let folded = withoutMarks(text);
  for (const [mark, fold] of folds) {
    if (fold.type !== "paste") folded = folded.replace(labelOf(fold), mark);
  }
  return folded;
}

export function foldsIn(text: string, folds: Folds): readonly Fold[] {
  return (text.match(MARKS) ?? []).flatMap((mark) => folds.get(mark) ?? []);
}

function labelOf(fold: Fold): string {
  switch (fold.type) {
    case "paste":
      return fold.text.includes("\n")
        ? `[pasted ${fold.text.split("\n").length} lines]`
        : `[pasted ${fold.text.length} characters]`;
    case "image":
      return `[image ${fold.name}]`;
    case "output":
      return `[output of ${fold.command.replaceAll("\n", " ").slice(0, 40)}]`;
  }
}

function replaced(text: string, folds: Folds, by: (fold: Fold) => string): string {
  if (folds.size === 0) return text;
  return text.replace(MARKS, (mark) => {
    const fold = folds.get(mark);
    return fold === undefined ? "\ufffd" : by(fold);
  });
}
