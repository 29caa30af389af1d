import { expect, test } from "vitest";
import { openSession } from "./raw-agent.js";

const data = "data:image/png;base64,iVBORw0KGgo=";
const image = { type: "image", mimeType: "image/png" } as const;

test.each([
  ["a picture", { ...image, data }, "image"],
  ["a resource", { type: "resource", resource: { uri: "file:///a.png", blob: data } } as const, "resource"],
])("defect N154: %s of a prompt with a data URL in place of base64 is reported", async (_, block, type) => {
  const { session, diagnostics } = await openSession({});
  session.prompt([block, { type: "text", text: "data:image/png;base64,a" }]).ended.catch(() => undefined);
  expect(diagnostics).toEqual([
    {
      code: "unused_option",
      message: `The data of a block of type ${type} in a prompt is a data URL. Pass only the base64 text after the comma.`,
    },
  ]);
});

test("defect N154: and base64 is no report", async () => {
  const { session, diagnostics } = await openSession({});
  session.prompt([{ ...image, data: "iVBORw0KGgo=" }]).ended.catch(() => undefined);
  expect(diagnostics).toEqual([]);
});
