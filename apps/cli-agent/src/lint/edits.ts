/** Replacement of one stretch of a text. `oldText` must occur in the text exactly once. */
export type TextEdit = { readonly oldText: string; readonly newText: string };

type Change = { readonly value: string; readonly added?: boolean; readonly removed?: boolean };
type Span = { readonly start: number; readonly end: number };
type Hunk = { start: number; end: number; newText: string };
/** Stretch of the old text that one edit replaces, with its hunks. */
type Window = Span & { readonly hunks: readonly Hunk[] };

/**
 * Returns the edits that turn `before` into `after`. Each includes as many lines around it as make its old text unique.
 */
export async function editsBetween(before: string, after: string): Promise<TextEdit[]> {
  // Loaded with the first finding that can be fixed.
  const { diffLines } = await import("diff");
  const windows: Window[] = [];
  for (const hunk of hunksOf(diffLines(before, after))) {
    let window: Window = { ...widen(before, hunk), hunks: [hunk] };
    for (let last = windows.at(-1); last && window.start < last.end; last = windows.at(-1)) {
      window = {
        start: Math.min(last.start, window.start),
        end: Math.max(last.end, window.end),
        hunks: [...last.hunks, ...window.hunks],
      };
      windows.pop();
    }
    windows.push(window);
  }
  return windows.map((window) => toEdit(before, window));
}

/** Returns a unified diff of the two texts without its two header lines. */
export async function patchBetween(before: string, after: string): Promise<string> {
  const { createPatch } = await import("diff");
  return createPatch("file", before, after, "", "", { context: 2 }).split("\n").slice(4).join("\n");
}

function hunksOf(changes: readonly Change[]): Hunk[] {
  const hunks: Hunk[] = [];
  let at = 0;
  let open: Hunk | undefined;
  for (const change of changes) {
    if (!change.added && !change.removed) {
      open = undefined;
      at += change.value.length;
      continue;
    }
    if (!open) {
      open = { start: at, end: at, newText: "" };
      hunks.push(open);
    }
    if (change.added) open.newText += change.value;
    else open.end = at += change.value.length;
  }
  return hunks;
}

/** Extends a stretch by the line before and the line after until it is unique. */
function widen(text: string, { start, end }: Span): Span {
  while (!isUnique(text, { start, end }) && (start > 0 || end < text.length)) {
    if (start > 0) start = start === 1 ? 0 : text.lastIndexOf("\n", start - 2) + 1;
    const lineEnd = text.indexOf("\n", end);
    end = lineEnd < 0 ? text.length : lineEnd + 1;
  }
  return { start, end };
}

function isUnique(text: string, { start, end }: Span): boolean {
  if (start === end) return false;
  const oldText = text.slice(start, end);
  return text.indexOf(oldText) === start && text.indexOf(oldText, start + 1) < 0;
}

function toEdit(text: string, { start, end, hunks }: Window): TextEdit {
  let at = start;
  let newText = "";
  for (const hunk of hunks) {
    newText += text.slice(at, hunk.start) + hunk.newText;
    at = hunk.end;
  }
  return { oldText: text.slice(start, end), newText: newText + text.slice(at, end) };
}
