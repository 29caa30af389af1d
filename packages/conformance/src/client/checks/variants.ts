import type { DialectName } from "../../dialects/dialect.js";
import { everyDialect } from "../../dialects/dialects.js";
import { type Entry, type Frame, labelOf } from "../../entry.js";
import { expect, fail, skip } from "../../verdict.js";
import type { ClientTrial } from "../client-trial.js";
import {
  checksIn,
  expectEnded,
  expectUndisturbed,
  finishWith,
  type SceneCheck,
  SESSION,
  type Shown,
  turnScene,
} from "../scene.js";

/** Strange update, which the client has to survive. */
type Quirk = {
  readonly id: string;
  readonly title: string;
  readonly tier?: "advisory";
  readonly dialects?: readonly DialectName[];
  readonly requirements: readonly string[];
  readonly updates: (client: ClientTrial) => readonly Frame[];
};

const text = (client: ClientTrial, more: Frame) => ({ ...client.messages.message("conf-odd", "odd"), ...more });
const chunk = (content: unknown): Frame => ({ sessionUpdate: "agent_message_chunk", messageId: "conf-block", content });
const call = ({ messages }: ClientTrial, more: Frame) =>
  messages.tool(true, { toolCallId: "conf-odd", title: "Odd", ...more });

const quirks: readonly Quirk[] = [
  {
    id: "TKC-VAR-01",
    title: "An update of an unknown kind does not end the turn.",
    requirements: ["V1-LEN-10", "V2-UPD-02", "V2-EXT-05"],
    updates: () => [
      { sessionUpdate: "turnkit_unknown", value: 1 },
      { sessionUpdate: "_turnkit", value: 1 },
    ],
  },
  {
    id: "TKC-VAR-02",
    title: "A block of an unknown type does not end the turn.",
    requirements: ["V1-LEN-10", "V1-CONT-09", "V2-CON-06"],
    updates: () => [chunk({ type: "turnkit_hologram", data: "…" })],
  },
  {
    id: "TKC-VAR-03",
    title: "Blocks of all types are taken in the agent's messages.",
    requirements: ["V1-CONT-07", "V1-CONT-02", "V1-CONT-03", "V1-CONT-05", "V2-CON-03"],
    updates: () => [
      chunk({ type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" }),
      chunk({ type: "audio", data: "AAAA", mimeType: "audio/wav" }),
      chunk({ type: "resource_link", uri: "file:///note.txt", name: "note" }),
      chunk({ type: "resource", resource: { uri: "file:///note.txt", text: "Bread" } }),
    ],
  },
  {
    id: "TKC-VAR-04",
    title: "A tool call with an unknown kind and an unknown status does not end the turn.",
    requirements: ["V1-LEN-06", "V2-TOOL-02", "V2-EXT-05"],
    updates: (client) => [call(client, { kind: "turnkit_bake", status: "turnkit_rising" })],
  },
  {
    id: "TKC-VAR-05",
    title: "Unknown content of a tool call does not end the turn.",
    requirements: ["V1-LEN-02", "V1-LEN-10", "V2-TOOL-11"],
    updates: (client) => [call(client, { content: [{ type: "turnkit_chart", points: [1] }] })],
  },
  {
    id: "TKC-VAR-06",
    title: "A plan with an unknown priority and status does not end the turn.",
    requirements: ["V1-LEN-06", "V2-EXT-05"],
    updates: ({ messages }) => [
      messages.plan([{ content: "Bake", priority: "turnkit_urgent", status: "turnkit_burnt" }]),
    ],
  },
  {
    id: "TKC-VAR-07",
    title: "Unknown members and _meta do not end the turn.",
    requirements: ["V1-LEN-08", "V1-EXT-01", "V2-EXT-02"],
    updates: (client) => [
      text(client, { turnkitNew: { deep: [1] }, _meta: { "turnkit.note": { a: null } } }),
      call(client, { turnkitNew: true, _meta: null }),
    ],
  },
  {
    id: "TKC-VAR-08",
    title: "null in place of an optional member does not end the turn.",
    requirements: ["V1-LEN-01", "V1-UPD-14", "V2-DEC-01"],
    updates: (client) => [
      client.messages.tool(false, {
        toolCallId: "conf-odd",
        status: null,
        content: null,
        locations: null,
        rawInput: null,
      }),
    ],
  },
  {
    id: "TKC-VAR-09",
    title: "An update that lacks a member is dropped, and does not end the turn.",
    requirements: ["V1-LEN-10", "V2-UPD-02"],
    updates: () => [{ sessionUpdate: "agent_message_chunk" }, { sessionUpdate: "tool_call_update" }, {}],
  },
  {
    id: "TKC-VAR-10",
    title: "A member with a wrong type does not end the turn.",
    requirements: ["V1-LEN-01", "V1-LEN-02", "V2-DEC-06"],
    updates: (client) => [
      call(client, { locations: "everywhere", status: 7, kind: [] }),
      text(client, { messageId: 7 }),
    ],
  },
  {
    id: "TKC-VAR-11",
    title: "A state that the client does not know does not end the turn.",
    dialects: ["v2"],
    requirements: ["V2-PRM-10", "V2-EXT-05"],
    updates: () => [{ sessionUpdate: "state_update", state: "_turnkit_dreaming", background: [] }],
  },
  {
    id: "TKC-VAR-12",
    title: "A plan of an unknown type does not end the turn.",
    dialects: ["v2"],
    requirements: ["P-PLAN-01", "V2-EXT-05"],
    updates: () => [{ sessionUpdate: "plan_update", plan: { type: "_turnkit_gantt", planId: "conf-gantt" } }],
  },
  {
    id: "TKC-VAR-13",
    title: "Unknown work in the background does not end the turn.",
    dialects: ["v2"],
    requirements: ["V2-BG-01", "P-BG-06"],
    updates: () => [
      { sessionUpdate: "state_update", state: "running", background: [{ type: "_turnkit_oven", id: 1 }] },
    ],
  },
  {
    id: "TKC-VAR-14",
    title: "Output of a terminal that was not reported before does not end the turn.",
    dialects: ["v2"],
    requirements: ["V2-TERM-04", "V2-TERM-08"],
    updates: () => [{ sessionUpdate: "terminal_output_chunk", terminalId: "conf-unseen", data: "aGk=" }],
  },
  {
    id: "TKC-VAR-15",
    title: "An option of an unknown type does not end the turn.",
    requirements: ["V1-CFG-04", "V2-CFG-01"],
    updates: () => [
      {
        sessionUpdate: "config_option_update",
        configOptions: [{ id: "x", configId: "x", name: "X", type: "_turnkit_dial" }],
      },
    ],
  },
];

type QuirkShown = { readonly sent: Entry | undefined; readonly alive: Entry | undefined; readonly wasAlive: boolean };

const quirkScene = turnScene("unknown variants", async ({ client }) => {
  const shown = new Map<string, QuirkShown>();
  let wasAlive = true;
  for (const { id, dialects = everyDialect, updates } of quirks) {
    if (!dialects.includes(client.dialect.name)) continue;
    const sent = updates(client).map((update) => client.say(SESSION, update, "deliberate"));
    const alive: Entry | undefined = wasAlive ? await client.settle() : undefined;
    shown.set(id, { sent: sent[0], alive, wasAlive });
    wasAlive &&= alive !== undefined;
    client.text(SESSION, `after-${id}.`);
  }
  return shown;
});

const quirkCheck = (quirk: Quirk): SceneCheck<Shown<Map<string, QuirkShown>>> => ({
  ...{ id: quirk.id, title: quirk.title, tier: quirk.tier ?? "mandatory", requirements: quirk.requirements },
  ...(quirk.dialects && { dialects: quirk.dialects }),
  judge({ client, value, end }, usual) {
    const { sent, alive, wasAlive } = value.get(quirk.id) as QuirkShown;
    if (!wasAlive) skip("The client was gone before.");
    if (alive === undefined) fail(client.talk.ended ? "the client ended" : "the client stopped answering", sent);
    const isLost = usual.prints && !client.printed.includes(`after-${quirk.id}.`);
    expect(!isLost, `the next text was not printed after ${sent && labelOf(sent)}`, sent, end);
  },
});

const newHello = turnScene("unknown members of initialize", () => {}, {
  deliberate: true,
  hello: (result) => ({
    ...result,
    turnkitNew: 1,
    _meta: { "turnkit.note": 1 },
    authMethods: [{ id: "conf-odd", methodId: "conf-odd", type: "_turnkit_key", name: "Key", turnkitNew: 1 }],
    ...("agentCapabilities" in result && {
      agentCapabilities: { turnkitNew: {}, promptCapabilities: { smell: true } },
    }),
    ...("capabilities" in result && {
      capabilities: { ...(result.capabilities as Frame), turnkitNew: {}, session: { turnkitNew: {}, load: {} } },
    }),
  }),
});

const newOpened = turnScene("unknown members of session/new", () => {}, {
  open(client, request) {
    const configOptions = [{ id: "x", configId: "x", name: "X", type: "_turnkit_dial", value: 3 }];
    client.reply(request, { sessionId: SESSION, turnkitNew: [1], configOptions, _meta: {} }, "deliberate");
  },
});

const newReason = turnScene("an unknown stop reason", () => {}, {
  finish: (stage) => finishWith("_turnkit_tired", stage, "deliberate"),
});

/** Checks with values, members and kinds that the protocol does not define. */
export const variantChecks = [
  ...checksIn(quirkScene, ...quirks.map(quirkCheck)),
  ...checksIn(quirkScene, {
    id: "TKC-VAR-16",
    title: "A client ends as usual after updates that it does not know.",
    tier: "mandatory",
    requirements: ["V1-LEN-10", "V2-EXT-05"],
    quick: true,
    judge(shown, usual) {
      if (shown.alive === undefined) skip("The client was gone before.");
      expectUndisturbed(shown, usual);
    },
  }),
  ...checksIn(newHello, {
    id: "TKC-VAR-17",
    title: "Unknown members, capabilities and logins in the answer to initialize change nothing.",
    tier: "mandatory",
    requirements: ["V1-LEN-08", "V1-INIT-09", "V1-AUTH-02", "V2-EXT-02"],
    quick: true,
    judge: expectUndisturbed,
  }),
  ...checksIn(newOpened, {
    id: "TKC-VAR-18",
    title: "Unknown members and options in the answer to session/new change nothing.",
    tier: "mandatory",
    requirements: ["V1-LEN-08", "V1-CFG-04", "V2-EXT-02"],
    judge: expectUndisturbed,
  }),
  ...checksIn(newReason, {
    id: "TKC-VAR-19",
    title: "A turn with an unknown stop reason is over, and the client ends.",
    tier: "mandatory",
    requirements: ["V1-LEN-06", "V2-PRM-17"],
    judge: ({ exit, end }, usual) => expectEnded(exit, usual, end),
  }),
];
