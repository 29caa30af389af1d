import { describe, expect, it } from "vitest";
import { createSessionState } from "./create-session-state.js";
import type { MessageEntry } from "./entry.js";
import type { SessionEvent } from "./event.js";
import { reduce, reduceAll } from "./reduce.js";
import {
  currentMessage,
  messageText,
  needsLogin,
  pendingQuestions,
  selectIcons,
  selectModels,
  selectModes,
  toolCallsByStatus,
  visiblePlan,
} from "./select.js";
import type { SessionState } from "./state.js";
import { transcriptMarkdown, transcriptText } from "./transcript.js";

const fold = (...events: readonly SessionEvent[]): SessionState => reduceAll(createSessionState(), events);
const chunk = (text: string): SessionEvent => ({ type: "agent_message_chunk", content: { type: "text", text } });
const tool = (toolCallId: string, members: object): SessionEvent =>
  ({ type: "tool_call_update", toolCallId, title: toolCallId, ...members }) as SessionEvent;

describe("the text of a message", () => {
  it("V1-UPD-08: joins text blocks with nothing between, whichever state is asked first", () => {
    const states = [createSessionState()];
    for (const letter of "abcdef") states.push(reduce(states.at(-1) ?? createSessionState(), chunk(letter)));
    const textOf = (index: number): string => messageText(states[index]?.timeline.at(0) as MessageEntry);
    expect([textOf(3), textOf(6), textOf(1), textOf(5), textOf(6)]).toEqual(["abc", "abcdef", "a", "abcde", "abcdef"]);
    const fork = reduce(states[3] ?? createSessionState(), chunk("X"));
    expect(messageText(fork.timeline.at(0) as MessageEntry)).toBe("abcX");
    expect(textOf(6)).toBe("abcdef");
  });

  it.each([
    ["", []],
    [", nor for what it was a frame ago", [-1]],
    [", nor for several of before", [-1, -1, 0, -1]],
  ])("does not join the whole message anew for every frame%s", (_, others) => {
    let reads = 0;
    const counted = (text: string): SessionEvent => ({
      type: "agent_message_chunk",
      content: Object.defineProperty({ type: "text" }, "text", {
        enumerable: true,
        get: () => {
          reads++;
          return text;
        },
      }) as never,
    });
    const texts: string[] = [];
    const states = [reduce(createSessionState(), counted("x"))];
    const textAt = (frame: number): string => messageText(states[frame]?.timeline.at(0) as MessageEntry);
    for (let frame = 1; frame < 200; frame++) {
      states.push(reduce(states.at(-1) as SessionState, counted("x")));
      texts[frame] = textAt(frame);
      for (const other of others) expect(textAt(frame + other)).toBe("x".repeat(frame + other + 1));
    }
    expect(texts.at(-1)).toBe("x".repeat(200));
    expect(reads).toBeLessThan(200 * 10);
  });
});

describe("views of a state", () => {
  it("finds the newest message and the plan to show", () => {
    const plan = (planId: string, ...entries: readonly object[]): SessionEvent =>
      ({ type: "plan_update", plan: { planId, type: "items", entries } }) as SessionEvent;
    const step = { content: "a", priority: "low", status: "pending" };
    expect(currentMessage(fold(chunk("a"), tool("t", {})))).toMatchObject({ role: "agent" });
    expect(currentMessage(fold())).toBeUndefined();
    expect(visiblePlan(fold(plan("other", step), plan("main", step)))?.planId).toBe("main");
    expect(visiblePlan(fold(plan("other", step), plan("main")))?.planId).toBe("other");
    expect(visiblePlan(fold(plan("main")))).toBeUndefined();
  });

  it("shows open questions with their tool call as it stands, the identical answer for the same state", () => {
    const asked: SessionEvent = {
      type: "permission_asked",
      requestId: "r",
      title: "Edit?",
      subject: { type: "tool_call", toolCall: { toolCallId: "t" } },
      options: [],
    };
    const state = fold(asked, tool("t", { title: "Now" }));
    expect(pendingQuestions(state)).toMatchObject([
      { type: "permission", question: { requestId: "r" }, toolCall: { title: "Now" } },
    ]);
    expect(pendingQuestions(state)).toBe(pendingQuestions(state));
  });

  it("shows the identical questions while the agent goes on with something else", () => {
    const form: SessionEvent = {
      type: "elicitation_asked",
      requestId: "f",
      message: "Which branch?",
      mode: "form",
      requestedSchema: { type: "object", properties: {} },
      toolCallId: "t",
    };
    const permission: SessionEvent = { type: "permission_asked", requestId: "r", title: "Edit?", options: [] };
    const asked = fold(tool("t", {}), form, permission);
    const later = reduceAll(asked, [chunk("a"), tool("u", {})]);
    expect(pendingQuestions(later)).toBe(pendingQuestions(asked));
    const changed = reduce(later, tool("t", { status: "in_progress" }));
    expect(pendingQuestions(changed).map(({ toolCall }) => toolCall?.status)).toEqual([undefined, "in_progress"]);
    expect(pendingQuestions(later)).toBe(pendingQuestions(asked));
    const answered = reduce(later, { type: "permission_answered", requestId: "r", outcome: { outcome: "cancelled" } });
    expect(pendingQuestions(answered)).toHaveLength(1);
  });

  it("shows what the agent asks of the person beside it, until it is answered", () => {
    const form: SessionEvent = {
      type: "elicitation_asked",
      requestId: "f",
      toolCallId: "t",
      message: "Which branch?",
      mode: "form",
      requestedSchema: { type: "object", properties: {} },
    };
    const page: SessionEvent = {
      type: "elicitation_asked",
      requestId: "p",
      message: "Log in",
      mode: "url",
      elicitationId: "e",
      url: "https://a",
    };
    const asked = fold(
      form,
      page,
      { type: "permission_asked", requestId: "r", title: "Run?", options: [] },
      tool("t", { title: "Now" }),
    );
    expect(pendingQuestions(asked)).toMatchObject([
      { type: "permission", question: { requestId: "r" }, toolCall: undefined },
      { type: "elicitation", question: { requestId: "f", message: "Which branch?" }, toolCall: { title: "Now" } },
      { type: "elicitation", question: { requestId: "p", url: "https://a" }, toolCall: undefined },
    ]);
    const ids = (...events: readonly SessionEvent[]) =>
      pendingQuestions(reduceAll(asked, events)).map(({ question }) => question.requestId);
    const accept = (requestId: string): SessionEvent => ({
      type: "elicitation_answered",
      requestId,
      answer: { action: "accept" },
    });
    expect(ids(accept("f"))).toEqual(["r", "p"]);
    // The person is on the page: nobody has to decide anything.
    expect(ids(accept("p"))).toEqual(["r", "f"]);
    expect(ids({ type: "elicitation_completed", elicitationId: "e" })).toEqual(["r", "f", "p"]);
    expect(ids({ type: "session_closed" })).toEqual([]);
  });

  it("V2-PERM-03: shows with a question about a command the tool call that wants to run it", () => {
    const subject = { type: "command", command: "make", cwd: "/a" } as const;
    const asked = fold(
      tool("t", { title: "Build" }),
      {
        type: "permission_asked",
        requestId: "r",
        title: "Run?",
        options: [],
        subject: { ...subject, toolCallId: "t" },
      },
      {
        type: "permission_asked",
        requestId: "s",
        title: "Run?",
        options: [],
        subject: { ...subject, toolCallId: null },
      },
    );
    expect(pendingQuestions(asked)).toMatchObject([{ toolCall: { title: "Build" } }, { toolCall: undefined }]);
  });

  it("gives the identical empty answer for any state without questions or such calls", () => {
    expect(pendingQuestions(fold(chunk("a")))).toBe(pendingQuestions(fold()));
    expect(toolCallsByStatus(fold(tool("a", {})), "failed")).toBe(toolCallsByStatus(fold(), "completed"));
  });

  it("picks tool calls by status", () => {
    const state = fold(tool("a", { status: "completed" }), tool("b", {}), tool("c", { status: "failed" }));
    expect(toolCallsByStatus(state, "completed", "failed").map(({ toolCallId }) => toolCallId)).toEqual(["a", "c"]);
    expect(toolCallsByStatus(state, "failed", "pending").map(({ toolCallId }) => toolCallId)).toEqual(["b", "c"]);
    const received = reduce(state, { type: "session_info_update", title: "T" });
    expect(toolCallsByStatus(received, "failed")).toBe(toolCallsByStatus(state, "failed"));
  });

  it("V1-AUTH-17: says that a login is needed while the newest prompt failed for want of one", () => {
    const sent = (promptId: string): SessionEvent => ({ type: "prompt_sent", promptId, content: [] });
    const error = { code: -32000, message: "Log in first" };
    const refused: SessionEvent = { type: "prompt_failed", promptId: "1", error };
    const failed = fold(
      sent("1"),
      { type: "turn_started", promptId: "1" },
      { type: "turn_ended", promptId: "1", error },
    );
    expect([needsLogin(fold()), needsLogin(fold(sent("1"), refused)), needsLogin(failed)]).toEqual([false, true, true]);
    const ended: SessionEvent = { type: "turn_ended", promptId: "2", stopReason: "end_turn" };
    expect(needsLogin(reduceAll(failed, [sent("2"), ended]))).toBe(false);
    expect(needsLogin(fold(sent("1"), refused, sent("2"), ended))).toBe(false);
    const other: SessionEvent = { type: "prompt_failed", promptId: "1", error: { code: -32603, message: "No" } };
    expect(needsLogin(fold(sent("1"), other))).toBe(false);
  });

  it("offers modes and models as menus", () => {
    const options = [{ groupId: "g", name: "G", options: [{ value: "m1", name: "M1" }] }];
    const option = {
      configId: "x",
      name: "X",
      category: "model",
      type: "select",
      currentValue: "m1",
      options,
    } as const;
    const state = fold({ type: "config_option_update", configOptions: [option] });
    expect(selectModels(state)).toMatchObject({ current: { name: "M1" }, choices: [{ value: "m1" }] });
    expect(selectModes(state)).toBeUndefined();
    expect(selectModels(fold())).toBeUndefined();
  });

  it("writes the conversation down", () => {
    const image: SessionEvent = {
      type: "agent_message_chunk",
      content: { type: "image", data: "", mimeType: "image/png" },
    };
    const thought: SessionEvent = { type: "agent_thought_chunk", content: { type: "text", text: "hm\nok" } };
    const state = fold(thought, chunk("See:"), image, tool("Run", { status: "completed" }));
    expect(transcriptText(state)).toBe("Thought: hm\nok\n\nAgent: See: [image]\n\n[Run (completed)]");
    const refused = reduceAll(createSessionState(), [
      { type: "prompt_sent", promptId: "1", content: [{ type: "text", text: "Go" }] },
      { type: "prompt_failed", promptId: "1", error: { code: -32603, message: "No" } },
      tool("Two\nlines", {}),
    ]);
    expect(transcriptText(refused)).toBe("User (failed): Go\n\n[Two\nlines (pending)]");
    expect(transcriptMarkdown(refused)).toBe("## User (failed)\n\nGo\n\n- Two\n  lines (pending)");
    expect(transcriptMarkdown(state)).toBe("> hm\n> ok\n\n## Agent\n\nSee: [image]\n\n- Run (completed)");
  });

  it("writes no entry into the code of the one before, which a cancel may have left open", () => {
    const written = (text: string): string => transcriptMarkdown(fold(chunk(text), tool("Run", {})));
    const after = "\n\n- Run (pending)";
    for (const [text, end] of [
      ["See:\n```js\nlet a = `b`;", "\n```"],
      ["~~~~\n~~~\n```", "\n~~~~"],
      ["- a\n  ```\n  b", "\n  ```"],
      ["```js\r\na\r\n```", ""],
      ["```\na\n```js\n```", ""],
      ["```a``` and `b`", ""],
      // These end with the list and the quotation that they stand in.
      ["- ```\n  a\n  ```", ""],
      ["> ```\n> a", ""],
      ["1. a\n\n   - ~~~\n     a\n     ~~~", ""],
      // A hostile agent's, which takes minutes where the search goes back.
      [`${"~".repeat(200_000)}\``, ""],
    ] as const) {
      expect(written(text)).toBe(`## Agent\n\n${text}${end}${after}`);
    }
  });
});

it("V2-CON-06: only icons from https: and data: are offered for drawing, for the background that is asked for", () => {
  const icons = [
    "https://example.org/a.png",
    "data:image/png;base64,AAAA",
    "http://example.org/a.png",
    "file:///etc/passwd",
    "javascript:alert(1)",
    " https://example.org",
    "a.png",
    "//example.org/a.png",
  ].map((src) => ({ src }));
  expect(selectIcons(icons).map(({ src }) => src)).toEqual(["https://example.org/a.png", "data:image/png;base64,AAAA"]);
  const themed = ["light", "dark", undefined, "sepia"].map((theme) => ({ src: "data:,", ...(theme && { theme }) }));
  expect(selectIcons(themed, "dark")).toEqual([{ src: "data:,", theme: "dark" }, { src: "data:," }]);
  expect(selectIcons(undefined)).toEqual([]);
});
