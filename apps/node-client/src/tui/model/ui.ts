import type { ElicitationAnswer, PermissionDecision, SessionState } from "@turnkit/client";
import { type Recall, recallOf } from "../prompt-history.js";
import type { Browser, BrowserPlace } from "./browser.js";
import type { FormUi } from "./form.js";
import type { Picker } from "./picker.js";
import { emptyInput, type TextInput } from "./text-input.js";

/** Waiting prompts at most; one more is not taken. */
export const MAX_QUEUE = 100;

/** What the person is doing at the keyboard. Everything else that is shown is in the session's state. */
export type Ui = {
  readonly input: TextInput;
  readonly recall: Recall;
  /** Prompts that wait for the turn to end, oldest first. */
  readonly queue: readonly string[];
  /** The chosen row of the list of commands. */
  readonly completion: number;
  /** That list was put away with Escape; it comes back with the next letter. */
  readonly completionClosed: boolean;
  readonly question: QuestionUi;
  readonly picker?: Picker;
  readonly browser?: Browser;
  /** Something to read until the next key. */
  readonly notice?: string;
  /** Ctrl-C was pressed: the next one ends the program. */
  readonly quitArmed: boolean;
};

/** Where the person is in the questions of the agent. */
export type QuestionUi = {
  /** The one that is shown; the first where it is gone. */
  readonly requestId?: string;
  /** The chosen option; none until an arrow or a digit chose one, so that Enter meant for a prompt allows nothing. */
  readonly selected?: number;
  /** Lines of the question that are scrolled away. */
  readonly scrolled: number;
  readonly form?: FormUi;
};

/** What a key asks for beyond what is seen of it. */
export type Effect =
  | { readonly type: "prompt"; readonly text: string }
  | { readonly type: "cancel" }
  | { readonly type: "answer"; readonly requestId: string; readonly decision: PermissionDecision | ElicitationAnswer }
  | { readonly type: "set"; readonly configId: string; readonly value: string | boolean }
  | { readonly type: "quit" };

/** What comes of a key. */
export type Pressed = { readonly ui: Ui; readonly effects: readonly Effect[] };

/** What a key is understood by, besides what the person is doing. */
export type Surroundings = {
  readonly state: SessionState;
  /** A prompt is being answered, or the agent works by itself. */
  readonly isWorking: boolean;
  /** The screen that the transcript gets. */
  readonly place: BrowserPlace;
};

/** How it begins. */
export function createUi(history: readonly string[] = []): Ui {
  return {
    ...{ input: emptyInput, recall: recallOf(history), queue: [], completion: 0, completionClosed: false },
    ...{ question: { scrolled: 0 }, quitArmed: false },
  };
}

/** The same, but for the members given; nothing is to be done. */
export function stay(ui: Ui, change: Partial<Ui> = {}): Pressed {
  return { ui: { ...ui, ...change }, effects: [] };
}
