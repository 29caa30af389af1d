import type { OpenQuestion } from "@turnkit/react";
import { createElement } from "react";
import { describe, expect, it, vi } from "vitest";
import { draw, drawnAfter } from "../../test/page.js";
import { QuestionView } from "./question-view.js";

const OPTIONS = [
  { optionId: "yes", name: "Allow", kind: "allow_once" },
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
] as const;
const session = { id: "s-1", cwd: "/work", titles: [], parent: undefined };

/** Draws a permission question. */
async function ask(question: object) {
  const answer = vi.fn();
  const asked = { type: "permission", session, answer, toolCall: undefined };
  const whole = { requestId: "1", title: "Run it?", options: OPTIONS, ...question };
  const props = { asked: { ...asked, question: whole } as unknown as OpenQuestion, count: 1 };
  const { element } = await draw(createElement(QuestionView, props));
  return { element, answer };
}

describe("a permission question", () => {
  it("SHARE-05: shows the whole command, and hidden characters of it", async () => {
    const command = `${"echo ".repeat(5_000)}\u202e rm\u200b -rf \u001b[2K/`;
    const { element } = await ask({ subject: { type: "command", command, cwd: "/work" } });
    expect(element.textContent).toContain(`${"echo ".repeat(5_000)}⟨U+202E⟩ rm⟨U+200B⟩ -rf ⟨U+001B⟩[2K/`);
    expect(element.textContent).toContain("in /work");
  });

  it("SHARE-05: shows each member of the input of a tool call", async () => {
    const rawInput = { command: 'rm "a b"', timeout: 5, sandbox: false };
    const { element } = await ask({ subject: { type: "tool_call", toolCall: { toolCallId: "c", rawInput } } });
    expect(element.textContent).toContain('rm "a b"');
    expect(element.textContent).toContain('"sandbox": false');
  });

  it("SHARE-05: has a button for each option, and answers with the pressed one only", async () => {
    const { element, answer } = await ask({});
    const buttons = [...element.querySelectorAll("button")];
    expect(buttons.map(({ textContent }) => textContent)).toEqual(["Allow", "Always", "Reject"]);
    expect(answer).not.toHaveBeenCalled();
    await drawnAfter(() => buttons[2]?.click());
    expect(answer.mock.calls).toEqual([[{ outcome: "selected", optionId: "no" }]]);
  });

  it("SHARE-05: takes the focus itself, so that the next key decides nothing", async () => {
    const { element } = await ask({});
    expect(document.activeElement).toBe(element.querySelector("[role=alertdialog]"));
  });
});
