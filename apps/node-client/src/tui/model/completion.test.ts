import { createSessionState } from "@turnkit/session";
import { expect, it } from "vitest";
import { offersFor, typedMention } from "./completion.js";
import { pressPrompt } from "./press-prompt.js";
import { createUi, type Ui } from "./ui.js";

const files = ["README.md", "src/main.ts", "src/my file.ts", "test/main.test.ts"];
const at = (text: string, cursor = text.length): Ui => ({ ...createUi(), files, input: { text, cursor } });
const nothing = createSessionState();
const labels = (ui: Ui) => offersFor(ui, nothing).map(({ label }) => label);

it("P16: a mention begins with @ after a space or a bracket, and ends at the next space", () => {
  expect(typedMention({ text: "see @src/m", cursor: 10 })).toEqual({ start: 4, path: "src/m" });
  expect(typedMention({ text: "(@", cursor: 2 })).toEqual({ start: 1, path: "" });
  expect(typedMention({ text: 'a\n@"my fi', cursor: 9 })).toEqual({ start: 2, path: "my fi" });
  for (const text of ["me@src", "@src ", "!cat @src", "no mention"]) {
    expect(typedMention({ text, cursor: text.length })).toBeUndefined();
  }
});

it("P16: offers the files and folders that fit, and puts the chosen one in the place of the typed text", () => {
  expect(labels(at("see @main"))).toEqual(["@src/main.ts", "@test/main.test.ts"]);
  const [first] = offersFor(at("see @mai please", 8), nothing);
  expect(first?.input).toEqual({ text: "see @src/main.ts  please", cursor: 17 });
  const [folder] = offersFor(at("@src"), nothing);
  expect(folder).toMatchObject({ label: "@src/", description: "folder", input: { text: "@src/", cursor: 5 } });
  expect(labels(at("@src/my"))).toEqual(['@"src/my file.ts"']);
});

it("offers nothing before the files are known, and after Escape", () => {
  expect(labels({ ...at("@main"), files: undefined })).toEqual([]);
  expect(labels({ ...at("@main"), completionClosed: true })).toEqual([]);
});

it("P16: Enter completes a part of a path, and sends a prompt whose path is complete", () => {
  const around = {
    state: createSessionState(),
    isWorking: false,
    questions: [],
    children: [],
    context: { width: 80, rows: 24, directory: "/" },
  };
  const enter = (ui: Ui) => pressPrompt(ui, { name: "enter" }, around);
  expect(enter(at("see @READ")).ui.input.text).toBe("see @README.md ");
  expect(enter(at("see @README.md")).effects).toEqual([{ type: "prompt", text: "see @README.md" }]);
  expect(enter(at("see @src/")).effects).toEqual([{ type: "prompt", text: "see @src/" }]);
  expect(enter(at("see @nobody")).effects).toEqual([{ type: "prompt", text: "see @nobody" }]);
});
