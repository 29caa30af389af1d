import type { PermissionOption, PermissionQuestion, SessionEvent, ToolCallPatch } from "@turnkit/session";
import type { Page } from "./page.js";
import type { ToolCallRenderer } from "./tool-call.js";

/** Shows permission questions and how they were answered. */
export interface PermissionRenderer {
  asked(event: Extract<SessionEvent, { type: "permission_asked" }>): void;
  answered(event: Extract<SessionEvent, { type: "permission_answered" }>): void;
}

/** Makes a {@link PermissionRenderer}. What a question says about its tool call is shown before the question. */
export function createPermissionRenderer(page: Page, toolCalls: ToolCallRenderer): PermissionRenderer {
  const open = new Map<string, readonly PermissionOption[]>();
  return {
    asked(event) {
      open.set(event.requestId, event.options);
      if (event.subject?.type === "tool_call") toolCalls.update(event.subject.toolCall);
      page.section(`permission ${event.requestId}`);
      showQuestion(page, event, toolCalls);
    },
    answered({ requestId, outcome }) {
      const options = open.get(requestId) ?? [];
      open.delete(requestId);
      page.section(`permission ${requestId}`);
      if (outcome.outcome === "cancelled") return page.line(["yellow", "→ no option chosen (cancelled)"]);
      const option = options.find(({ optionId }) => optionId === outcome.optionId);
      const granted = String(option?.kind).startsWith("allow");
      page.line([granted ? "green" : "red", `→ ${option?.name ?? outcome.optionId}`], ["dim", kindText(option)]);
    },
  };
}

function showQuestion(page: Page, question: PermissionQuestion, toolCalls: ToolCallRenderer): void {
  const { title, description, subject, options } = question;
  // Nothing that the person decides by is cut or hidden. Version 1 has the whole command in the title.
  const short = title.length <= 200 && !title.includes("\n");
  page.line(["yellow", "? Permission:"], ["bold", short ? ` ${title}` : ""]);
  if (!short) page.block(title, { style: "bold", sequences: "show" });
  if (description != null) page.block(description, { sequences: "show" });
  if (subject?.type === "command") {
    page.block(subject.command, { gutter: "  $ ", sequences: "show" });
    page.line(["dim", `  in ${subject.cwd}`]);
  }
  if (subject?.type === "tool_call") {
    const call = toolCalls.describe(subject.toolCall.toolCallId);
    if (!title.includes(call.title)) page.block(`${call.kind}: ${call.title}`, { sequences: "show" });
    showInput(page, subject.toolCall);
  }
  for (const [index, option] of options.entries()) {
    page.line(`  ${index + 1}) ${option.name}`, ["dim", kindText(option)]);
  }
}

/** Titles may leave out what matters; a diff says it better than the input that it was made from. */
function showInput(page: Page, { rawInput, content }: ToolCallPatch): void {
  if (rawInput == null || content?.some(({ type }) => type === "diff")) return;
  const input = JSON.stringify(rawInput, undefined, 1) ?? "";
  if (input.length > 2) page.block(input, { style: "dim", sequences: "show", limit: 40 });
}

function kindText(option: PermissionOption | undefined): string {
  return option === undefined ? "" : `  [${String(option.kind).replaceAll("_", " ")}]`;
}
