import { describe, expect, it } from "vitest";
import { parse, type Schema } from "../src/index.js";
import * as v2 from "../src/v2/unstable/index.js";
import { expectOutcome, fine } from "./outcome.js";

const inSession = { sessionId: "s" };

describe("unions that stay open (V2-EXT-02, V2-EXT-03)", () => {
  it.each<[string, Schema, string, object]>([
    ["auth method", v2.authMethod, "type", { methodId: "m", name: "M" }],
    ["command", v2.availableCommand, "type", { name: "a", description: "A" }],
    ["command input", v2.availableCommandInput, "type", {}],
    ["background work", v2.backgroundWork, "type", {}],
    ["content block", v2.contentBlock, "type", {}],
    ["elicitation request", v2.createElicitationRequest, "mode", { ...inSession, message: "m" }],
    ["elicitation response", v2.createElicitationResponse, "action", {}],
    ["elicitation property", v2.elicitationPropertySchema, "type", {}],
    ["elicitation items", v2.multiSelectItems, "type", {}],
    ["diff change", v2.diffChange, "operation", {}],
    ["MCP server", v2.mcpServer, "type", {}],
    ["plan content", v2.planUpdateContent, "type", { planId: "p" }],
    ["replay cursor", v2.replayFrom, "type", {}],
    ["permission outcome", v2.requestPermissionOutcome, "outcome", {}],
    ["permission subject", v2.requestPermissionSubject, "type", {}],
    ["config option", v2.sessionConfigOption, "type", { configId: "o", name: "O" }],
    ["config value", v2.setSessionConfigOptionRequest, "type", { ...inSession, configId: "o", value: [1] }],
    ["session update", v2.sessionUpdate, "sessionUpdate", {}],
    ["state", v2.stateUpdate, "state", {}],
    ["tool content", v2.toolCallContent, "type", {}],
  ])("%s", (_, schema, tag, members) => {
    const value = { ...members, depth: { of: [3] } };
    // Somebody's own passes without a remark; another name is not taken for that but for a later protocol's.
    expectOutcome(schema, { ...value, [tag]: "_mine" }, fine);
    expectOutcome(schema, { ...value, [tag]: "mine" }, { kept: [tag] });
    expect(parse(schema, { ...value, [tag]: 5 }).issues?.length).toBeGreaterThan(0);
  });
});

describe("strings that stay open (V2-EXT-02, V2-EXT-04)", () => {
  it.each<[string, Schema, string]>([
    ["idle stop reason (V2-EXT-03)", v2.stopReason, "error"],
    ["tool kind", v2.toolKind, "other"],
    ["tool status", v2.toolCallStatus, "paused"],
    ["role", v2.role, "user"],
    ["icon theme", v2.iconTheme, "dark"],
    ["diff file type", v2.diffFileType, "symlink"],
    ["patch format", v2.diffPatchFormat, "git_patch"],
    ["permission option kind", v2.permissionOptionKind, "allow_always"],
    ["string format", v2.stringFormat, "date-time"],
    ["config category", v2.sessionConfigOptionCategory, "thought_level"],
    ["plan priority", v2.planEntryPriority, "low"],
    ["plan status", v2.planEntryStatus, "cancelled"],
    ["notice severity", v2.noticeSeverity, "warning"],
    ["compaction status", v2.compactionStatus, "failed"],
    ["LLM protocol", v2.llmProtocol, "bedrock"],
    ["auth state", v2.authState, "not_required"],
    ["session status", v2.sessionStatus, "saved"],
    ["system prompt mode", v2.systemPromptMode, "override"],
    ["archive filter", v2.sessionArchiveFilter, "only"],
  ])("%s", (_, schema, known) => {
    expectOutcome(schema, known, fine);
    expectOutcome(schema, "_mine", fine);
    expectOutcome(schema, "mine", { kept: [""] });
    expectOutcome(schema, 5, { refused: [""] });
  });

  it("the type of a form does not, and an error may have any code", () => {
    expectOutcome(v2.elicitationSchemaType, "object", fine);
    expectOutcome(v2.elicitationSchemaType, "_object", { refused: [""] });
    for (const code of [-0x8000_0000, -33_000, 0, 1, 0x7fff_ffff]) expectOutcome(v2.errorCode, code, fine);
    for (const code of [0x8000_0000, 1.5, "1"]) expectOutcome(v2.errorCode, code, { refused: [""] });
  });
});
