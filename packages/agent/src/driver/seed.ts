import * as v1 from "@turnkit/schema/v1";
import * as v2 from "@turnkit/schema/v2";
import { seedAgentCodec } from "@turnkit/session/codec";
import type { Contract } from "@turnkit/transport";
import type { Dialect, DialectRules, DriverParts } from "./driver.js";
import { olderCalls, turnsByAnswer } from "./v1.js";

/** Methods of the draft. The draft has no schemas of its own, so matching schemas of versions 1 and 2 are used. */
const contract: Contract = /* @__PURE__ */ joinedContract();

function joinedContract(): Contract {
  return {
    ...v1.agentContract,
    ...v2.agentContract,
    "session/load": v2.agentContract["session/resume"],
    "session/set_config_option": v1.agentContract["session/set_config_option"],
  };
}

// V2-SEED-20
/** Draft of version 2, of June 2026. A client of version 2 that sends no `info` uses this dialect. */
export const seedDialect: Dialect = {
  dialect: "seed",
  version: 2,
  since: "2026-06",
  codec: seedAgentCodec,
  contract,
  checksAnswers: false,
  nullIds: true,
  commandsInAnswers: false,
  repeatsContents: false,
  echoesPrompts: true,
  hasSse: false,
  fits: () => true,
  readHello(params) {
    const hello = seedAgentCodec.answer.initialize.decodeParams(params);
    // The draft has only options of type select, and no capabilities that were added later.
    return { ...hello, capabilities: { ...hello.capabilities, ...NONE } };
  },
  mayRepeat: ({ hasSessions }) => !hasSessions,
  calls: olderCalls,
  rules,
};

function rules({ onLoss }: DriverParts): DialectRules {
  return {
    ...turnsByAnswer("seed", onLoss),
    begin({ output }, { messageId, prompt }) {
      output.say({ type: "user_message", messageId, content: prompt });
      output.record({ type: "turn_started", promptId: messageId });
    },
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
