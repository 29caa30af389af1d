import { paramsOf } from "../../entry.js";
import { expect, skip } from "../../verdict.js";
import {
  checksIn,
  expectAlive,
  expectPrinted,
  expectUndisturbed,
  finish,
  SESSION,
  type Stage,
  turnScene,
} from "../scene.js";
import { textLine } from "./lines.js";

const commands = {
  sessionUpdate: "session_info_update",
  title: "Early",
};

const order = turnScene(
  "the order of texts",
  ({ client }) => {
    for (const text of ["alpha-1", "beta-2", "gamma-3"]) client.text(SESSION, text);
  },
  {
    finish(stage: Stage) {
      stage.client.line.text(textLine(stage.client, "conf-last", "omega-4\n"));
      return finish(stage);
    },
  },
);

const early = turnScene("an early update", () => {}, {
  open(client, request) {
    client.say(SESSION, commands);
    client.text(SESSION, "too-early");
    client.reply(request, { sessionId: SESSION, ...client.messages.opened() });
  },
});

const atOnce = turnScene("an update behind the answer of session/new", () => {}, {
  open(client, request) {
    client.reply(request, { sessionId: SESSION, ...client.messages.opened() });
    client.say(SESSION, commands);
  },
});

const late = turnScene("an update after the turn", () => {}, {
  finish(stage: Stage) {
    const end = finish(stage);
    stage.client.text(SESSION, "too-late");
    return end;
  },
});

const afterAnswer = turnScene(
  "work after the answer",
  async ({ client }) => {
    await client.settle();
    await client.silence(200);
    client.text(SESSION, "after-answer");
  },
  { dialects: ["v2"] },
);

const idle = { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn", background: [] };

const otherIdle = turnScene("another session becomes idle", ({ client }) => client.say("conf-other", idle), {
  dialects: ["v2"],
});

const seedIdle = turnScene(
  "an idle state in the draft",
  async ({ client }) => {
    const said = client.say(SESSION, idle);
    await client.settle();
    client.text(SESSION, "after-idle");
    return said;
  },
  { dialects: ["seed"] },
);

const action = turnScene(
  "requires_action",
  async ({ client }) => {
    const said = client.say(SESSION, { sessionUpdate: "state_update", state: "requires_action", background: [] });
    await client.settle();
    client.say(SESSION, { sessionUpdate: "state_update", state: "running", background: [] });
    client.text(SESSION, "after-action");
    return said;
  },
  { dialects: ["v2"] },
);

const unknownCall = turnScene("an update of an unknown tool call", ({ client }) =>
  client.say(SESSION, client.messages.tool(false, { toolCallId: "conf-unseen", status: "completed" })),
);

const unknownSession = turnScene("an update of an unknown session", ({ client }) => {
  const said = client.text("conf-nobody", "foreign-text");
  client.text(SESSION, "own-text");
  return said;
});

/** Checks of the order of messages, and of the time at which a turn ends. */
export const orderChecks = [
  ...checksIn(
    order,
    {
      id: "TKC-ORDER-01",
      title: "Texts are shown in the order of the wire.",
      tier: "mandatory",
      requirements: ["V1-UPD-02", "V1-RPC-19", "V2-UPD-01"],
      quick: true,
      judge: (shown, usual) => expectPrinted(shown, usual, "alpha-1", "beta-2", "gamma-3"),
    },
    {
      id: "TKC-ORDER-02",
      title: "A text directly before the end of the turn is shown.",
      tier: "mandatory",
      requirements: ["V1-UPD-02", "V1-PROMPT-07", "V2-PRM-16"],
      quick: true,
      judge: (shown, usual) => expectPrinted(shown, usual, "omega-4"),
    },
  ),
  ...checksIn(early, {
    id: "TKC-ORDER-03",
    title: "Updates that arrive before the answer to session/new do not end the client.",
    tier: "mandatory",
    requirements: ["V1-SESS-43", "V1-UPD-02", "V2-UPD-07"],
    quick: true,
    judge: expectUndisturbed,
  }),
  ...checksIn(atOnce, {
    id: "TKC-ORDER-04",
    title: "An update directly after the answer to session/new does not end the client.",
    tier: "mandatory",
    requirements: ["V1-SESS-05", "V1-UPD-02", "V2-UPD-01"],
    judge: expectUndisturbed,
  }),
  ...checksIn(late, {
    id: "TKC-ORDER-05",
    title: "An update after the end of a turn does not change how the client ends.",
    tier: "mandatory",
    requirements: ["V1-PROMPT-17", "V1-PROMPT-18", "V1-UPD-02", "V2-UPD-01"],
    quick: true,
    judge: expectUndisturbed,
  }),
  ...checksIn(
    afterAnswer,
    {
      id: "TKC-ORDER-06",
      title: "The answer to a prompt does not end its turn.",
      tier: "mandatory",
      requirements: ["V2-PRM-05", "V2-PRM-07", "V2-PRM-16"],
      quick: true,
      judge: (shown, usual) => expectAlive(shown, usual, shown.prompt),
    },
    {
      id: "TKC-ORDER-07",
      title: "Texts after the answer to a prompt are shown.",
      tier: "mandatory",
      requirements: ["V2-PRM-07", "V2-UPD-01"],
      judge(shown, usual) {
        if (shown.alive === undefined) skip("The client was gone.");
        expectPrinted(shown, usual, "after-answer");
      },
    },
  ),
  ...checksIn(otherIdle, {
    id: "TKC-ORDER-08",
    title: "An idle state of another session does not end the turn.",
    tier: "mandatory",
    requirements: ["V2-PRM-16", "V2-UPD-01"],
    judge: (shown, usual) => expectAlive(shown, usual, shown.value),
  }),
  ...checksIn(seedIdle, {
    id: "TKC-ORDER-09",
    title: "In the draft of June 2026, the answer to the prompt ends the turn, and not a state.",
    tier: "mandatory",
    requirements: ["V2-SEED-25"],
    judge: (shown, usual) => expectAlive(shown, usual, shown.value),
  }),
  ...checksIn(action, {
    id: "TKC-ORDER-10",
    title: "The state requires_action does not end a turn.",
    tier: "mandatory",
    requirements: ["V2-PRM-12", "V2-PRM-16"],
    judge: (shown, usual) => expectUndisturbed(shown, usual, shown.value),
  }),
  ...checksIn(unknownCall, {
    id: "TKC-ORDER-11",
    title: "An update of a tool call that was not reported before does not end the turn.",
    tier: "mandatory",
    requirements: ["V1-UPD-14", "V2-TOOL-01"],
    judge: (shown, usual) => expectUndisturbed(shown, usual, shown.value),
  }),
  ...checksIn(
    unknownSession,
    {
      id: "TKC-ORDER-12",
      title: "An update of a session that does not exist does not end the turn.",
      tier: "mandatory",
      requirements: ["V1-SESS-43", "V2-UPD-07"],
      judge: (shown, usual) => expectUndisturbed(shown, usual, shown.value),
    },
    {
      id: "TKC-ORDER-13",
      title: "Texts of another session are not shown as those of this one.",
      tier: "mandatory",
      requirements: ["V1-SESS-03", "V2-UPD-01"],
      judge(shown, usual) {
        expectPrinted(shown, usual, "own-text");
        const isShown = shown.client.printed.includes("foreign-text");
        expect(!isShown, `the text of ${paramsOf(shown.value).sessionId} was printed`, shown.value);
      },
    },
  ),
];
