import { describe, it } from "vitest";
import { type Case, expectOutcome, fine } from "../../../test/outcome.js";
import {
  archiveSessionRequest,
  archiveSessionResponse,
  forkSessionRequest,
  forkSessionResponse,
  listSessionsRequest,
  newSessionRequest,
  resumeSessionRequest,
  sessionInfo,
  sessionStatusRequest,
  sessionStatusResponse,
  systemPrompt,
  unarchiveSessionRequest,
  unarchiveSessionResponse,
} from "./index.js";

const one = { sessionId: "s" };
const place = { ...one, cwd: "/a" };
const server = { type: "acp", name: "n", serverId: "1" };
const append = { mode: "append", content: [{ type: "text", text: "Be brief." }] };

describe("session/fork (V2-SES-25)", () => {
  it.each<Case>([
    ["a session and a folder", forkSessionRequest, place, fine],
    [
      "everything",
      forkSessionRequest,
      { ...place, additionalDirectories: ["/b"], mcpServers: [server], systemPrompt: append },
      fine,
    ],
    [
      "nulls for lists",
      forkSessionRequest,
      { ...place, additionalDirectories: null, mcpServers: null },
      {
        salvaged: ["additionalDirectories", "mcpServers"],
        as: { ...place, additionalDirectories: [], mcpServers: [] },
      },
    ],
    [
      "one bad folder",
      forkSessionRequest,
      { ...place, additionalDirectories: ["/b", 5] },
      { refused: ["additionalDirectories.1"] },
    ],
    ["no session", forkSessionRequest, { cwd: "/a" }, { refused: ["sessionId"] }],
    ["no folder", forkSessionRequest, one, { refused: ["cwd"] }],
    [
      "the answer of session/new",
      forkSessionResponse,
      { sessionId: "t", configOptions: [], availableCommands: [] },
      fine,
    ],
    ["the answer without the new id", forkSessionResponse, {}, { refused: ["sessionId"] }],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));
});

describe("session/archive and what comes with it (V2-SES-26)", () => {
  it.each<Case>([
    ["archive", archiveSessionRequest, one, fine],
    ["archive nothing", archiveSessionRequest, {}, { refused: ["sessionId"] }],
    ["archived", archiveSessionResponse, {}, fine],
    ["unarchive", unarchiveSessionRequest, one, fine],
    ["unarchived", unarchiveSessionResponse, {}, fine],
    ["a session that is", sessionInfo, { ...place, archived: true }, fine],
    ["a session of which it is not told", sessionInfo, { ...place, archived: null }, fine],
    ["garbage in the list", sessionInfo, { ...place, archived: "yes" }, { salvaged: ["archived"], as: place }],
    ["list without them", listSessionsRequest, { archived: "exclude" }, fine],
    ["list them too, in one folder", listSessionsRequest, { archived: "include", cwd: "/a", cursor: "" }, fine],
    ["list only them", listSessionsRequest, { archived: "only" }, fine],
    [
      "list as the future does, for the agent to refuse",
      listSessionsRequest,
      { archived: "recent" },
      { kept: ["archived"] },
    ],
    ["list by garbage", listSessionsRequest, { archived: true }, { refused: ["archived"] }],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));
});

describe("session/status (V2-SES-27)", () => {
  const idle = { state: "idle", stopReason: "end_turn", background: [] };

  it.each<Case>([
    ["asked", sessionStatusRequest, one, fine],
    ["asked of nothing", sessionStatusRequest, {}, { refused: ["sessionId"] }],
    ["saved", sessionStatusResponse, { status: "saved" }, fine],
    ["open, with a snapshot", sessionStatusResponse, { status: "open", state: idle }, fine],
    ["open, and busy", sessionStatusResponse, { status: "open", state: { state: "running" } }, fine],
    ["open, and it is not told what it does", sessionStatusResponse, { status: "open", state: null }, fine],
    [
      "a malformed snapshot is none, and so not idle",
      sessionStatusResponse,
      { status: "open", state: "idle" },
      { salvaged: ["state"], as: { status: "open" } },
    ],
    [
      "a status of the future, which counts as saved",
      sessionStatusResponse,
      { status: "frozen" },
      { kept: ["status"] },
    ],
    ["no status", sessionStatusResponse, { state: idle }, { refused: ["status"] }],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));
});

describe("the system prompt (V2-SES-29)", () => {
  it.each<Case>([
    ["appended", systemPrompt, append, fine],
    ["overridden", systemPrompt, { ...append, mode: "override" }, fine],
    [
      "in a mode of the future, for the agent to refuse",
      systemPrompt,
      { ...append, mode: "prepend" },
      { kept: ["mode"] },
    ],
    ["in no mode", systemPrompt, { content: append.content }, { refused: ["mode"] }],
    ["as a bare text", systemPrompt, { ...append, content: "Be brief." }, { refused: ["content"] }],
    [
      "with a broken block, none of which is dropped",
      systemPrompt,
      { ...append, content: [...append.content, { type: "text" }] },
      { refused: ["content.1.text"] },
    ],
    [
      "with a block of the future, for the agent to refuse",
      systemPrompt,
      { ...append, content: [{ type: "video" }] },
      { kept: ["content.0.type"] },
    ],
    ["for a new session", newSessionRequest, { cwd: "/a", systemPrompt: append }, fine],
    ["for one that is restored", resumeSessionRequest, { ...place, systemPrompt: append }, fine],
    ["for one that is restored, as it was", resumeSessionRequest, { ...place, systemPrompt: null }, fine],
    [
      "malformed: no session starts without it",
      newSessionRequest,
      { cwd: "/a", systemPrompt: "Be brief." },
      { refused: ["systemPrompt"] },
    ],
    [
      "malformed: none is forked",
      forkSessionRequest,
      { ...place, systemPrompt: {} },
      { refused: ["systemPrompt.mode", "systemPrompt.content"] },
    ],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));
});
