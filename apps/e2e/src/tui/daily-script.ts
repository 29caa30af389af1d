import { keys } from "./pseudo-terminal.js";

/** Moment of a day at the terminal: what the person does, and what the screen then shows. */
export type Moment = {
  /** Keys and text, as the terminal sends them. */
  readonly press?: string;
  /** New size of the window, or the size at the start. The stream of the model goes on after it. */
  readonly resize?: readonly [columns: number, rows: number] | "start";
  /** Texts on the screen afterwards, in this order. They may be wrapped at any place. */
  readonly shows: string | readonly string[];
  /** `true` if the agent works or asks then. Otherwise the screen says nothing of either. */
  readonly isBusy?: boolean;
};

const { enter, up, down, tab, shiftTab, ctrlC, ctrlO, ctrlR } = keys;
const paste = (text: string) => `\u001b[200~${text}\u001b[201~`;

/** Paragraphs of the long answer, with letters of several scripts. Each has three marks. */
export const story = {
  paragraphs: 10,
  marks: (n: number) => [`p${n}begin`, `p${n}middle`, `p${n}end`] as const,
  head: (n: number) =>
    `p${n}begin Grüße 👩‍👩‍👧 an 日本語 und **fett**, a sentence that is long enough to be wrapped on every terminal p${n}middle`,
  tail: (n: number) => ` of this test 🚀, p${n}end.\n\n`,
};

/** Sizes of the window at the ten moments of the stream. */
const sizes = [
  ...([
    [60, 24],
    [200, 60],
    [30, 12],
    [200, 60],
    [50, 15],
  ] as const),
  ...([[120, 40], [30, 12], [100, 30], [79, 24], "start"] as const),
];

/** First sitting: from the first prompt to the end of the program. */
export const sitting: readonly Moment[] = [
  { press: "Hello 👋🏽 wörld", shows: "❯ Hello 👋🏽 wörld" },
  { press: enter, shows: "Guten Tag 日本語 👩‍👩‍👧." },
  { press: "/hel", shows: ["❯ /hel", "❯ /help list keys"] },
  { press: `${tab}${enter}`, shows: "/quit end turnkit" },
  { press: "a dräft 🙂", shows: "❯ a dräft 🙂" },
  { press: keys.escape, shows: "The draft is cleared." },
  { press: up, shows: "❯ a dräft 🙂" },
  { press: ctrlC, shows: "Press Ctrl-C again to end turnkit." },
  { press: `!echo from-the-shell 🐚${enter}`, shows: ["$ echo from-the-shell 🐚", "│ from-the-shell 🐚"] },
  { press: `/attach${enter}`, shows: "❯ [output of echo from-the-shell 🐚]" },
  { press: `What did it print?${enter}`, shows: "It printed from-the-shell 🐚." },
  { press: `first línea\\${enter}`, shows: "❯ first línea" },
  { press: "second línea", shows: "❯ first línea second línea" },
  { press: enter, shows: "I read 2 lines." },
  { press: paste(Array.from({ length: 120 }, (_, n) => `row ${n}`).join("\r")), shows: "❯ [pasted 120 lines]" },
  { press: enter, shows: ["100 more lines", "I read 120 lines."] },
  { press: ctrlR, shows: "Search:" },
  { press: "wörld", shows: ["❯ Hello 👋🏽 wörld", "Search: wörld 1 of 1"] },
  { press: enter, shows: "❯ Hello 👋🏽 wörld" },
  { press: keys.escape, shows: "The draft is cleared." },
  { press: shiftTab, shows: "turnkit agent · Accept edits" },
  { press: `/mode ask${enter}`, shows: "turnkit agent · Ask" },
  { press: `/model${enter}`, shows: "❯ coder (stand-in) ✓" },
  { press: down, shows: "❯ other (stand-in)" },
  { press: enter, shows: "Ask · other" },
  { press: `/model coder${enter}`, shows: "Ask · coder" },
  { press: `Edit the price${enter}`, shows: ["? Permission: Edit price.ts", "1) Write this edit"], isBusy: true },
  { press: "n", shows: ["→ Leave the file as it is", "✗ edit Edit price.ts", "Result: denied"] },
  { press: `Edit it again${enter}`, shows: ["? Permission: Edit price.ts", "1) Write this edit"], isBusy: true },
  { press: "y", shows: ["→ Write this edit", "✓ edit Edit price.ts", "+const a = 2;", "Result: {"] },
  { press: `Run the tests${enter}`, shows: "$ echo tests-pass 🧪", isBusy: true },
  { press: "y", shows: ["✓ execute echo tests-pass 🧪", "│ tests-pass 🧪", "exit code 0"] },
  { press: `Edit more${enter}`, shows: ["? Permission: Edit price.ts", "1) Write this edit"], isBusy: true },
  { press: "b", shows: "❯ No, because", isBusy: true },
  { press: `it is mine${enter}`, shows: ["→ Leave the file as it is", "You said why 🙏."] },
  { press: `Go on${enter}`, shows: ["Go on", "I heard why 🙏."] },
  { press: ctrlO, shows: ["▸ I heard why 🙏.", "Transcript"] },
  { press: keys.escape, shows: ["I heard why 🙏.", "─ ❯ turnkit agent"] },
  { press: `Tell me a story${enter}`, shows: "p0middle", isBusy: true },
  ...sizes.map((resize, n): Moment => ({ resize, shows: story.marks(n)[1], isBusy: true })),
  { shows: "p9end" },
  { press: `Wait for me${enter}`, shows: "I wait ⏳", isBusy: true },
  { press: `the next 🦀${enter}`, shows: "⧗ the next 🦀", isBusy: true },
  { press: keys.escape, shows: ["■ Cancelled.", "❯ the next 🦀"] },
  { press: enter, shows: ["❯ the next 🦀", "Guten Tag 日本語"] },
  { press: `/resume${enter}`, shows: "Hello 👋🏽" },
  { press: keys.escape, shows: "─ ❯ turnkit agent" },
];

/** Second sitting: the same conversation, continued. */
export const nextSitting: readonly Moment[] = [
  { shows: ["❯ the next 🦀", "Guten Tag 日本語"] },
  { press: up, shows: ["─", "❯ the next 🦀"] },
  { press: keys.escape, shows: "The draft is cleared." },
  { press: `Hello again 👋🏽${enter}`, shows: ["❯ Hello again 👋🏽", "Guten Tag 日本語 👩‍👩‍👧."] },
];
