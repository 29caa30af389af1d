/** Going through what was asked before with the arrow keys. */
export type Recall = {
  /** Oldest first. */
  readonly entries: readonly string[];
  /** Which one is shown; `undefined` while the person's own text is. */
  readonly at?: number;
  /** What was written before the first step back. */
  readonly draft: string;
};

/** Entries that are kept at most. */
export const MAX_RECALL = 500;

/** Nothing is being recalled. */
export function recallOf(entries: readonly string[]): Recall {
  return { entries: entries.slice(-MAX_RECALL), draft: "" };
}

/** One step back; `undefined` where there is nothing older. */
export function older(recall: Recall, current: string): { readonly recall: Recall; readonly text: string } | undefined {
  const at = (recall.at ?? recall.entries.length) - 1;
  const text = recall.entries[at];
  if (text === undefined) return undefined;
  return { recall: { ...recall, at, draft: recall.at === undefined ? current : recall.draft }, text };
}

/** One step forward, at the end to the text that was being written; `undefined` where nothing is being recalled. */
export function newer(recall: Recall): { readonly recall: Recall; readonly text: string } | undefined {
  if (recall.at === undefined) return undefined;
  const at = recall.at + 1;
  const text = recall.entries[at];
  return text === undefined
    ? { recall: recallOf(recall.entries), text: recall.draft }
    : { recall: { ...recall, at }, text };
}

/** With one more entry; the same one twice in a row counts once. */
export function remembered({ entries }: Recall, text: string): Recall {
  return recallOf(entries.at(-1) === text ? entries : [...entries, text]);
}
