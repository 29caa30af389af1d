import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFolder } from "./folder.js";
import { seedClient, turnkitAgent } from "./programs.js";
import type { Frame } from "./raw-lines.js";
import { runProgram } from "./running-program.js";
import { typescript } from "./samples.js";

/** Lets the raw client play one scene with turnkit-agent; what it received, and the file afterwards. */
async function play(scene: string) {
  const cwd = await createFolder({ "price.ts": typescript.flawed });
  const { code, stdout, stderr } = await runProgram([...seedClient, scene, cwd, "price.ts", "--", ...turnkitAgent], {
    cwd,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const frames = stdout
    .trim()
    .split("\n")
    .map((line): Frame => JSON.parse(line));
  return {
    path: join(cwd, "price.ts"),
    text: await readFile(join(cwd, "price.ts"), "utf8"),
    frames,
    updates: frames.flatMap(({ params }) => (params?.update ? [params.update as Frame] : [])),
    questions: frames.filter(({ method }) => method === "session/request_permission"),
    answers: (method: string) => frames.filter(({ answered }) => answered === method),
  };
}

describe("a client of the seed draft in bare lines and turnkit-agent", () => {
  it("V2-SEED-20, V2-SEED-24: is known by its hello and answered in its words", async () => {
    const { answers } = await play("review");
    expect(answers("initialize")).toMatchObject([
      {
        result: {
          protocolVersion: 2,
          agentInfo: { name: "turnkit-agent" },
          capabilities: { session: { prompt: { embeddedContext: {} }, additionalDirectories: {}, close: {} } },
        },
      },
    ]);
    expect(answers("initialize")[0]?.result).not.toHaveProperty("info");
    // Its options have the older names; an agent that keeps no sessions restores none, and says so.
    expect(answers("session/new")).toMatchObject([
      { result: { configOptions: [{ id: "mode", type: "select", currentValue: "ask" }, { id: "model" }] } },
    ]);
    expect(answers("initialize")[0]?.result.capabilities.session).not.toHaveProperty("load");
  });

  it("V2-SEED-21: a whole turn, in which the answer to the prompt is the end and comes last", async () => {
    const { frames, updates, answers, text } = await play("review");
    expect(text).toBe(typescript.fixed);
    expect(answers("session/prompt")).toEqual([{ answered: "session/prompt", result: { stopReason: "end_turn" } }]);
    expect(frames.at(-1)).toHaveProperty("answered", "session/prompt");
    const kinds = updates.map(({ sessionUpdate }) => sessionUpdate as string);
    const begun = kinds.indexOf("user_message");
    expect(updates[begun]?.content).toEqual([{ type: "text", text: "Review price.ts" }]);
    expect(kinds.slice(0, begun)).toEqual(["available_commands_update"]);
    expect(new Set(kinds.slice(begun + 1))).toEqual(
      new Set([
        ...["agent_thought_chunk", "agent_message_chunk", "plan_update", "tool_call_update"],
        "session_info_update",
      ]),
    );
  });

  it("V2-SEED-23: plans, diffs, questions and commands have the draft's shapes", async () => {
    const { updates, questions, path } = await play("review");
    const plans = updates.flatMap(({ plan }) => (plan ? [plan as Frame] : []));
    for (const plan of plans)
      expect(plan).toMatchObject({ type: "items", id: plans[0]?.id, entries: [{}, {}, {}, {}] });
    expect(plans.at(-1)?.entries.map(({ status }: Frame) => status)).toEqual(Array(4).fill("completed"));
    const items = updates.flatMap(({ content }) => (Array.isArray(content) ? (content as Frame[]) : []));
    const { flawed: oldText, fixed: newText } = typescript;
    expect(items).toContainEqual({ type: "diff", path, oldText, newText });
    const [question] = questions;
    expect(questions).toHaveLength(1);
    expect(question?.params).toMatchObject({
      toolCall: { title: "Edit price.ts", toolCallId: expect.any(String) },
      options: [{ kind: "allow_once" }, { kind: "allow_always" }, { kind: "reject_once" }, { kind: "reject_always" }],
    });
    expect(question?.params).not.toHaveProperty("subject");
    expect(updates[0]?.availableCommands[0]).not.toHaveProperty("type");
  });

  it("V2-SEED-25: a cancel while a question is open ends the prompt as cancelled, never as an error", async () => {
    const { frames, answers, text } = await play("cancel");
    expect(answers("session/prompt")).toEqual([{ answered: "session/prompt", result: { stopReason: "cancelled" } }]);
    expect(frames.at(-1)).toHaveProperty("answered", "session/prompt");
    expect(text).toBe(typescript.flawed);
  });

  it("sets an option by a value without a type, and the agent heeds it", async () => {
    const { answers, questions, text } = await play("mode");
    expect(answers("session/set_config_option")).toMatchObject([
      { result: { configOptions: [{ id: "mode", currentValue: "review" }, { id: "model" }] } },
    ]);
    expect(questions).toEqual([]);
    expect(text).toBe(typescript.flawed);
  });

  it("is refused what the agent does not have, in the codes of the draft", async () => {
    const { answers } = await play("strays");
    expect(answers("session/prompt").map(({ error }) => error.code)).toEqual([-32602, -32002]);
    for (const method of ["session/load", "auth/login"]) expect(answers(method)[0]?.error.code).toBe(-32601);
    expect(answers("session/close")[0]?.result).toEqual({});
  });
});
