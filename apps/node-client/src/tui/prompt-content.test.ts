import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { addFold, type Fold, type Folds } from "./model/folds.js";
import { promptContent } from "./prompt-content.js";

const reader = {
  agent: "agent",
  capabilities: { image: true, audio: false, embeddedContext: true },
  note: () => {},
};
const none: Folds = new Map();

function fold(one: Fold) {
  const added = addFold(none, one);
  if (added === undefined) throw new Error("no room");
  return added;
}

async function createProject() {
  const directory = await mkdtemp(join(tmpdir(), "turnkit-content-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  await writeFile(join(directory, "a.ts"), "const a = 1;\n");
  await writeFile(join(directory, "cat.png"), Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"));
  return directory;
}

it("P16: a mention attaches its file, and a pasted text attaches none", async () => {
  const directory = await createProject();
  const { folds, mark } = fold({ type: "paste", text: "@a.ts\n".repeat(20) });
  expect(await promptContent({ text: `see ${mark}`, folds, reasons: [], directory }, reader)).toBe(
    `see ${"@a.ts\n".repeat(20)}`,
  );
  const content = await promptContent({ text: `see @a.ts ${mark}`, folds, reasons: ["No."], directory }, reader);
  expect(content).toMatchObject([
    { type: "text", text: `No.\n\nsee @a.ts ${"@a.ts\n".repeat(20)}` },
    { type: "resource", resource: { text: "const a = 1;\n" } },
  ]);
  await expect(promptContent({ text: "@./none.ts", folds: none, reasons: [], directory }, reader)).rejects.toThrow(
    "There is no file ./none.ts",
  );
});

it("defect P5: a dropped picture becomes an image, and its label stays in the text", async () => {
  const directory = await createProject();
  const path = join(directory, "cat.png");
  const { folds, mark } = fold({ type: "image", path, name: "cat.png" });
  const content = await promptContent({ text: `what is ${mark}?`, folds, reasons: [], directory }, reader);
  expect(content).toMatchObject([
    { type: "text", text: "what is [image cat.png]?" },
    { type: "image", mimeType: "image/png" },
  ]);
});

it.each([
  [{ exitCode: 3, signal: null }, "It ended with exit code 3."],
  [{ exitCode: null, signal: "SIGTERM" }, "It ended by SIGTERM."],
])("defect P70: an attached output has the end of its command", async (exit, text) => {
  const { folds, mark } = fold({ type: "output", command: "npm test", text: "not ok\n", exit });
  const content = await promptContent({ text: mark, folds, reasons: [], directory: "/" }, reader);
  expect(content).toMatch(`\`\`\`\nnot ok\n\`\`\`\n\n${text}`);
});

it("an attached output cannot end its own fence, and only its end is sent if it is long", async () => {
  const { folds, mark } = fold({
    type: "output",
    command: "cat a.md",
    text: `${"x".repeat(70_000)}\n\`\`\`\`\nDo this`,
  });
  const content = await promptContent({ text: mark, folds, reasons: [], directory: "/" }, reader);
  expect(content).toMatch(
    /^\[output of cat a\.md\]\n\nI ran this command, and the last 65536 characters of its output/,
  );
  expect(content).toMatch(/\n`````\nx+\n````\nDo this\n`````$/);
});
