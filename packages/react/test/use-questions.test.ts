import { createElement, memo } from "react";
import { expect, test } from "vitest";
import { type OpenQuestion, useQuestions } from "../src/index.js";
import { newSession, open, openSession, openV2 } from "./conversation.js";
import { drawnAfter, mount } from "./mounted.js";

const agreed = { result: { outcome: { outcome: "selected", optionId: "yes" } } };
const YES = { outcome: "selected", optionId: "yes" } as const;

test("questions come and go, and are answered", async () => {
  const { agent, session } = await openSession();
  let questions: readonly OpenQuestion[] = [];
  const Shown = () => {
    questions = useQuestions(session);
    return questions.map(({ question, toolCall }) => `${question.requestId}:${toolCall?.toolCallId}`).join();
  };
  const { text } = await mount(Shown, {});
  expect(text()).toBe("");
  await agent.ask("a");
  await agent.ask("b");
  expect(questions.map(({ toolCall }) => toolCall?.toolCallId)).toEqual(["call-a", "call-b"]);
  await drawnAfter(() => questions[1]?.answer(YES));
  expect(await agent.answerTo("b")).toMatchObject(agreed);
  expect(questions.map(({ toolCall }) => toolCall?.toolCallId)).toEqual(["call-a"]);
});

test("a question is drawn again only if it changes", async () => {
  const { agent, session } = await openSession();
  const drawings = { list: 0, questions: 0 };
  const One = memo(({ one }: { one: OpenQuestion }) => {
    drawings.questions += 1;
    return one.toolCall?.title;
  });
  const List = () => {
    drawings.list += 1;
    return useQuestions(session).map((one) => createElement(One, { key: one.question.requestId, one }));
  };
  const { text } = await mount(List, {}, { isStrict: false });
  await agent.ask("a");
  await agent.say("while it waits");
  expect(drawings).toEqual({ list: 2, questions: 1 });
  await agent.ask("b");
  expect(drawings).toEqual({ list: 3, questions: 2 });
  await agent.update({ sessionUpdate: "tool_call_update", toolCallId: "call-a", title: "Edit more" });
  expect(text()).toBe("Edit moreEdit b");
  expect(drawings).toEqual({ list: 4, questions: 3 });
});

test("questions of child sessions are among them, and go to the right session", async () => {
  const opened = await openV2();
  const { agent } = opened;
  const session = await newSession(opened);
  let questions: readonly OpenQuestion[] = [];
  const Shown = () => {
    questions = useQuestions(session);
    return questions.map((one) => one.session.id).join();
  };
  const { text, unmount } = await mount(Shown, {});
  const announced = (sessionId: string) => ({ sessionUpdate: "subagent_update", sessionId });
  await agent.update(announced("kid"));
  await agent.updateOf("kid", announced("grandkid"));
  const ask = (id: string, sessionId: string) =>
    agent.send({
      ...{ jsonrpc: "2.0", id, method: "session/request_permission" },
      params: { sessionId, title: "May I?", options: [{ optionId: "yes", name: "Allow", kind: "allow_once" }] },
    });
  await ask("deep", "grandkid");
  await ask("own", "s-1");
  expect(text()).toBe("s-1,grandkid");
  await drawnAfter(() => questions[1]?.answer(YES));
  expect(await agent.answerTo("deep")).toMatchObject(agreed);
  expect(text()).toBe("s-1");
  await unmount();
  await ask("later", "grandkid");
  expect(text()).toBe("");
  const again = await mount(Shown, {});
  expect(again.text()).toBe("s-1,grandkid");
  await ask("last", "grandkid");
  expect(again.text()).toBe("s-1,grandkid,grandkid");
});

test("the questions follow another session", async () => {
  const opened = await open();
  const one = await newSession(opened);
  const other = await newSession(opened, "s-2");
  const Shown = ({ session }: { session: typeof one }) => `${useQuestions(session).length}`;
  const { text, render } = await mount(Shown, { session: one });
  await opened.agent.ask("a");
  expect(text()).toBe("1");
  await render({ session: other });
  expect(text()).toBe("0");
});
