import { backgroundCommands } from "../../background-commands.js";
import type { OpenQuestion, WorkingChild } from "../../child-sessions.js";
import { optionOfKind } from "../../permission-options.js";
import { type Line, plainText, withoutLinks } from "../../render/line.js";
import { clip, splitAt, wrap } from "../../render/wrap.js";
import type { ShownQuestion } from "../decision-keys.js";
import { shownInput } from "../model/folds.js";
import { questionUi, shownQuestion } from "../model/press-question.js";
import type { Ui } from "../model/ui.js";
import { type ConnectionFacts, cutLines, deathLines } from "./connection-lines.js";
import { around } from "./list-lines.js";
import {
  completionLines,
  inputLines,
  type Prompt,
  pickerLines,
  planLines,
  queueLines,
  reasonLines,
  searchLines,
} from "./prompt-lines.js";
import { type QuestionContext, questionPanel } from "./question-lines.js";
import { type StatusFacts, statusLine } from "./status-line.js";

/** Lines on the screen below the printed conversation. */
export type Screen = {
  readonly lines: readonly Line[];
  /** Position of the cursor in the lines; absent if no text can be typed. */
  readonly cursor?: Prompt["cursor"];
  readonly question?: ShownQuestion;
};

export type ScreenFacts = StatusFacts &
  ConnectionFacts & {
    readonly ui: Ui;
    /** Questions that the person has to answer. */
    readonly questions: readonly OpenQuestion[];
    readonly children?: readonly WorkingChild[];
    /** Returns the unfinished part of the conversation, without the entry whose key is `without`, in `room` lines if possible. */
    readonly live: (without: string | undefined, room: number) => readonly Line[];
    readonly size: { readonly columns: number; readonly rows: number };
    readonly always?: QuestionContext["always"];
    readonly isWorking: boolean;
    /** `true` for a moment after each key. */
    readonly isTyping?: boolean;
    /** Number of whole seconds since the work began. */
    readonly seconds: number;
    /** Reason why the agent has ended. */
    readonly death?: string | undefined;
    /** Sentence about a cut of the connection that is being repaired. */
    readonly cut?: string | undefined;
    /** Lines of a command that the person runs. */
    readonly running?: readonly Line[] | undefined;
    /** `true` while the question takes no keys, so that the person reads it first. */
    readonly isNew?: boolean;
  };

const INPUT_ROWS = 8;
const PLAN_ROWS = 8;

/**
 * Returns the lower part of the screen. It always has fewer lines than the terminal, because a terminal cannot redraw
 * lines above its top. If there are too many lines, the conversation is cut first, then the plan, then the text of a
 * question. The text of a question can be scrolled.
 */
export function screenOf(facts: ScreenFacts): Screen {
  const { lines, cursor, ...others } = layoutOf(facts);
  const isDrawn = facts.isWorking && !(facts.isTyping === true && facts.ui.input.text !== "");
  if (cursor === undefined || !isDrawn) return { lines, ...(cursor && { cursor }), ...others };
  return { lines: lines.map((line, y) => (y === cursor.y ? withDrawnCursor(line, cursor.x) : line)), ...others };
}

/**
 * Draws a cursor in a line. While the agent works, the terminal's own cursor is below all lines. Some terminals move
 * their cursor to another line if the lines below it are wrapped again.
 */
function withDrawnCursor(line: Line, x: number): Line {
  const { before, at, after } = splitAt(line, x);
  return [...before, ["inverse", at || " "], ...after];
}

function layoutOf(facts: ScreenFacts): Screen {
  const { ui, state, questions, size } = facts;
  const width = size.columns;
  const question = shownQuestion(ui, questions);
  const status = statusLine(facts, keysOf(facts, question));
  const foot = ui.notice === undefined ? [status] : noticeLines(ui.notice, size);
  const room = Math.max(4, size.rows - 1 - foot.length);
  const input = shownInput(ui.input, ui.folds);

  if (ui.picker !== undefined) {
    const body = pickerLines(ui.picker, width, Math.min(12, room - 2));
    return { lines: [...liveLines(facts, room - body.length - 2), rule(width), ...body, ...foot] };
  }
  if (ui.search !== undefined) {
    const { lines, cursor } = searchLines(ui, width, Math.min(INPUT_ROWS, room - 2));
    const head = [...liveLines(facts, room - lines.length - 2), rule(width)];
    return { lines: [...head, ...lines, ...foot], cursor: { x: cursor.x, y: head.length + cursor.y } };
  }
  if (question !== undefined) {
    const key = question.isOfChild ? undefined : question.toolCall?.key;
    const begun = ui.input.text === "" || room < 6 ? undefined : inputLines(input, width, 1);
    // The answer reaches nobody before the connection is back.
    const cut = facts.cut === undefined ? [] : cutLines(facts.cut, width).slice(0, 1);
    const waiting = [...queueLines(ui, width).slice(0, Math.max(0, room - 11 - cut.length)), ...cut];
    const { body, shown } = questionLines(facts, question, room - waiting.length - (begun ? 4 : 2));
    const below = [...waiting, ...(begun ? [rule(width), ...begun.lines] : [])];
    const head = [...liveLines(facts, room - body.length - below.length - 2, key), rule(width), ...body];
    const cursor = begun && { x: begun.cursor.x, y: head.length + waiting.length + 1 };
    return { lines: [...head, ...below, ...foot], cursor, question: shown };
  }
  const prompt = inputLines(input, width, Math.min(INPUT_ROWS, Math.max(1, room - 4)));
  const below = completionLines(ui, state, { width, room: room - 4 - prompt.lines.length });
  const wanted = [
    ...(facts.running ?? []),
    ...(facts.death === undefined ? workLines(facts) : deathLines(facts.death, facts, width)),
    ...(facts.cut === undefined ? [] : cutLines(facts.cut, width)),
    ...backgroundLines(facts).slice(0, Math.max(0, room - 11)),
    ...childLines(facts).slice(0, Math.max(0, room - 11)),
    ...reasonLines(ui.reasons, width).slice(0, Math.max(0, room - 9)),
    ...queueLines(ui, width).slice(0, Math.max(0, room - 8)),
  ];
  const above = wanted.slice(Math.max(0, wanted.length - (room - prompt.lines.length - below.length - 1)));
  const fixed = prompt.lines.length + below.length + above.length + 2;
  const plan = facts.isWorking ? planLines(state, width, Math.min(PLAN_ROWS, room - fixed - 3)) : [];
  const live = liveLines(facts, room - fixed - plan.length);
  const head = [...live, ...plan, ...above, rule(width)];
  const cursor = { x: prompt.cursor.x, y: head.length + prompt.cursor.y };
  return { lines: [...head, ...prompt.lines, ...below, ...foot], cursor };
}

/** Returns a message of this program on at most three lines, and on one line of a small terminal. */
function noticeLines(notice: string, { columns, rows }: ScreenFacts["size"]): readonly Line[] {
  const most = rows < 12 ? 1 : 3;
  const lines = wrap([["yellow", notice]], columns);
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), clip(lines.slice(most - 1).flat(), columns)];
}

/**
 * Share of a terminal's rows that the unfinished part and the lines below it may have. A terminal that becomes smaller
 * moves the rows that do not fit into its history, where they cannot be erased.
 */
const LIVE_SHARE = 0.6;

/** Returns the last lines of the unfinished part, and an empty line. */
function liveLines({ live, size }: ScreenFacts, available: number, without?: string): readonly Line[] {
  const room = Math.min(available, Math.max(3, available - Math.ceil(size.rows * (1 - LIVE_SHARE))));
  const lines = live(without, Math.max(1, room - 1));
  if (lines.length === 0 || room < 2) return room < 1 ? [] : [[]];
  const shown = lines.slice(-(room - 1));
  const hidden = lines.length - shown.length;
  if (hidden === 0) return [...shown, []];
  // The beginning of a broken link may be hidden.
  const [first = [], ...others] = shown.slice(1);
  return [clip([["dim", `… ${hidden + 1} lines above`]], size.columns), withoutLinks(first), ...others, []];
}

function workLines({ isWorking, isOpening, isStarting, agent, state, seconds }: ScreenFacts): readonly Line[] {
  if (!isWorking) return [];
  if (isStarting)
    return [
      [
        ["yellow", `● Starting ${agent} …`],
        ["dim", seconds > 1 ? ` ${seconds} s` : ""],
      ],
    ];
  if (isOpening) return [[["yellow", "● Opening the conversation …"]]];
  return [
    [
      ["yellow", state.cancelling ? "◌ Cancelling …" : "● Working"],
      ["dim", seconds > 0 ? ` ${seconds} s` : ""],
    ],
  ];
}

const CHILD_ROWS = 3;

/** Returns a line for each command that runs in the background. */
function backgroundLines({ state, size }: ScreenFacts): readonly Line[] {
  const commands = [...backgroundCommands(state).values()];
  const lines = commands
    .slice(0, CHILD_ROWS)
    .map((command) => clip([["dim", `  ◈ ${command} · in the background`]], size.columns));
  const more = commands.length - lines.length;
  return more > 0 ? [...lines, [["dim", `  … ${more} more in the background`]]] : lines;
}

/** Returns a line for each child session that works. Its messages and tool calls are folded. */
function childLines({ children = [], size }: ScreenFacts): readonly Line[] {
  const lines = children
    .slice(0, CHILD_ROWS)
    .map(({ name, isAsking }) =>
      clip([["dim", `  ◇ ${name}`], isAsking ? ["yellow", " waits for you"] : ["dim", " works"]], size.columns),
    );
  const more = children.length - lines.length;
  return more > 0 ? [...lines, [["dim", `  … ${more} more work`]]] : lines;
}

/** Returns at most `room` lines of a question, and the part of it that they show. */
function questionLines(
  { ui, size, directory, agent, always = () => undefined }: ScreenFacts,
  question: OpenQuestion,
  room: number,
): { readonly body: readonly Line[]; readonly shown: ShownQuestion } {
  const at = questionUi(ui, question);
  const { requestId } = question.question;
  const panel = questionPanel(question, at, { width: size.columns, directory, agent, always });
  const { about, chosen = at.selected ?? 0 } = panel;
  const answers = around(panel.answers, chosen, Math.min(panel.answers.length, Math.max(1, room - 3)));
  const space = Math.max(1, room - answers.length);
  const content = question.type === "permission" ? contentOf(about) : requestId;
  const read = { requestId, content, toolCall: question.toolCall };
  if (about.length <= space)
    return { body: [...about, ...answers], shown: { ...read, scrolled: 0, page: about.length } };
  const page = Math.max(1, space - 1);
  const wanted = panel.focus === undefined ? at.scrolled : panel.focus - Math.floor(space / 2);
  const first = Math.max(0, Math.min(wanted, about.length - page));
  const part = about.slice(first, first + page);
  const hint = `… lines ${first + 1}–${first + part.length} of ${about.length}: PgUp and PgDn show the others`;
  return {
    body: [...part, clip([["yellow", hint]], size.columns), ...answers],
    shown: { ...read, scrolled: first, page },
  };
}

/** Returns the text of lines without their breaks, which depend on the width. */
function contentOf(lines: readonly Line[]): string {
  return lines
    .map(plainText)
    .join("")
    .replace(/[\s│]+/g, "");
}

/** Returns the keys that answer a question: letters for kinds of options, and digits. */
function answerKeys(question: OpenQuestion): readonly string[] {
  if (question.type !== "permission") return ["↑↓ Enter", "Esc cancels"];
  const { options } = question.question;
  const letters = { allow_once: "y once", reject_once: "n no", allow_always: "a always" };
  const offered = Object.entries(letters).flatMap(([kind, text]) => (optionOfKind(kind, options) ? [text] : []));
  return [[...offered, options.length > 1 ? `1–${options.length}` : "1"].join("  "), "Esc cancels"];
}

function keysOf(
  { ui, questions, isWorking, isStarting, isNew, children = [] }: ScreenFacts,
  question: OpenQuestion | undefined,
): readonly string[] {
  if (ui.picker !== undefined) return ["↑↓ Enter", "Esc back"];
  if (ui.search !== undefined) return ["Enter takes it", "Ctrl-R older", "Esc back"];
  if (question !== undefined) {
    if (ui.input.text !== "") return ["send or clear your prompt to answer", "Ctrl-U clears"];
    const waiting = questions.length;
    if (questionUi(ui, question).reason !== undefined) return ["Enter answers", "Esc back"];
    return [
      ...(waiting > 1 ? [`${questions.indexOf(question) + 1} of ${waiting}, Ctrl-N next`] : []),
      ...(isNew ? ["a moment to read …"] : answerKeys(question)),
    ];
  }
  if (isStarting) return ui.queue.length > 0 ? ["Esc takes prompts back"] : ["Enter queues a prompt", "Ctrl-C ends"];
  const ofChild = children.some(({ isCancellable }) => isCancellable) ? ["Ctrl-X subagents"] : [];
  return isWorking
    ? ["Esc cancels", ...ofChild, "Ctrl-O transcript"]
    : ["/ commands", "Ctrl-O transcript", "Shift-Tab mode"];
}

function rule(width: number): Line {
  return [["dim", "─".repeat(width)]];
}
