import { describe, it } from "vitest";
import { type Case, expectOutcome, fine } from "../../../test/outcome.js";
import {
  agentCapabilities,
  archiveSessionRequest,
  archiveSessionResponse,
  forkSessionRequest,
  forkSessionResponse,
  listSessionsRequest,
  loadSessionRequest,
  newSessionRequest,
  resumeSessionRequest,
  sessionInfo,
  sessionStatusRequest,
  sessionStatusResponse,
  setSessionTitleRequest,
  setSessionTitleResponse,
  systemPrompt,
  unarchiveSessionRequest,
  unarchiveSessionResponse,
} from "./index.js";

const one = { sessionId: "s" };
const place = { ...one, cwd: "/a" };
const append = { mode: "append", content: [{ type: "text", text: "Be brief." }] };
const modes = { currentModeId: "a", availableModes: [{ id: "a", name: "A" }] };
const option = { type: "boolean", id: "o", name: "O", currentValue: true };

it.each(["fork", "archive", "status", "title", "systemPrompt"])(
  "the capability %s is an object or nothing (V1-UNST-02..05)",
  (name) => {
    const offered = (value: unknown) => ({ sessionCapabilities: { [name]: value } });
    for (const value of [{}, null]) expectOutcome(agentCapabilities, offered(value), fine);
    const none = { sessionCapabilities: {} };
    expectOutcome(agentCapabilities, offered(true), { salvaged: [`sessionCapabilities.${name}`], as: none });
  },
);

describe("session/fork (V1-UNST-02)", () => {
  it.each<Case>([
    ["a session and a folder", forkSessionRequest, place, fine],
    [
      "everything",
      forkSessionRequest,
      { ...place, additionalDirectories: ["/b"], mcpServers: [], systemPrompt: append },
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
    ["the new session", forkSessionResponse, { sessionId: "t", modes, configOptions: [option] }, fine],
    ["the new session with nulls", forkSessionResponse, { sessionId: "t", modes: null, configOptions: null }, fine],
    [
      "the new session with garbage",
      forkSessionResponse,
      { sessionId: "t", modes: 5, configOptions: [5, option] },
      { salvaged: ["modes", "configOptions.0"], as: { sessionId: "t", configOptions: [option] } },
    ],
    ["no new session", forkSessionResponse, { modes }, { refused: ["sessionId"] }],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));
});

describe("session/archive and what comes with it (V1-UNST-03)", () => {
  it.each<Case>([
    ["archive", archiveSessionRequest, one, fine],
    ["archive nothing", archiveSessionRequest, {}, { refused: ["sessionId"] }],
    ["archived", archiveSessionResponse, {}, fine],
    ["unarchive", unarchiveSessionRequest, one, fine],
    ["unarchive nothing", unarchiveSessionRequest, {}, { refused: ["sessionId"] }],
    ["unarchived", unarchiveSessionResponse, {}, fine],
    ["a session that is", sessionInfo, { ...place, archived: true }, fine],
    ["a session of which it is not told", sessionInfo, { ...place, archived: null }, fine],
    ["garbage in the list", sessionInfo, { ...place, archived: "yes" }, { salvaged: ["archived"], as: place }],
    ["list without them", listSessionsRequest, { archived: "exclude" }, fine],
    ["list them too, in one folder", listSessionsRequest, { archived: "include", cwd: "/a", cursor: "c" }, fine],
    ["list only them", listSessionsRequest, { archived: "only" }, fine],
    ["list as if it was not said", listSessionsRequest, { archived: null }, fine],
    [
      "list as the future does, for the agent to refuse",
      listSessionsRequest,
      { archived: "recent" },
      { kept: ["archived"] },
    ],
    ["list by garbage", listSessionsRequest, { archived: true }, { refused: ["archived"] }],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));
});

describe("session/status and session/set_title (V1-UNST-04)", () => {
  it.each<Case>([
    ["asked", sessionStatusRequest, one, fine],
    ["asked of nothing", sessionStatusRequest, {}, { refused: ["sessionId"] }],
    ["open", sessionStatusResponse, { status: "open" }, fine],
    ["saved", sessionStatusResponse, { status: "saved" }, fine],
    [
      "a status of the future, which counts as saved",
      sessionStatusResponse,
      { status: "frozen" },
      { kept: ["status"] },
    ],
    ["no status", sessionStatusResponse, {}, { refused: ["status"] }],
    ["a title", setSessionTitleRequest, { ...one, title: "T" }, fine],
    ["an empty title, for the agent to refuse", setSessionTitleRequest, { ...one, title: "" }, fine],
    ["null for the title", setSessionTitleRequest, { ...one, title: null }, { refused: ["title"] }],
    ["no title", setSessionTitleRequest, one, { refused: ["title"] }],
    ["a title for nothing", setSessionTitleRequest, { title: "T" }, { refused: ["sessionId"] }],
    ["the title as it was stored", setSessionTitleResponse, { title: "T" }, fine],
    ["an answer without it", setSessionTitleResponse, {}, { refused: ["title"] }],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));
});

describe("the system prompt (V1-UNST-05)", () => {
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
      "with a block of the future",
      systemPrompt,
      { ...append, content: [{ type: "video" }] },
      { refused: ["content.0.type"] },
    ],
    ["for a new session", newSessionRequest, { cwd: "/a", mcpServers: [], systemPrompt: append }, fine],
    ["for one that is loaded", loadSessionRequest, { ...place, mcpServers: [], systemPrompt: append }, fine],
    ["for one that is resumed", resumeSessionRequest, { ...place, systemPrompt: append }, fine],
    ["for one that is resumed, as it was", resumeSessionRequest, { ...place, systemPrompt: null }, fine],
    [
      "malformed: no session starts without it",
      newSessionRequest,
      { cwd: "/a", mcpServers: [], systemPrompt: "Be brief." },
      { refused: ["systemPrompt"] },
    ],
    [
      "malformed: none is loaded",
      loadSessionRequest,
      { ...place, mcpServers: [], systemPrompt: [] },
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
