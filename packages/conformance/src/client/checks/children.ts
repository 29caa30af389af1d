import { type Entry, paramsOf } from "../../entry.js";
import { expect, fail, skip } from "../../verdict.js";
import { defaultOptions } from "../agent-messages.js";
import type { ClientTrial } from "../client-trial.js";
import { checksIn, expectUndisturbed, SESSION, turnScene } from "../scene.js";
import { permissionOutcome, usualQuestion } from "./permissions.js";

const CHILD = "conf-child";

function announce(client: ClientTrial): Entry {
  if (client.dialect.name === "v1" && !client.announces("subagents")) return skip("The client offers no subagents.");
  return client.say(SESSION, { sessionUpdate: "subagent_update", sessionId: CHILD, title: "Baker" });
}

const state = (value: string, more: object = {}) => ({
  sessionUpdate: "state_update",
  state: value,
  background: [],
  ...more,
});

const child = turnScene(
  "a child session",
  async ({ client }) => {
    const announced = announce(client);
    const isV2 = client.dialect.name === "v2";
    if (isV2) client.say(CHILD, state("running"));
    client.text(CHILD, "child-text");
    const call = client.messages.tool(true, { toolCallId: "conf-child-call", title: "Bake", kind: "edit" });
    client.say(CHILD, call);
    const params = usualQuestion(client, defaultOptions, "conf-child-call", CHILD);
    const question = client.begin("session/request_permission", params);
    const answer = await client.answerTo(question);
    if (isV2) client.say(CHILD, state("idle", { stopReason: "end_turn" }));
    await client.settle();
    await client.silence(100);
    client.text(SESSION, "parent-text");
    return { announced, question, answer };
  },
  { dialects: ["v1", "v2"] },
);

const unannounced = turnScene(
  "updates before their child is announced",
  async ({ client }) => {
    if (client.dialect.name === "v1" && !client.announces("subagents")) skip("The client offers no subagents.");
    const early = client.text(CHILD, "child-early");
    await client.settle();
    announce(client);
    client.text(CHILD, "child-later");
    return early;
  },
  { dialects: ["v1", "v2"] },
);

/** Checks of child sessions. */
export const childChecks = [
  ...checksIn(
    child,
    {
      id: "TKC-CHILD-01",
      title: "Work and end of a child session do not end the turn of its parent.",
      tier: "mandatory",
      requirements: ["P-SUB-01", "P-SUB-14", "P-SUB1-03", "V2-PRM-16"],
      quick: true,
      judge({ client, alive, value }) {
        if (alive === undefined)
          fail(client.talk.ended ? "the client ended" : "the client stopped answering", value.announced);
      },
    },
    {
      id: "TKC-CHILD-02",
      title: "A permission question of a child is answered with an outcome.",
      tier: "mandatory",
      requirements: ["P-SUB-01", "P-SUB1-06", "V1-PERM-02", "V2-PERM-09"],
      judge({ value }) {
        const { optionId } = permissionOutcome(value);
        const isOffered = optionId === undefined || defaultOptions.some((option) => option.optionId === optionId);
        expect(isOffered, "the option was not offered", value.question, value.answer);
      },
    },
    {
      id: "TKC-CHILD-03",
      title: "A client sends nothing to a child session that changes it.",
      tier: "mandatory",
      requirements: ["P-SUB-09", "P-SUB-10"],
      judge({ client }) {
        const call = client.talk
          .of("client")
          .find((entry) => entry.kind === "request" && paramsOf(entry).sessionId === CHILD);
        if (call) fail("the child does not offer this", call);
      },
    },
  ),
  ...checksIn(unannounced, {
    id: "TKC-CHILD-04",
    title: "An update of a child that comes before the child is announced does not end the turn.",
    tier: "mandatory",
    requirements: ["P-SUB-18", "V2-UPD-07"],
    judge: (shown, usual) => expectUndisturbed(shown, usual, shown.value),
  }),
];
