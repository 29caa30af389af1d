import type { TurnStatus } from "@turnkit/react";
import { createElement } from "react";
import { expect, it, onTestFinished, vi } from "vitest";
import { draw, drawnAfter } from "../test/page.js";
import { usePageTitle } from "./page-title.js";

function Titled({ title, status }: { readonly title: string | undefined; readonly status: TurnStatus }) {
  usePageTitle(title, status);
  return null;
}

it("defect E13: the title of the page tells a question, and the end of a turn until the page is looked at", async () => {
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  onTestFinished(() => hidden.mockRestore());
  const { render } = await draw(createElement(Titled, { title: "Cart", status: "ready" }));
  const shown = async (status: TurnStatus, title?: string) => {
    await render(createElement(Titled, { title, status }));
    return document.title;
  };
  expect(document.title).toBe("Cart – turnkit");
  expect(await shown("working", "Cart")).toBe("… Cart – turnkit");
  expect(await shown("asking", "Cart")).toBe("Question: Cart – turnkit");
  expect(await shown("ready", "Cart")).toBe("Done: Cart – turnkit");
  hidden.mockReturnValue(false);
  await drawnAfter(() => document.dispatchEvent(new (window as never as typeof globalThis).Event("visibilitychange")));
  expect(document.title).toBe("Cart – turnkit");
  expect(await shown("sent")).toBe("… turnkit");
  expect(await shown("ready")).toBe("turnkit");
});
