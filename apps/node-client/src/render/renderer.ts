import type { SessionEvent, SessionState, ToolCallContent } from "@turnkit/session";
import { blockText } from "./content-block.js";
import { createEndingRenderer } from "./ending.js";
import { createMessageRenderer } from "./message.js";
import type { Page, Span } from "./page.js";
import { createPermissionRenderer } from "./permission.js";
import { createPlanRenderer } from "./plan.js";
import { createTerminalRenderer } from "./terminal.js";
import { createToolCallRenderer } from "./tool-call.js";

/** What a renderer has to know besides the events. */
export type RendererOptions = {
  /** Paths inside it are shown relative to it. */
  readonly directory: string;
  /** For logs: of a plan that changed, only the steps that changed. */
  readonly onlyChanges: boolean;
};

/** Draws one session. */
export interface Renderer {
  /** Draws an event; events come in the order in which listeners get them. The state may be ahead of them. */
  event(event: SessionEvent, state: SessionState): void;
  /** Draws what the state has learned without an event: output of the commands that this client runs. */
  changed(state: SessionState): void;
}

/** Makes a renderer that turns the events of one session into lines on a page. */
export function createRenderer(page: Page, { directory, onlyChanges }: RendererOptions): Renderer {
  const messages = createMessageRenderer(page);
  const plans = createPlanRenderer(page, onlyChanges);
  const toolCalls = createToolCallRenderer(page, directory);
  const terminals = createTerminalRenderer(page);
  const permissions = createPermissionRenderer(page, toolCalls);
  const ending = createEndingRenderer(page);
  const remark = createRemarkRenderer(page);

  const embed = (content: readonly ToolCallContent[], state: SessionState) => {
    for (const id of terminalsIn(content)) terminals.embed(id, state);
  };
  const draw = (event: SessionEvent, state: SessionState) => {
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
        permissions.asked(event);
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
  return { event: draw, changed: (state) => terminals.changed(state) };
}

/** The terminals of a tool call: they stand below it, whichever of them came first. */
function terminalsIn(content: readonly ToolCallContent[]): readonly string[] {
  return content.flatMap((item) => (item.type === "terminal" ? [item.terminalId] : []));
}

/** Draws what takes one line and needs no memory. */
function createRemarkRenderer(page: Page): (event: SessionEvent) => void {
  const remark = (...spans: Span[]) => {
    page.section("remarks");
    page.line(...spans);
  };
  let title: string | null | undefined;
  return (event) => {
    switch (event.type) {
      case "notice": {
        const style = event.severity === "error" ? "red" : event.severity === "warning" ? "yellow" : "cyan";
        remark([style, `! ${String(event.severity)}: ${event.title}`]);
        if (event.description != null) page.block(event.description, { limit: 10 });
        return;
      }
      case "session_info_update":
        if (event.title != null && event.title !== title) remark(["dim", `Session: ${event.title}`]);
        title = event.title ?? title;
        return;
      case "current_mode_update":
        return remark(["dim", `Mode: ${event.currentModeId}`]);
      case "compaction_update":
        remark(["dim", `Compaction of the context: ${String(event.status).replaceAll("_", " ")}`]);
        if (event.error != null) page.block(event.error, { limit: 10 });
        return;
      case "compaction_summary_chunk":
        page.section("compaction");
        return page.flow("compaction", "dim", blockText(event.content));
      case "unknown":
        return remark([
          "dim",
          `An update that this program does not know: ${JSON.stringify(event.raw)?.slice(0, 200)}`,
        ]);
      case "cancel_asked":
        return remark(["yellow", "Cancelling the turn … (Ctrl-C again to end at once)"]);
      case "prompt_failed":
        return remark(["red", `The agent did not take the prompt: ${event.error.message}`]);
      case "session_closed":
        return event.reason === undefined ? undefined : remark(["dim", `Session closed: ${event.reason}`]);
      default:
        // Commands and options are for menus; "accepted", "started" and "opened" say what the screen shows anyway.
        return;
    }
  };
}
