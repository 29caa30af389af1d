import type {
  ContentBlock,
  ElicitationAnswer,
  PermissionOption,
  PermissionOutcome,
  PermissionQuestion,
  SessionEvent,
  SessionState,
  ToolCallContent,
  ToolCallPatch,
} from "@turnkit/session";
import { jsonText } from "../output/safe-json.js";
import { inShownOrder } from "../permission-options.js";
import { oneLine, showControls } from "../sanitise.js";
import { blockText } from "./content-block.js";
import type { RenderContext } from "./context.js";
import { diffLines } from "./diff.js";
import { allLines, blockLines, inStyle, type Line, shortened } from "./line.js";
import type { Page } from "./page.js";
import { type CoveredCall, placeText, type ToolCallRenderer } from "./tool-call.js";
import { readToolInput } from "./tool-input.js";

type Subject = { readonly type?: string; readonly command?: string; readonly cwd?: string };
/** Command with everything on which the decision of a person depends. */
type ShownCommand = {
  readonly line: string;
  readonly shell?: string;
  readonly cwd?: string;
  readonly remarks?: readonly string[];
};
type Question = Pick<PermissionQuestion, "title" | "description"> & { readonly subject?: unknown };

/** Maximum number of open questions. The session state has the same bound. */
const MAX_OPEN = 512;

/** Returns the title, description and command of a question. They are not cut, because a person decides by them. */
export function questionLines({ title, description, subject }: Question, context: RenderContext): readonly Line[] {
  const { type, command = "", cwd = "" } = (subject ?? {}) as Subject;
  return allLines([
    titleLines(title, context),
    description == null ? [] : wholeLines(description, context),
    type === "command" ? commandLines({ line: command, cwd }, context) : [],
  ]);
}

/**
 * Creates a log of permission questions and their answers. Changes of the tool call that a question contains are shown
 * before the question.
 */
export function createPermissionRenderer(
  page: Page,
  { toolCalls, context }: { readonly toolCalls: ToolCallRenderer; readonly context: RenderContext },
) {
  const open = new Map<string, readonly PermissionOption[]>();
  return {
    asked(event: Extract<SessionEvent, { type: "permission_asked" }>, { terminals }: SessionState): void {
      const { requestId, title, subject, options } = event;
      const call = subject?.type === "tool_call" ? (subject.toolCall as ToolCallPatch) : undefined;
      open.set(requestId, options);
      if (call !== undefined) toolCalls.update(call, false);
      page.section(`permission ${requestId}`);
      page.lines(questionLines(event, context));
      if (call !== undefined)
        page.lines(coveredLines(toolCalls.describe(call.toolCallId), title, { terminals, context }));
      for (const [index, option] of inShownOrder(options).entries()) {
        page.lines([[`  ${index + 1}) ${optionLabel(option)}`, ["dim", kindText(option)]]]);
      }
    },
    answered({ requestId, outcome }: Extract<SessionEvent, { type: "permission_answered" }>): void {
      const { style, text, option } = decisionOf(outcome, open.get(requestId));
      open.delete(requestId);
      page.section(`permission ${requestId}`);
      if (outcome.outcome === "cancelled") return page.line([style, `→ ${text} (cancelled)`]);
      page.line([style, `→ ${text}`], ["dim", kindText(option)]);
    },
  };
}

/** Creates a function that returns one line for each decision of a person, a rule or a cancel. */
export function createDecisionNotes(): (event: SessionEvent) => Line | undefined {
  const asked = new Map<string, { readonly title: string; readonly options: readonly PermissionOption[] }>();
  const keep = (requestId: string, title: string, options: readonly PermissionOption[] = []) => {
    asked.set(requestId, { title: oneLine(title.slice(0, 100)).slice(0, 100), options });
    const [oldest] = asked.keys();
    if (asked.size > MAX_OPEN && oldest !== undefined) asked.delete(oldest);
  };
  const note = (requestId: string, { style, text }: Pick<Decision, "style" | "text">): Line => {
    const title = asked.get(requestId)?.title ?? "A question";
    asked.delete(requestId);
    return [
      ["dim", `? ${title} `],
      [style, `→ ${text}`],
    ];
  };
  return (event) => {
    switch (event.type) {
      case "permission_asked":
        keep(event.requestId, event.title, event.options);
        return undefined;
      case "elicitation_asked":
        keep(event.requestId, event.message);
        return undefined;
      case "permission_answered":
        return note(event.requestId, decisionOf(event.outcome, asked.get(event.requestId)?.options));
      case "elicitation_answered": {
        const { action } = event.answer;
        return note(event.requestId, { style: action === "accept" ? "green" : "yellow", text: actions[action] });
      }
      default:
        return undefined;
    }
  };
}

const actions: Readonly<Record<ElicitationAnswer["action"], string>> = {
  accept: "answered",
  decline: "declined",
  cancel: "cancelled",
};

type Decision = {
  readonly style: "green" | "red" | "yellow";
  readonly text: string;
  readonly option?: PermissionOption | undefined;
};

function decisionOf(outcome: PermissionOutcome, options: readonly PermissionOption[] = []): Decision {
  if (outcome.outcome === "cancelled") return { style: "yellow", text: "no option chosen" };
  const option = options.find(({ optionId }) => optionId === outcome.optionId);
  const isAllowed = String(option?.kind).startsWith("allow");
  return { style: isAllowed ? "green" : "red", text: option ? optionLabel(option) : outcome.optionId, option };
}

function titleLines(title: string, { detail, width, layout }: RenderContext): readonly Line[] {
  if (detail !== "log") {
    const first: Line = [
      ["yellow", "? "],
      ["bold", "Permission: "],
    ];
    return layout.wrapText(showControls(title), width, { first, rest: ["  "] });
  }
  // In version 1, the title contains the whole command.
  const isShort = title.length <= 200 && !title.includes("\n");
  const head: Line = [
    ["yellow", "? Permission:"],
    ["bold", isShort ? shortened(` ${title}`) : ""],
  ];
  return isShort ? [head] : allLines([[head], blockLines(title, { style: "bold", sequences: "show" })]);
}

/** Returns a command as it would be typed, and below it its folder, its shell and its remarks. */
function commandLines({ line, shell, cwd, remarks = [] }: ShownCommand, context: RenderContext): readonly Line[] {
  const { detail, width, layout } = context;
  const below = [...(cwd === undefined ? [] : [`in ${cwd}`]), ...(shell === undefined ? [] : [`run by ${shell}`])];
  const facts = [...below, ...remarks];
  if (detail === "log") {
    const lines = blockLines(line, { gutter: "  $ ", sequences: "show" });
    return allLines([lines, ...facts.map((fact) => blockLines(fact, { style: "dim", sequences: "show" }))]);
  }
  const whole = { rest: ["    "], at: "width" } as const;
  return allLines([
    layout.wrapText(showControls(line), width, { first: [["bold", "  $ "]], ...whole }),
    ...facts.map((fact) =>
      layout.wrapText(showControls(fact), width, { first: ["  "], ...whole }).map((one) => inStyle(one, "dim")),
    ),
  ]);
}

function wholeLines(text: string, { detail, width, layout }: RenderContext): readonly Line[] {
  if (detail === "log") return blockLines(text, { sequences: "show" });
  return layout.wrapText(showControls(text), width, { first: ["  "] });
}

const UNCLEAR = "Careful: the input below may run a command in a form that turnkit cannot read.";

type Covering = { readonly terminals: SessionState["terminals"]; readonly context: RenderContext };

/**
 * Returns everything that a permission for a tool call allows, without a cut and without invisible characters. The
 * title may leave out the important part, and the parts may contradict each other.
 */
export function coveredLines(call: CoveredCall, asked: string, { terminals, context }: Covering): readonly Line[] {
  const { directory, detail, width, layout } = context;
  const whole = (text: string): readonly Line[] =>
    detail === "log"
      ? blockLines(text, { style: "dim", sequences: "show" })
      : layout.wrapText(showControls(text), width, { first: [["dim", "  │ "]], at: "width" });
  const contentLines = (item: ToolCallContent): readonly Line[] => {
    if (item.type === "diff" && "changes" in item) {
      const lines = diffLines(item, directory, Number.POSITIVE_INFINITY);
      return allLines(lines.map((line) => layout.wrap(line, width, { rest: ["    "], at: "width" })));
    }
    if (item.type === "content" && "content" in item) return whole(blockText(item.content as ContentBlock));
    const command =
      item.type === "terminal" ? terminals.get((item as { terminalId: string }).terminalId)?.command : null;
    return whole(command ?? jsonText(item));
  };
  const { name, title, kind, locations, rawInput, content } = call;
  const about = title == null || asked.includes(title) ? "" : title;
  const head = [String(kind), name == null || asked.includes(name) ? "" : name].filter(Boolean).join(" ");
  const input = readToolInput(rawInput);
  const isCommand = input.type === "command";
  const inputLines = isCommand ? commandLines(input, context) : input.text === "" ? [] : whole(input.text);
  const contents = [...content].map(contentLines);
  return allLines([
    about === "" && (head === "other" || name == null)
      ? []
      : wholeLines(`${head}: ${about}`.replace(/: $/, ""), context),
    ...locations.map((one) => whole(placeText(one, directory))),
    !isCommand && input.isUnclear ? wholeLines(UNCLEAR, context) : [],
    // A long diff would move a command off the screen.
    ...(isCommand || input.isUnclear ? [inputLines, ...contents] : [...contents, inputLines]),
  ]);
}

/** Selector that chooses the picture of an emoji in colours. */
const EMOJI_SELECTOR = /(?<=\p{Extended_Pictographic})\ufe0f/gu;
/** Spaces of any width, and characters that a terminal draws as spaces or as nothing. */
const blank = /[\s\u2800\p{Default_Ignorable_Code_Point}]/u;
const unclearName = new RegExp(`^$|^${blank.source}|${blank.source}{2}|${blank.source}$|[[\\]"\\p{Cc}]`, "u");

/**
 * Returns the name of an option without cutting it. The name is in quotes if it could look like a kind or another
 * option, or if it begins or ends with a blank.
 */
export function optionLabel({ name }: Pick<PermissionOption, "name">): string {
  return unclearName.test(name.replace(EMOJI_SELECTOR, "")) ? JSON.stringify(name) : name;
}

function kindText(option: PermissionOption | undefined): string {
  return option === undefined ? "" : `  [${String(option.kind).replaceAll("_", " ")}]`;
}
