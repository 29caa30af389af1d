import type { ConfigOption, SessionEvent, SessionState, ToolCallContent } from "@turnkit/session";
import { blockText } from "./content-block.js";
import { logContext, type RenderContext } from "./context.js";
import { createEndingRenderer } from "./ending.js";
import { type Line, shortened } from "./line.js";
import { createMessageRenderer } from "./message.js";
import type { Page } from "./page.js";
import { createPermissionRenderer } from "./permission.js";
import { createPlanRenderer } from "./plan.js";
import { compactionLines, noticeLines, unknownLines } from "./remark.js";
import { TerminalRenderer } from "./terminal.js";
import { createToolCallRenderer } from "./tool-call.js";

/**
 * Creates a log of one session. Paths inside `directory` are shown relative to it. With `onlyChanges`, changes of a
 * plan show only the changed steps.
 */
export function createRenderer(
  page: Page,
  { directory, onlyChanges }: { readonly directory: string; readonly onlyChanges: boolean },
) {
  const context = logContext(directory);
  const messages = createMessageRenderer(page, context);
  const plans = createPlanRenderer(page, onlyChanges);
  const toolCalls = createToolCallRenderer(page, context);
  const terminals = new TerminalRenderer(page);
  const permissions = createPermissionRenderer(page, { toolCalls, context });
  const ending = createEndingRenderer(page, context);
  const remark = createRemarkRenderer(page, context);

  const embed = (content: readonly ToolCallContent[], state: SessionState) => {
    // The output of a terminal is below its call, even if the terminal started first.
    for (const item of content) if (item.type === "terminal") terminals.embed(item.terminalId, state);
  };
  /** Shows an event. Events arrive in the order of the listeners. The state may already contain later events. */
  const show = (event: SessionEvent, state: SessionState): void => {
    switch (event.type) {
      case "user_message":
      case "agent_message":
      case "agent_thought":
        return messages.upsert(event);
      case "user_message_chunk":
      case "agent_message_chunk":
      case "agent_thought_chunk":
        return messages.chunk(event);
      case "tool_call_update":
        toolCalls.update(event);
        return embed(event.content ?? [], state);
      case "tool_call_content_chunk":
        toolCalls.chunk(event);
        return embed([event.content], state);
      case "terminal_update":
      case "terminal_output_chunk":
        return terminals.event(event, state);
      case "plan_update":
        return plans.update(event.plan);
      case "plan_removed":
        return plans.removed(event.planId);
      case "permission_asked":
        permissions.asked(event, state);
        return embed((event.subject?.type === "tool_call" && event.subject.toolCall.content) || [], state);
      case "permission_answered":
        return permissions.answered(event);
      case "usage_update":
        return ending.usage(event);
      case "prompt_sent":
        ending.started();
        return messages.prompt(event.content);
      case "state_update":
      case "turn_ended":
        if (event.type === "state_update" && event.state !== "idle") return;
        terminals.flush(state);
        return ending.ended(event);
      case "session_closed":
        messages.setReplaying(false); // a restore that failed has no other end
        return remark(event);
      case "replay_started":
      case "replay_ended":
        return messages.setReplaying(event.type === "replay_started");
      default:
        return remark(event);
    }
  };
  /** Shows changes of the state that have no event, such as output of commands that this client runs. */
  return { event: show, changed: (state: SessionState): void => terminals.changed(state) };
}

/** Creates a function that shows events with few lines. */
function createRemarkRenderer(page: Page, context: RenderContext): (event: SessionEvent) => void {
  const remark = (...lines: readonly Line[]) => {
    page.section("remarks");
    page.lines(lines);
  };
  const line = (style: "dim" | "red" | "yellow", text: string) => remark([[style, shortened(text)]]);
  let title: string | null | undefined;
  let mode: unknown;
  const modeOf = (options: readonly ConfigOption[] = []): unknown => {
    const option = options.find(({ category }) => category === "mode");
    return option && "currentValue" in option ? option.currentValue : undefined;
  };
  return (event) => {
    switch (event.type) {
      case "session_opened":
        mode = modeOf(event.configOptions ?? undefined);
        return;
      case "config_option_update": {
        const before = mode;
        mode = modeOf(event.configOptions);
        if (before === undefined || mode === undefined || mode === before) return;
        return line("dim", `Mode: ${String(mode)}`);
      }
      case "notice":
        return remark(...noticeLines(event, context));
      case "session_info_update":
        if (event.title != null && event.title !== title) line("dim", `Session: ${event.title}`);
        title = event.title ?? title;
        return;
      case "current_mode_update":
        return line("dim", `Mode: ${event.currentModeId}`);
      case "compaction_update":
        return remark(...compactionLines(event, context));
      case "compaction_summary_chunk":
        page.section("compaction");
        return page.flow("compaction", "dim", blockText(event.content));
      case "unknown":
        return remark(...unknownLines(event.raw, context));
      case "cancel_asked":
        return line("yellow", "Cancelling the turn … (Ctrl-C again to end at once)");
      case "prompt_failed":
        return line("red", `The agent did not take the prompt: ${event.error.message}`);
      case "session_closed":
        return event.reason === undefined ? undefined : line("dim", `Session closed: ${event.reason}`);
      default:
        // Commands and options belong to menus. Other events are not shown here.
        return;
    }
  };
}
