import * as v1 from "@turnkit/schema/v1";
import * as v2 from "@turnkit/schema/v2";
import { seedAgentCodec, wireHandlers } from "@turnkit/session/codec";
import { type Contract, createRoutes } from "@turnkit/transport";
import { answersHello, olderCalls, questionsBy, turnsByAnswer, withoutSse } from "./calls.js";
import type { Dialect, Driver, DriverParts } from "./driver.js";

// V2-SEED-20
/** Draft of version 2 of June 2026. It is spoken with clients that send no `info`. */
export const seedDialect: Dialect = {
  dialect: "seed",
  version: 2,
  since: "2026-06",
  fits: () => true,
  readHello(params) {
    const hello = seedAgentCodec.answer.initialize.decodeParams(params);
    // The draft has options of type select only, and no later capabilities.
    return { ...hello, capabilities: { ...hello.capabilities, ...NONE } };
  },
  mayRepeat: ({ hasSessions }) => !hasSessions,
  answerHello: /* @__PURE__ */ answersHello(seedAgentCodec, 2),
  createDriver,
};

/** Methods of the draft. It has no schemas of its own: those of versions 1 and 2 that fit stand in. */
const contract: Contract = /* @__PURE__ */ joinedContract();

function joinedContract(): Contract {
  return {
    ...v1.agentContract,
    ...v2.agentContract,
    "session/load": v2.agentContract["session/resume"],
    "session/set_config_option": v1.agentContract["session/set_config_option"],
  };
}

function createDriver(parts: DriverParts): Driver {
  const { service, client, onLoss } = parts;
  const { capabilities } = client;
  const handlers = wireHandlers(seedAgentCodec, olderCalls(service), { peer: capabilities, onLoss });
  const routes = createRoutes(contract, "agent", {
    ...handlers,
    "session/cancel": (params: v2.CancelSessionNotification) => service.cancel(params.sessionId),
  });
  return {
    client,
    offers: withoutSse(service.capabilities),
    routes,
    nullIds: true,
    commandsInAnswers: false,
    createEncoder: (lost) => seedAgentCodec.createEncoder(capabilities, lost),
    repeatsContents: false,
    ...turnsByAnswer("seed", onLoss),
    begin({ output }, { messageId, prompt }) {
      output.say({ type: "user_message", messageId, content: prompt });
      output.record({ type: "turn_started", promptId: messageId });
    },
    ...questionsBy(seedAgentCodec, {}, parts),
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
