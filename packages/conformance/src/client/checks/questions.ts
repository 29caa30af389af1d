import { type Entry, membersOf, resultOf, show, textOf } from "../../entry.js";
import { expect, expectError, expectResult, skip } from "../../verdict.js";
import { ClientTrial } from "../client-trial.js";
import { checksIn, expectAlive, type SceneCheck, SESSION, type Shown, turnScene } from "../scene.js";

type Asked = { readonly request: Entry; readonly answer: Entry | undefined };
type Forms = Readonly<Record<"form" | "nobody" | "both" | "mode" | "odd", Asked>>;

const requestedSchema = {
  type: "object",
  properties: { name: { type: "string", minLength: 1, title: "Name" } },
  required: ["name"],
};
const form = { mode: "form", message: "Who are you?", requestedSchema };
const scope = { sessionId: SESSION };

const forms = turnScene("forms", async ({ client }): Promise<Forms> => {
  const ask = async (params: object, deliberate?: "deliberate"): Promise<Asked> => {
    const request = client.begin("elicitation/create", params, deliberate);
    return { request, answer: await client.answerTo(request) };
  };
  return {
    form: await ask({ ...form, ...scope }),
    nobody: await ask(form, "deliberate"),
    both: await ask({ ...form, ...scope, requestId: "conf-request" }, "deliberate"),
    mode: await ask({ ...scope, mode: "_turnkit_song", message: "Sing" }, "deliberate"),
    odd: await ask(
      {
        ...form,
        ...scope,
        requestedSchema: { type: "object", properties: { when: { type: "_turnkit_time", title: "When" } } },
      },
      "deliberate",
    ),
  };
});

type Facts = Omit<SceneCheck<Shown<Forms>>, "judge" | "tier"> & { readonly tier?: "advisory" };

const formCheck = (
  facts: Facts,
  name: keyof Forms,
  judge: (answer: Entry, asked: Asked) => void,
): SceneCheck<Shown<Forms>> => ({
  ...{ tier: "mandatory", ...facts },
  judge({ client, value }) {
    if (!client.announces("form")) skip("The client offers no forms.");
    const asked = value[name];
    judge(ClientTrial.answered(asked.answer, "elicitation/create", asked.request), asked);
  },
});

/** Checks of forms that the agent asks with. */
export const questionChecks = [
  ...checksIn(
    forms,
    formCheck(
      {
        id: "TKC-FORM-01",
        title: "A client that offers forms answers one with accept, decline or cancel.",
        requirements: ["V1-ELIC-12", "V1-INIT-09", "V2-ELI-07"],
        quick: true,
      },
      "form",
      (answer) => {
        expectResult(answer);
        const { action } = resultOf(answer);
        expect(["accept", "decline", "cancel"].includes(textOf(action)), `the action is ${show(action)}`, answer);
      },
    ),
    formCheck(
      {
        id: "TKC-FORM-02",
        title: "The content of an accepted form fits its schema.",
        tier: "advisory",
        requirements: ["V1-ELIC-13", "V2-ELI-06"],
      },
      "form",
      (answer) => {
        const { action, content } = resultOf(answer);
        if (action !== "accept") skip("The form was not accepted.");
        const { name } = membersOf(content);
        expect(typeof name === "string" && name !== "", `the content is ${show(content)}`, answer);
      },
    ),
    formCheck(
      {
        id: "TKC-FORM-03",
        title: "A form without a session and without a request is answered with the error -32602.",
        requirements: ["V1-ELIC-04", "P-ELICIT-01"],
      },
      "nobody",
      (answer) => expectError(answer, -32602),
    ),
    formCheck(
      {
        id: "TKC-FORM-04",
        title: "A form with a session and a request is answered with the error -32602.",
        dialects: ["v2"],
        requirements: ["P-ELICIT-01"],
      },
      "both",
      (answer) => expectError(answer, -32602),
    ),
    formCheck(
      {
        id: "TKC-FORM-05",
        title: "A form in an unknown mode is answered with the error -32602.",
        requirements: ["V1-ELIC-08", "V2-ELI-08"],
      },
      "mode",
      (answer) => expectError(answer, -32602),
    ),
    formCheck(
      {
        id: "TKC-FORM-06",
        title: "A form with an unknown type of field is answered, and not accepted with an invented value.",
        requirements: ["V1-ELIC-08", "V2-ELI-08"],
      },
      "odd",
      (answer, asked) => {
        const { content } = resultOf(answer);
        expect(membersOf(content).when === undefined, `the content is ${show(content)}`, asked.request, answer);
      },
    ),
    {
      id: "TKC-FORM-07",
      title: "A client that does not offer forms refuses elicitation/create.",
      tier: "mandatory",
      requirements: ["V1-ELIC-08", "V1-INIT-18"],
      judge({ client, value }) {
        if (client.announces("form")) skip("The client offers forms.");
        const { answer, request } = value.form;
        expectError(ClientTrial.answered(answer, "elicitation/create", request), -32601, -32602);
      },
    },
    {
      id: "TKC-FORM-08",
      title: "A client goes on after a form.",
      tier: "mandatory",
      requirements: ["V1-ELIC-12", "V1-RPC-18"],
      judge: (shown, usual) => expectAlive(shown, usual, shown.value.form.request),
    },
  ),
];
