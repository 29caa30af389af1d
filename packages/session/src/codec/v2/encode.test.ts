import { describe, expect, it } from "vitest";
import { sentFor } from "../../../test/sent.js";
import type { SessionEvent } from "../../event.js";
import { v2Codec } from "../dialects.js";

const send = (...events: readonly SessionEvent[]) => sentFor(v2Codec, events);

const text = { type: "text", text: "x" } as const;

describe("writing version 2 updates", () => {
  it("says events as they are, without what is this side's own", () => {
    expect(send({ type: "agent_message", messageId: "m", content: null, _meta: { a: null }, at: 5 }).sent).toEqual([
      { sessionUpdate: "agent_message", messageId: "m", content: null, _meta: { a: null } },
    ]);
    const setBy = "session/set_mode" as const;
    const option = { configId: "m", name: "M", type: "boolean", currentValue: true } as const;
    expect(send({ type: "config_option_update", configOptions: [{ ...option, setBy }] }).sent).toEqual([
      { sessionUpdate: "config_option_update", configOptions: [option] },
    ]);
  });

  it("V2-EXT-01: a member that no version has stays here", () => {
    const update = { sessionUpdate: "tool_call_update", toolCallId: "t", title: "T" };
    expect(send(...v2Codec.decode({ ...update, future: 1 })).sent).toEqual([update]);
  });

  it("V2-DIFF-06: makes a patch of texts and leaves the texts out", () => {
    const changes = [
      { operation: "add", path: "/a", newText: "x\n" },
      { operation: "modify", path: "/b", oldText: "\0", newText: "\0\0" },
    ] as const;
    const { sent, lost } = send({ type: "tool_call_update", toolCallId: "t", content: [{ type: "diff", changes }] });
    expect(lost).toEqual([{ id: "diff-text", to: "v2", event: "tool_call_update", entity: "t" }]);
    expect(sent).toEqual([
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "t",
        content: [
          {
            type: "diff",
            changes: [
              { operation: "add", path: "/a", fileType: "text" },
              { operation: "modify", path: "/b", fileType: "binary" },
            ],
            patch: {
              format: "git_patch",
              text: "diff --git /a /a\nnew file mode 100644\n--- /dev/null\n+++ /a\n@@ -0,0 +1 @@\n+x\n",
            },
          },
        ],
      },
    ]);
  });

  it("V2-DIFF-01: keeps the patch that there is", () => {
    const patch = { format: "git_patch", text: "mine" };
    const changes = [{ operation: "add", path: "/a", newText: "x\n" }] as const;
    const content = { type: "diff", changes, patch } as const;
    const [sent] = send({ type: "tool_call_content_chunk", toolCallId: "t", content }).sent;
    expect(sent).toMatchObject({ content: { changes: [{ operation: "add", path: "/a" }], patch } });
  });

  it("V2-BRG-11: gives a message an id that it lacks, the same for all of it", () => {
    const chunk: SessionEvent = { type: "agent_message_chunk", content: text };
    const { sent, lost } = send(chunk, chunk, { type: "user_message_chunk", content: text });
    const ids = sent.map((update) => (update as { messageId: string }).messageId);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[0]).not.toBe(ids[2]);
    expect(lost[0]).toEqual({ id: "message-id", to: "v2", event: "agent_message_chunk", entity: ids[0] });
  });

  it("4.1: says a mode as the option that it is", () => {
    const mode = {
      configId: "mode",
      name: "Mode",
      category: "mode",
      type: "select",
      currentValue: "a",
      options: [{ value: "a", name: "A" }],
    } as const;
    const { sent } = send(
      { type: "config_option_update", configOptions: [mode] },
      { type: "current_mode_update", currentModeId: "b" },
      { type: "current_mode_update", currentModeId: "b" },
    );
    expect(sent.slice(1)).toEqual([
      { sessionUpdate: "config_option_update", configOptions: [{ ...mode, currentValue: "b" }] },
    ]);
    expect(send({ type: "current_mode_update", currentModeId: "b" }).lost).toMatchObject([{ id: "mode", entity: "b" }]);
  });

  it("V2-EXT-08: passes on what nobody here knows, and nothing that is no update", () => {
    const raw = { sessionUpdate: "hologram", beam: 1 };
    expect(send({ type: "unknown", raw }).sent).toEqual([raw]);
    expect(send({ type: "unknown", raw: 5 })).toMatchObject({ sent: [], lost: [{ id: "unknown" }] });
  });

  it("V2-DIFF-02: an operation that came without a path goes without one", () => {
    const update = {
      sessionUpdate: "tool_call_content_chunk",
      toolCallId: "t",
      content: { type: "diff", changes: [{ operation: "split", into: 2 }] },
    };
    expect(send(...v2Codec.decode(update)).sent).toEqual([update]);
  });
});
