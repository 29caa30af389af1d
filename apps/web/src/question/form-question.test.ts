import { createElement } from "react";
import { expect, it, vi } from "vitest";
import { draw, drawnAfter } from "../../test/page.js";
import { FormQuestion } from "./form-question.js";

it("SHARE-05: a form begins with its defaults, shows faults beside their fields, and sends only on the button", async () => {
  const answer = vi.fn();
  const properties = {
    name: { type: "string", title: "Name", default: "Ada" },
    mail: { type: "string", format: "email" },
    tags: { type: "array", items: { type: "string", enum: ["a", "b"] } },
    odd: { type: "colour" },
  };
  const form = { type: "object", properties, required: ["mail"] } as never;
  const { element } = await draw(createElement(FormQuestion, { message: "Who?", form, answer }));
  const button = (name: string) => [...element.querySelectorAll("button")].find((one) => one.textContent === name);
  expect(element.querySelector("input")?.value).toBe("Ada");
  expect(element.textContent).toContain("This page cannot show the field.");
  await drawnAfter(() => button("Send")?.click());
  expect(element.textContent).toContain("an answer is required");
  expect(answer).not.toHaveBeenCalled();
  await drawnAfter(() => button("Decline")?.click());
  expect(answer.mock.calls).toEqual([[{ action: "decline" }]]);
});
