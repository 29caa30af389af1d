import type { ElicitationAnswer, PermissionDecision, SessionState } from "@turnkit/client";
import { type Recall, recallOf } from "../prompt-history.js";
import type { FormUi } from "./form.js";
import { emptyInput, type TextInput } from "./text-input.js";

/** List to choose from: the settings, or the values of one. */
export type Picker = {
  readonly title: string;
  readonly rows: readonly PickerRow[];
  readonly selected: number;
  /** Text that the names of the shown rows contain. */
  readonly filter: string;
};

/** Row of a {@link Picker}: a value to set, or a setting that opens its values. */
export type PickerRow = {
  readonly name: string;
  readonly description?: string;
  readonly isCurrent: boolean;
} & (
  | { readonly configId: string; readonly value: string | boolean }
  | { readonly configId: string; readonly value?: undefined }
);

/** Full-screen transcript with its cursor and its unfolded entries. */
export type Browser = {
  /** Index of the cursor's line in all lines. */
  readonly cursor: number;
  /** Index of the first line on the screen. */
  readonly top: number;
  /** Keys of the unfolded entries, or `all`. */
  readonly unfolded: ReadonlySet<string> | "all";
};

/** Space of a browser. */
export type BrowserPlace = { readonly width: number; readonly rows: number; readonly directory: string };

export const MAX_QUEUE = 100;

/** State of the keyboard's side. Everything else on the screen is in the session's state. */
export type Ui = {
  readonly input: TextInput;
  readonly recall: Recall;
  /** Prompts that wait for the end of the turn, oldest first. */
  readonly queue: readonly string[];
  /** Index of the chosen row in the list of commands. */
  readonly completion: number;
  /** Set after Escape hid that list, until the next letter. */
  readonly completionClosed: boolean;
  readonly question: QuestionUi;
  readonly picker?: Picker;
  readonly browser?: Browser;
  /** Message that is shown until the next key. */
  readonly notice?: string;
  /** Set after one Ctrl-C: the next one ends the program. */
  readonly quitArmed: boolean;
};

/** Place of the person in the agent's questions. */
export type QuestionUi = {
  /** Id of the shown question; the oldest if that is closed. */
  readonly requestId?: string;
  /**
   * Index of the chosen option. Absent until an arrow or a digit chose one, so that Enter meant for a prompt allows
   * nothing.
   */
  readonly selected?: number;
  /** Number of lines that are scrolled away. */
  readonly scrolled: number;
  readonly form?: FormUi;
};

export type Effect =
  | { readonly type: "prompt"; readonly text: string }
  | { readonly type: "cancel" }
  | { readonly type: "answer"; readonly requestId: string; readonly decision: PermissionDecision | ElicitationAnswer }
  | { readonly type: "set"; readonly configId: string; readonly value: string | boolean }
  | { readonly type: "quit" };

export type Pressed = { readonly ui: Ui; readonly effects: readonly Effect[] };

/** Surroundings of the keyboard's state that a key depends on. */
export type Surroundings = {
  readonly state: SessionState;
  /** `true` during a prompt, and while the agent works by itself. */
  readonly isWorking: boolean;
  /** Space of the transcript. */
  readonly place: BrowserPlace;
};

export function createUi(history: readonly string[] = []): Ui {
  return {
    ...{ input: emptyInput, recall: recallOf(history), queue: [], completion: 0, completionClosed: false },
    ...{ question: { scrolled: 0 }, quitArmed: false },
  };
}

/** Returns the state with changed members, and no effects. */
export function stay(ui: Ui, change: Partial<Ui> = {}): Pressed {
  return { ui: { ...ui, ...change }, effects: [] };
}
