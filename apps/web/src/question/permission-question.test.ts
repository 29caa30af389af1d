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

  it.each([
    [
      "a definition of a link",
      { type: "text", text: "`core.fsmonitor` = `true`\n\n[ -n x ; ./evil.sh ; ]: x" },
      "./evil.sh",
    ],
    ["the address of a link", { type: "text", text: "[safe](https://evil.example)" }, "https://evil.example"],
    [
      "a comment of HTML, and the signs around it",
      { type: "text", text: "**a** <!-- ./evil.sh -->" },
      "**a** <!-- ./evil.sh -->",
    ],
    ["hidden characters", { type: "text", text: "a\u202eb\u200b" }, "a⟨U+202E⟩b⟨U+200B⟩"],
    [
      "the address of a resource",
      { type: "resource_link", uri: "file:///etc/passwd", name: "a", title: "readme" },
      "file:///etc/passwd",
    ],
    ["the text of a resource", { type: "resource", resource: { uri: "file:///a", text: "./evil.sh" } }, "./evil.sh"],
    ["the data of a resource", { type: "resource", resource: { uri: "file:///a", blob: "ZXZpbA==" } }, "ZXZpbA=="],
    ["content of an unknown kind", { type: "later", run: "./evil.sh" }, "./evil.sh"],
  ])("defect S92: shows %s in the content of a tool call", async (_, content, shown) => {
    const toolCall = { toolCallId: "c", content: [{ type: "content", content }] };
    const { element } = await ask({ subject: { type: "tool_call", toolCall } });
    // Markdown is loaded later. Until then, a page that reads the content as Markdown shows all of it.
    await drawnAfter(() => import("../markdown/rich-text.js"));
    expect(element.textContent).toContain(shown);
    expect(element.querySelector("details, a")).toBeNull();
  });

  it("defect S92: shows items and subjects of an unknown kind, and the kind and the name of the tool", async () => {
    const toolCall = {
      toolCallId: "c",
      kind: "delete",
      name: "remove_all",
      content: [{ type: "later", run: "./a.sh" }],
    };
    const call = await ask({ subject: { type: "tool_call", toolCall } });
    for (const text of ["delete", "remove_all", "./a.sh"]) expect(call.element.textContent).toContain(text);
    const later = await ask({ subject: { type: "later", run: "./b.sh" } });
    expect(later.element.textContent).toContain("./b.sh");
  });

  it("defect S92: shows every line of a long diff", async () => {
    const newText = Array.from({ length: 2_000 }, (_, at) => `line ${at + 1};`).join("\n");
    const diff = { type: "diff", changes: [{ operation: "add", path: "/work/a.ts", newText }] };
    const { element } = await ask({ subject: { type: "tool_call", toolCall: { toolCallId: "c", content: [diff] } } });
    // The code for diffs is loaded later.
    await drawnAfter(() => import("../diff/diff-view.js"));
    expect(element.textContent).toContain("line 2000;");
    expect(element.textContent).toContain("line 401;");
    expect(element.textContent).not.toContain("more lines");
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
