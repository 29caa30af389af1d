import { type Entry, errorOf, frameOf, show } from "../../entry.js";
import { expect, expectError, fail } from "../../verdict.js";
import { ClientTrial } from "../client-trial.js";
import { checksIn, expectUndisturbed, SESSION, turnScene } from "../scene.js";
import { toolCall, usualQuestion } from "./permissions.js";

const ids = ["conf-text-ü", -7, 9_007_199_254_740_991] as const;

const unknownRequests = turnScene("unknown requests", async ({ client }) => {
  const extension = client.begin("_turnkit/unknown", {});
  const unlisted = client.begin("turnkit/unlisted", {}, "deliberate");
  const answers = [await client.answerTo(extension), await client.answerTo(unlisted)] as const;
  return { extension, unlisted, answers };
});

const requestIds = turnScene("ids of requests", async ({ client }) => {
  const requests = ids.map((id) => client.begin("_turnkit/id", {}, undefined, id));
  await client.settle();
  return requests;
});

const unknownNotifications = turnScene("unknown notifications", async ({ client }) => {
  const from = client.talk.entries.length;
  client.notify("_turnkit/note", { text: "Hello" });
  client.notify("turnkit/unlisted", {}, "deliberate");
  client.notify("$/turnkit", {});
  await client.settle();
  return client.talk.of("agent", from)[0];
});

const strangeAnswer = turnScene("an answer to nothing", ({ client }) =>
  client.line.frame({ jsonrpc: "2.0", id: "conf-nobody", result: {} }, true),
);

const secondAnswer = turnScene("a second answer", () => {}, {
  open(client, request) {
    client.reply(request, { sessionId: SESSION, ...client.messages.opened() });
    client.reply(request, { sessionId: "conf-second", ...client.messages.opened() });
  },
});

const badParams = turnScene("wrong params", async ({ client, sessionId }) => {
  const missing = client.begin("session/request_permission", { sessionId }, "deliberate");
  const list = client.begin("session/request_permission", [sessionId], "deliberate");
  return { missing, list, answers: [await client.answerTo(missing), await client.answerTo(list)] as const };
});

const batch = turnScene("a batch", async ({ client }) => {
  const from = client.talk.entries.length;
  const call = { jsonrpc: "2.0", id: "conf-batch", method: "_turnkit/batch", params: {} };
  const [sent] = client.line.text(`${JSON.stringify([call, call])}\n`);
  await client.settle();
  const said = client.talk
    .of("client", from)
    .filter(({ kind, method }) => kind !== "request" && method !== "_turnkit/settled");
  return { sent: sent as Entry, said };
});

const strangeWithdrawal = turnScene("a withdrawal of nothing", async ({ client }) => {
  const sent = client.notify("$/cancel_request", { requestId: "conf-nobody" });
  await client.settle();
  return {
    sent,
    said: client.talk.of("client", sent.index).find(({ kind, request }) => kind !== "request" && !request),
  };
});

const withdrawn = turnScene("a withdrawn question", async ({ client, sessionId }) => {
  client.say(sessionId, toolCall(client));
  const question = client.begin("session/request_permission", usualQuestion(client));
  client.notify("$/cancel_request", { requestId: frameOf(question).id });
  await client.answerTo(question);
  await client.settle();
  return { question, answers: client.talk.of("client").filter(({ request }) => request === question) };
});

/** Checks with unknown calls, and with unusual messages of JSON-RPC. */
export const requestChecks = [
  ...checksIn(
    unknownRequests,
    {
      id: "TKC-RPC-01",
      title: "An extension request that the client does not know is answered with the error -32601.",
      tier: "mandatory",
      requirements: ["V1-RPC-12", "V1-EXT-04", "V2-ENV-09", "V2-EXT-01"],
      quick: true,
      judge: ({ value }) => expectError(ClientTrial.answered(value.answers[0], "it", value.extension), -32601),
    },
    {
      id: "TKC-RPC-02",
      title: "A request with a method that the protocol does not have is answered with the error -32601.",
      tier: "mandatory",
      requirements: ["V1-RPC-12", "V2-ENV-09"],
      judge: ({ value }) => expectError(ClientTrial.answered(value.answers[1], "it", value.unlisted), -32601),
    },
  ),
  ...checksIn(requestIds, {
    id: "TKC-RPC-03",
    title: "An answer has the id of its request, with the same type.",
    tier: "mandatory",
    requirements: ["V1-RPC-02", "V1-RPC-06", "V2-ENV-02"],
    quick: true,
    judge({ client, value }) {
      for (const request of value) {
        const answer = client.talk.of("client").find((entry) => entry.request === request);
        const stray = client.talk
          .of("client", request.index)
          .find(({ kind, request: its }) => kind === "error" && !its);
        expect(answer !== undefined, `no answer has the id ${show(frameOf(request).id)}`, request, stray);
      }
    },
  }),
  ...checksIn(
    unknownNotifications,
    {
      id: "TKC-RPC-04",
      title: "A notification is not answered, even if it is unknown.",
      tier: "mandatory",
      requirements: ["V1-RPC-06", "V1-RPC-12", "V2-ENV-09"],
      quick: true,
      judge({ client, value }) {
        const answer = client.talk
          .of("client", value?.index)
          .find(({ kind, request }) => /result|error/.test(kind) && !request);
        if (answer) fail("the client answered a notification", value, answer);
      },
    },
    {
      id: "TKC-RPC-05",
      title: "Unknown notifications change nothing.",
      tier: "mandatory",
      requirements: ["V1-RPC-12", "V1-RPC-25", "V1-EXT-04", "V2-EXT-01"],
      judge: (shown, usual) => expectUndisturbed(shown, usual, shown.value),
    },
  ),
  ...checksIn(strangeAnswer, {
    id: "TKC-RPC-06",
    title: "An answer to a request that nobody sent is ignored.",
    tier: "advisory",
    requirements: ["V1-RPC-11", "V2-ENV-09"],
    judge: (shown, usual) => expectUndisturbed(shown, usual, shown.value),
  }),
  ...checksIn(secondAnswer, {
    id: "TKC-RPC-07",
    title: "A second answer to the same request changes nothing.",
    tier: "advisory",
    requirements: ["V1-RPC-06", "V1-RPC-11"],
    judge(shown, usual) {
      const { sessionId } = frameOf(shown.prompt).params as { readonly sessionId?: unknown };
      expect(sessionId === SESSION, `the prompt went to ${show(sessionId)}`, shown.prompt);
      expectUndisturbed(shown, usual);
    },
  }),
  ...checksIn(
    badParams,
    {
      id: "TKC-RPC-08",
      title: "A request without a member that it needs is answered with the error -32602.",
      tier: "mandatory",
      requirements: ["V1-RPC-13", "V1-LEN-03", "V2-ENV-09"],
      quick: true,
      judge: ({ value }) => expectError(ClientTrial.answered(value.answers[0], "it", value.missing), -32602),
    },
    {
      id: "TKC-RPC-09",
      title: "A request whose params are a list is answered with the error -32602.",
      tier: "mandatory",
      requirements: ["V1-RPC-07", "V1-RPC-13"],
      judge: ({ value }) => expectError(ClientTrial.answered(value.answers[1], "it", value.list), -32602, -32600),
    },
  ),
  ...checksIn(batch, {
    id: "TKC-RPC-10",
    title: "A batch is answered with one error -32600 with the id null, and nothing in it is processed.",
    tier: "mandatory",
    requirements: ["V1-RPC-15", "P-BATCH-01"],
    judge({ client, value: { sent, said }, alive }) {
      expect(alive !== undefined, client.talk.ended ? "the client ended" : "the client stopped answering", sent);
      const [first, ...more] = said;
      expect(first !== undefined, "the batch was not answered", sent);
      expect(
        errorOf(first).code === -32600 && frameOf(first).id === null,
        `the answer is ${show(first?.frame)}`,
        sent,
        first,
      );
      expect(more.length === 0, "more than one answer came", sent, ...more);
    },
  }),
  ...checksIn(strangeWithdrawal, {
    id: "TKC-RPC-11",
    title: "$/cancel_request for a request that does not exist is ignored.",
    tier: "mandatory",
    requirements: ["V1-CANCEL-16", "V2-CAN-07"],
    judge(shown, usual) {
      const { sent, said } = shown.value;
      if (said) fail("the notification had an effect", sent, said);
      expectUndisturbed(shown, usual, sent);
    },
  }),
  ...checksIn(withdrawn, {
    id: "TKC-RPC-12",
    title: "A question that $/cancel_request withdraws still gets one answer: an outcome or the error -32800.",
    tier: "mandatory",
    requirements: ["V1-CANCEL-15", "V1-CANCEL-17", "V2-CAN-08"],
    judge({ value: { question, answers } }) {
      const [answer, ...more] = answers;
      expect(answer !== undefined, "the question was not answered", question);
      expect(more.length === 0, "the question was answered twice", question, ...answers);
      if (answer?.kind === "error") expectError(answer, -32800);
    },
  }),
];
