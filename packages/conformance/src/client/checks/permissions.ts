import { type Entry, errorOf, type Frame, membersOf, objectsIn, resultOf, show, textOf } from "../../entry.js";
import { expect, expectError, skip } from "../../verdict.js";
import { defaultOptions } from "../agent-messages.js";
import { ClientTrial } from "../client-trial.js";
import { checksIn, expectAlive, SESSION, turnScene } from "../scene.js";

/** Returns the first update of the tool call that the questions are about. */
export function toolCall({ messages }: ClientTrial, toolCallId = "conf-call"): Frame {
  return messages.tool(true, { toolCallId, title: "Write conformance.txt", kind: "edit", status: "pending" });
}

/** Returns the params of a permission question. */
export function usualQuestion(
  { messages }: ClientTrial,
  options: readonly Frame[] = defaultOptions,
  toolCallId = "conf-call",
  sessionId = SESSION,
): Frame {
  return { sessionId, ...messages.question({ toolCallId, title: "Write conformance.txt" }, options) };
}

type Asked = { readonly question: Entry; readonly answer: Entry | undefined };

async function askOnce(client: ClientTrial, params: Frame, deliberate?: "deliberate"): Promise<Asked> {
  client.say(SESSION, toolCall(client));
  const question = client.begin("session/request_permission", params, deliberate);
  return { question, answer: await client.answerTo(question) };
}

const question = turnScene("a question", ({ client }) => askOnce(client, usualQuestion(client)));

const rejects = [{ optionId: "conf-never", name: "Reject", kind: "reject_once" }];
const onlyRejects = turnScene("a question that offers only to reject", ({ client }) =>
  askOnce(client, usualQuestion(client, rejects)),
);

const odd = [{ optionId: "conf-odd", name: "Perhaps", kind: "_turnkit_perhaps" }, ...defaultOptions];
const oddOption = turnScene(
  "an option of an unknown kind",
  ({ client }) => askOnce(client, usualQuestion(client, odd), "deliberate"),
  { dialects: ["v2", "seed"] },
);

const noOptions = turnScene("no options", ({ client }) => askOnce(client, usualQuestion(client, []), "deliberate"));

const otherSession = turnScene("a question of no session", ({ client }) =>
  askOnce(client, usualQuestion(client, defaultOptions, "conf-call", "conf-nobody")),
);

const newCall = turnScene("a question of a new tool call", async ({ client }) => {
  const asked = client.begin("session/request_permission", usualQuestion(client, defaultOptions, "conf-new-call"));
  return { question: asked, answer: await client.answerTo(asked) };
});

const twoQuestions = turnScene("two questions", async ({ client }) => {
  for (const id of ["conf-a", "conf-b"]) client.say(SESSION, toolCall(client, id));
  const own = (name: string): readonly Frame[] => [
    { optionId: `${name}-yes`, name: "Allow", kind: "allow_once" },
    { optionId: `${name}-no`, name: "Reject", kind: "reject_once" },
  ];
  const questions = ["conf-a", "conf-b"].map((id) => ({
    id,
    sent: client.begin("session/request_permission", usualQuestion(client, own(id), id)),
  }));
  const answers = await Promise.all(questions.map(({ sent }) => client.answerTo(sent)));
  return questions.map((one, at) => ({ ...one, answer: answers[at] }));
});

const requirements = ["V1-PERM-02", "V1-INIT-14", "V2-PERM-09"];

/** Checks of permission questions. */
export const permissionChecks = [
  ...checksIn(
    question,
    {
      id: "TKC-PERM-01",
      title: "A permission question is answered with the outcome selected or cancelled.",
      tier: "mandatory",
      requirements,
      quick: true,
      judge: ({ value }) => void permissionOutcome(value),
    },
    {
      id: "TKC-PERM-02",
      title: "A selected option is one of those that were offered.",
      tier: "mandatory",
      requirements: ["V1-PERM-03", "V2-PERM-09"],
      quick: true,
      judge: ({ value }) => expectOffered(value, defaultOptions),
    },
    {
      id: "TKC-PERM-03",
      title: "A client goes on after a permission question.",
      tier: "mandatory",
      requirements: ["V1-PERM-07", "V1-RPC-18", "V2-PRM-12"],
      judge: (shown, usual) => expectAlive(shown, usual, shown.value.question, shown.value.answer),
    },
  ),
  ...checksIn(onlyRejects, {
    id: "TKC-PERM-04",
    title: "If a question has only options to reject, the client selects no other option.",
    tier: "mandatory",
    requirements: ["V1-PERM-03", "V1-PERM-10", "V2-PERM-09"],
    judge: ({ value }) => expectOffered(value, rejects),
  }),
  ...checksIn(oddOption, {
    id: "TKC-PERM-05",
    title: "A question with an option of an unknown kind is answered with an outcome.",
    tier: "mandatory",
    requirements: ["V2-PERM-05", "V2-EXT-05"],
    judge: ({ value }) => expectOffered(value, odd),
  }),
  ...checksIn(noOptions, {
    id: "TKC-PERM-06",
    title: "A question without options is answered as cancelled, or with the error -32602.",
    tier: "advisory",
    requirements: ["V1-PERM-11", "V2-PERM-01"],
    judge({ value }) {
      const answer = ClientTrial.answered(value.answer, "the question", value.question);
      if (answer.kind === "error") return expectError(answer, -32602);
      const { outcome } = permissionOutcome(value);
      expect(outcome === "cancelled", `the outcome is ${show(outcome)}`, value.question, answer);
    },
  }),
  ...checksIn(otherSession, {
    id: "TKC-PERM-07",
    title: "A question of a session that does not exist is not granted.",
    tier: "advisory",
    requirements: ["V1-SESS-43", "V2-ENV-09"],
    judge({ value }) {
      const answer = ClientTrial.answered(value.answer, "the question", value.question);
      if (answer.kind === "error") return;
      const { optionId } = permissionOutcome(value);
      expect(optionId !== "conf-yes", "the question was granted", value.question, answer);
    },
  }),
  ...checksIn(newCall, {
    id: "TKC-PERM-08",
    title: "A question may bring a tool call that was not reported before.",
    tier: "mandatory",
    requirements: ["V1-PERM-06", "V2-PERM-04"],
    judge: ({ value }) => expectOffered(value, defaultOptions),
  }),
  ...checksIn(twoQuestions, {
    id: "TKC-PERM-09",
    title: "Of two questions at the same time, each gets an answer with one of its own options.",
    tier: "mandatory",
    requirements: ["V1-RPC-06", "V1-RPC-18", "V1-PERM-03", "V2-PERM-09"],
    judge({ value }) {
      for (const { id, sent, answer } of value) {
        const { optionId } = permissionOutcome({ question: sent, answer });
        const fits = optionId === undefined || textOf(optionId).startsWith(`${id}-`);
        expect(fits, `the option ${show(optionId)} belongs to the other question`, sent, answer);
      }
    },
  }),
];

/** Returns the outcome of a question. Fails if the answer has none. */
export function permissionOutcome({ question, answer: given }: Asked): Frame {
  const answer = ClientTrial.answered(given, "the question", question);
  if (answer.kind === "error" && errorOf(answer).code === -32601) skip("The client answers no permission questions.");
  const outcome = membersOf(resultOf(answer).outcome);
  const isKnown =
    outcome.outcome === "cancelled" || (outcome.outcome === "selected" && typeof outcome.optionId === "string");
  expect(isKnown, `the answer is ${show(answer.frame)}`, question, answer);
  return outcome;
}

function expectOffered(asked: Asked, options: readonly Frame[]): void {
  const { outcome, optionId } = permissionOutcome(asked);
  if (outcome !== "selected") return;
  const isOffered = objectsIn(options).some((option) => option.optionId === optionId);
  expect(isOffered, `nobody offered the option ${show(optionId)}`, asked.question, asked.answer);
}
