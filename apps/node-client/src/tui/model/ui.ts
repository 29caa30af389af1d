import type { ElicitationAnswer, PermissionDecision, SessionState } from "@turnkit/client";
import type { OpenQuestion, WorkingChild } from "../../child-sessions.js";
import type { RenderContext } from "../../render/context.js";
import { type Recall, recallOf } from "../prompt-history.js";
import type { Fold, Folds } from "./folds.js";
import type { FormUi } from "./form.js";
import { emptyInput, type TextInput } from "./text-input.js";

/** List to choose from. Its rows are the settings, or the values of one setting. */
export type Picker = {
  readonly title: string;
  readonly rows: readonly PickerRow[];
  readonly selected: number;
  /** Text that the name of a row must contain. */
  readonly filter: string;
  /** `sessions` for the list of conversations, whose rows arrive later. */
  readonly kind?: "sessions";
  /** `true` while more rows may arrive. */
  readonly isLoading?: boolean;
};

export type WantedSession = { readonly sessionId: string; readonly cwd: string };

/** Row of a {@link Picker}: a value to set, a setting whose values the row opens, a child session to cancel, or a session. */
export type PickerRow = {
  readonly name: string;
  readonly description?: string;
  readonly isCurrent: boolean;
  /** Text that a filter searches. If absent, the name is searched. */
  readonly searched?: string;
} & (
  | { readonly configId: string; readonly value: string | boolean }
  | { readonly configId: string; readonly value?: undefined }
  | { readonly childId: string }
  | { readonly session: WantedSession }
);

/** Full-screen transcript with its cursor and its unfolded entries. */
export type Browser = {
  /** Index of the cursor's line among all lines. */
  readonly cursor: number;
  /** Index of the first line on the screen. */
  readonly top: number;
  /** Keys of the unfolded entries; `all` if every entry is unfolded. */
  readonly unfolded: ReadonlySet<string> | "all";
};

/** Size, directory and links that a browser needs for its lines. */
export type BrowserContext = Pick<RenderContext, "width" | "directory" | "files"> & { readonly rows: number };

export type HistorySearch = {
  readonly query: string;
  /** Index of the shown prompt in the list of found prompts. */
  readonly at: number;
};

export const MAX_QUEUE = 100;

/** State of the user interface. Everything else on the screen comes from the session's state. */
export type Ui = {
  readonly input: TextInput;
  /** Folds of the typed text and of the waiting prompts. */
  readonly folds: Folds;
  /** Files that a mention can name. Absent until the first mention. */
  readonly files?: readonly string[];
  readonly recall: Recall;
  /** Prompts that wait until the turn ends, oldest first. */
  readonly queue: readonly string[];
  /** Reasons of refusals that go to the agent with the next prompt, oldest first. */
  readonly reasons: readonly string[];
  /** Index of the chosen row in the list of commands. */
  readonly completion: number;
  /** `true` after Escape has hidden the list of commands, until the next letter. */
  readonly completionClosed: boolean;
  readonly question: QuestionUi;
  /** Mode that was chosen last with Shift-Tab. The agent may not have confirmed it yet. */
  readonly wantedMode?: string;
  readonly search?: HistorySearch;
  readonly picker?: Picker;
  readonly browser?: Browser;
  /** Message that is shown until a key is pressed. */
  readonly notice?: string;
  /** Key that was pressed first to end the program. The same key, or Ctrl-D, then ends it. */
  readonly quitArmed: false | "ctrl-c" | "ctrl-d";
};

/** Position of the person in the agent's questions. */
export type QuestionUi = {
  /** Id of the shown question. If this question is closed, the oldest one is shown. */
  readonly requestId?: string;
  /**
   * Index of the chosen option in the shown order. Absent until an arrow or a key chooses an option. Enter therefore
   * cannot allow anything by mistake.
   */
  readonly selected?: number;
  /**
   * Present after a letter or a digit, which needs no Enter. `refuse` means that no option fits the refusal, so the
   * question is cancelled.
   */
  readonly decided?: "selected" | "refuse";
  /** Letter that is not an answer. If a second letter follows, both are the beginning of a prompt. */
  readonly stray?: string;
  /** Number of lines that are above the visible part. */
  readonly scrolled: number;
  readonly form?: FormUi;
  /** Reason of a refusal while it is typed. */
  readonly reason?: TextInput | undefined;
};

export type Effect =
  | { readonly type: "prompt"; readonly text: string }
  | { readonly type: "cancel"; readonly childId?: string }
  | { readonly type: "answer"; readonly requestId: string; readonly decision: PermissionDecision | ElicitationAnswer }
  | { readonly type: "set"; readonly configId: string; readonly value: string | boolean }
  /** Opens a session: the wanted one, or a new one. */
  | { readonly type: "open"; readonly session?: WantedSession }
  | { readonly type: "browse"; readonly filter: string }
  /** Runs a command line in the person's shell. */
  | { readonly type: "run"; readonly command: string }
  | { readonly type: "edit" | "suspend" | "restart" | "end command" | "attach" | "help" }
  | { readonly type: "quit" };

export type Pressed = { readonly ui: Ui; readonly effects: readonly Effect[] };

/** Picture in place of its pasted path. `notice` says that the agent accepts no pictures. */
export type PastedImage = { readonly fold: Fold; readonly notice: string | undefined };

/** Facts that the effect of a key depends on, in addition to the state of the user interface. */
export type Surroundings = {
  readonly state: SessionState;
  /** Questions that the person has to answer. */
  readonly questions: readonly OpenQuestion[];
  readonly children?: readonly WorkingChild[];
  /** `true` during a prompt, and while the agent works without a prompt. */
  readonly isWorking: boolean;
  /** `true` until the first session is open. */
  readonly isStarting?: boolean;
  readonly isDead?: boolean;
  readonly imageIn?: (pasted: string) => PastedImage | undefined;
  /** `true` while a command of the person runs. */
  readonly hasCommand?: boolean;
  /** Size and directory of the transcript. */
  readonly context: BrowserContext;
  /** `true` if the question was not on the screen yet. A key that was pressed earlier must not answer it. */
  readonly isUnseen?: boolean;
  /** Number of lines of a question by which PgUp and PgDn scroll. */
  readonly page?: number;
};

export function createUi(history: readonly string[] = []): Ui {
  return {
    ...{
      input: emptyInput,
      folds: new Map(),
      recall: recallOf(history),
      queue: [],
      reasons: [],
      completion: 0,
      completionClosed: false,
    },
    ...{ question: { scrolled: 0 }, quitArmed: false },
  };
}

/** Returns the state with some changed members, and without effects. */
export function stay(ui: Ui, change: Partial<Ui> = {}): Pressed {
  return { ui: { ...ui, ...change }, effects: [] };
}
