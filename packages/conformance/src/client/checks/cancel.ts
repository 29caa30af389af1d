import { type Entry, membersOf, paramsOf, resultOf, show } from "../../entry.js";
import { expect, fail, skip } from "../../verdict.js";
import { defaultOptions } from "../agent-messages.js";
import { ClientTrial } from "../client-trial.js";
import { checksIn, expectEnded, finishWith, SESSION, type Shown, type Stage, turnScene } from "../scene.js";
import { permissionOutcome, toolCall, usualQuestion } from "./permissions.js";

/** Lets the client cancel its turn. Skips the checks of the scene if it does not. */
async function cancelled({ client }: Stage): Promise<Entry> {
  const { interrupt } = client.pipe;
  if (interrupt === undefined) return skip("This client cannot be asked to cancel.");
  interrupt.call(client.pipe);
  const isCancel = ({ by, kind, method }: Entry) =>
    by === "client" && (kind === "notification" || kind === "request") && method === "session/cancel";
  const found = await client.talk.when(isCancel, { ms: client.options.timeoutMs });
  return found ?? skip("The client did not cancel its turn at Ctrl-C.");
}

const finish = (stage: Stage) => finishWith("cancelled", stage);

const cancel = turnScene(
  "a cancelled turn",
  async (stage) => {
    const { client } = stage;
    client.text(SESSION, "before-cancel");
    await client.settle();
    const sent = await cancelled(stage);
    client.say(SESSION, toolCall(client));
    const question = client.begin("session/request_permission", usualQuestion(client));
    const answer = await client.answerTo(question);
    const path = client.folder.note;
    const read = client.announces("readTextFile")
      ? await client.ask("fs/read_text_file", { sessionId: SESSION, path })
      : undefined;
    return { sent, question, answer, read };
  },
  { finish },
);

const cancelAsked = turnScene(
  "a cancelled question",
  async (stage) => {
    const { client } = stage;
    client.say(SESSION, toolCall(client));
    await client.settle();
    const question = client.begin("session/request_permission", usualQuestion(client, defaultOptions));
    const sent = await cancelled(stage);
    return { sent, question, answer: await client.answerTo(question) };
  },
  { finish },
);

const lateCancel = turnScene("a cancel that is too late", (stage) => cancelled(stage), {
  finish: (stage) => finishWith("end_turn", stage),
});

/** Checks of `session/cancel`. The client is asked by Ctrl-C. */
export const cancelChecks = [
  ...checksIn(
    cancel,
    {
      id: "TKC-CANCEL-01",
      title: "session/cancel is a notification, with the session of the turn.",
      tier: "mandatory",
      requirements: ["V1-CANCEL-01", "V1-RPC-03", "V2-CAN-01"],
      judge({ value: { sent } }) {
        expect(sent.kind === "notification", "it has an id", sent);
        const { sessionId } = paramsOf(sent);
        expect(sessionId === SESSION, `it names the session ${show(sessionId)}`, sent);
      },
    },
    {
      id: "TKC-CANCEL-02",
      title: "After a cancel, the client waits for the end of its turn.",
      tier: "mandatory",
      requirements: ["V1-CANCEL-04", "V1-CANCEL-06", "V2-CAN-03"],
      judge({ client, alive, value }) {
        if (alive === undefined)
          fail(client.talk.ended ? "the client ended immediately" : "the client stopped answering", value.sent);
      },
    },
    {
      id: "TKC-CANCEL-03",
      title: "A question that comes after a cancel is answered as cancelled.",
      tier: "mandatory",
      requirements: ["V1-PERM-05", "V1-CANCEL-03"],
      dialects: ["v1", "seed"],
      judge: ({ value }) => expectCancelled(value),
    },
    {
      id: "TKC-CANCEL-04",
      title: "A client ends after its cancelled turn.",
      tier: "mandatory",
      requirements: ["V1-CANCEL-06", "V2-CAN-03"],
      judge: ({ exit, end }, usual) => expectEnded(exit, usual, end),
    },
    {
      id: "TKC-CANCEL-05",
      title: "Files are served until the cancelled turn has ended.",
      tier: "advisory",
      dialects: ["v1"],
      requirements: ["V1-CANCEL-04"],
      judge({ client, value: { sent, read } }) {
        if (!client.announces("readTextFile")) skip("The client offers no files.");
        const answer = ClientTrial.answered(read, "fs/read_text_file", sent);
        expect(answer.kind === "result", "the file was not read", sent, answer);
      },
    },
    {
      id: "TKC-CANCEL-06",
      title: "After a cancel, the client sends no further prompt.",
      tier: "mandatory",
      requirements: ["V1-CANCEL-04", "V1-PROMPT-14"],
      judge({ client, value: { sent } }) {
        const next = client.talk
          .of("client", sent.index)
          .find(({ method, kind }) => kind === "request" && method === "session/prompt");
        if (next) fail("a prompt came after the cancel", sent, next);
      },
    },
  ),
  ...checksIn(cancelAsked, {
    id: "TKC-CANCEL-07",
    title: "A question that is open at a cancel is answered as cancelled.",
    tier: "mandatory",
    requirements: ["V1-PERM-05", "V1-CANCEL-03", "V2-CAN-02"],
    quick: true,
    judge({ value }) {
      const { sent, question, answer } = value;
      if (answer !== undefined && answer.index < sent.index) skip("The question was answered before the cancel.");
      expectCancelled({ question, answer });
    },
  }),
  ...checksIn(lateCancel, {
    id: "TKC-CANCEL-08",
    title: "A client ends if its turn ends as end_turn after a cancel.",
    tier: "advisory",
    requirements: ["V1-CANCEL-10", "V2-CAN-04"],
    judge: ({ exit, end }: Shown, usual) => expectEnded(exit, usual, end),
  }),
];

function expectCancelled(asked: { readonly question: Entry; readonly answer: Entry | undefined }): void {
  if (asked.answer?.kind === "error") return;
  const { outcome } = permissionOutcome(asked);
  expect(
    outcome === "cancelled",
    `the outcome is ${show(membersOf(resultOf(asked.answer)).outcome)}`,
    asked.question,
    asked.answer,
  );
}
