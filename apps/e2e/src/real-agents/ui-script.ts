import type { Moment } from "../tui/daily-script.js";
import { keys } from "../tui/pseudo-terminal.js";

/** Facts of a run that the script needs. */
export type UiPlace = {
  /** Path of a picture. */
  readonly picture: string;
};

/** Part of the script: what a person does with any agent. */
export type UiScene = {
  readonly name: string;
  readonly moments: (place: UiPlace) => readonly Moment[];
  /** Text with which `turnkit` says that the agent does not offer this. */
  readonly refusal?: RegExp;
};

const { enter, down } = keys;
const paste = (text: string) => `\u001b[200~${text}\u001b[201~`;

/**
 * Core of the script of a user. The stand-in answers by the words of the prompt:
 * - `Write` calls the agent's tool for files;
 * - `Wait` never ends;
 * - all others get the model, or whether there was a picture or an earlier prompt.
 */
export const uiScenes: readonly UiScene[] = [
  {
    name: "start",
    // The prompt is typed before the agent is there.
    moments: () => [
      { shows: "❯", isBusy: true },
      { press: `Hello${enter}`, shows: ["❯ Hello", "Here is"] },
    ],
  },
  {
    name: "permission: yes",
    moments: () => [
      { press: `Write it${enter}`, shows: "? Permission", isBusy: true },
      { press: "y", shows: ["❯ Write it", "note.txt", "That is all 1."] },
    ],
  },
  {
    name: "permission: no",
    moments: () => [
      { press: `Write more${enter}`, shows: "? Permission", isBusy: true },
      { press: "n", shows: ["❯ Write more", "more.txt"] },
      { press: `And now?${enter}`, shows: ["❯ And now?", "Here is"] },
    ],
  },
  {
    name: "cancel",
    moments: () => [
      // Some agents pass on no word of a message before its end.
      { press: `Wait${enter}`, shows: ["❯ Wait", "● Working 3 s"], isBusy: true },
      { press: keys.escape, shows: "■ Cancelled." },
      { press: `Go on${enter}`, shows: ["❯ Go on", "Here is"] },
    ],
  },
  {
    name: "model",
    moments: () => [
      // A long status line leaves no room for all keys.
      { press: `/model${enter}`, shows: ["Model", "↑↓ Enter"] },
      // The second entry of a list may be the model of the first, by name.
      { press: `${down}${down}${enter}`, shows: ["─", "❯"] },
      { press: `Who is it?${enter}`, shows: ["❯ Who is it?", "Here is"] },
    ],
    // The command of an agent with the same name has priority.
    refusal: /offers no model to choose|Current model: .*/,
  },
  {
    name: "image",
    moments: ({ picture }) => [
      { press: paste(picture), shows: "❯ [image" },
      { press: `Look${enter}`, shows: ["Look", "I see a picture."] },
    ],
    refusal: /accepts no pictures/,
  },
];

/** Second sitting: the same conversation, continued. */
export const resumedScene: UiScene = {
  name: "resume",
  moments: () => [{ shows: "❯" }, { press: `Do you remember?${enter}`, shows: ["❯ Do you remember?", "I remember."] }],
};
