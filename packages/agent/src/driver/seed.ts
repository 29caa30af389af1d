import * as v1 from "@turnkit/schema/v1";
import * as v2 from "@turnkit/schema/v2";
import { seedCodec, wireHandlers } from "@turnkit/session";
import { type Contract, createRoutes } from "@turnkit/transport";
import { askPermission, olderCalls, shapeOf, withoutSse } from "./calls.js";
import type { ClientInfo, Dialogue, Driver, DriverParts } from "./driver.js";
import { turnsByAnswer } from "./turns-by-answer.js";

/** The draft of version 2 of June 2026, as an agent speaks it to a client that does not say `info` (V2-SEED-20). */
export const seedDialogue: Dialogue = {
  version: 2,
  fits: () => true,
  readHello: (params) => shapeOf(seedCodec, "initialize").decodeParams(params),
  mayRepeat: ({ sessions }) => sessions === 0,
  answerHello: (answer) => shapeOf(seedCodec, "initialize").encodeResult({ ...answer, protocolVersion: 2 }),
  createDriver,
};

const { params: restoreParams } = v2.contract["session/resume"];

/** There are no schemas of this draft: what fits of the others. Results and updates are not checked. */
const contract: Contract = {
  authenticate: { from: "client", scope: "connection", params: v1.contract.authenticate.params },
  logout: { from: "client", scope: "connection", params: v1.contract.logout.params },
  "session/new": { from: "client", scope: "connection", params: v2.contract["session/new"].params },
  "session/load": { from: "client", scope: "session", params: restoreParams },
  "session/resume": { from: "client", scope: "session", params: restoreParams },
  "session/list": v2.contract["session/list"],
  "session/close": v2.contract["session/close"],
  "session/delete": v2.contract["session/delete"],
  "session/prompt": { from: "client", scope: "session", params: v2.contract["session/prompt"].params },
  "session/cancel": v2.contract["session/cancel"],
  "session/set_config_option": {
    from: "client",
    scope: "session",
    params: v1.contract["session/set_config_option"].params,
  },
};

function createDriver({ connection, service, hello, onLoss }: DriverParts): Driver {
  // It has selects only, and none of what came later.
  const capabilities = { ...hello.capabilities, ...NONE };
  const client: ClientInfo = { dialect: "seed", info: hello.info, capabilities };
  const handlers = wireHandlers(seedCodec, olderCalls(service), { peer: capabilities, onLoss });
  const routes = createRoutes(contract, "agent", {
    ...handlers,
    "session/cancel": (params: v2.CancelSessionNotification) => service.cancel(params.sessionId),
  });
  return {
    client,
    offers: withoutSse(service.capabilities),
    contract,
    routes: (method) => routes(method) ?? service.extension(method),
    nullIds: true,
    commandsInAnswers: false,
    createEncoder: (lost) => seedCodec.createEncoder(capabilities, lost),
    ...turnsByAnswer("seed", onLoss),
    begin(session, { messageId, prompt }) {
      session.emit({ type: "user_message", messageId, content: prompt });
      session.record({ type: "turn_started", promptId: messageId });
    },
    askPermission: (sessionId, question, signal) =>
      askPermission({ connection, codec: seedCodec, onLoss, signal }, { ...question, sessionId }),
    elicit: () => Promise.resolve({ action: "cancel" }),
    completeElicitation: () => undefined,
    files: () => undefined,
    terminals: () => undefined,
  };
}

const NONE = {
  files: { read: false, write: false },
  terminals: false,
  terminalLogin: false,
  elicitation: { form: false, url: false },
  notices: false,
  compaction: false,
  booleanOptions: false,
} as const;
