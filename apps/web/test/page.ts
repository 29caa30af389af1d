import { Window } from "happy-dom";
import { act, type ReactNode } from "react";
import { onTestFinished } from "vitest";

// Globals that react-dom reads at import. `act` waits for effects only if a test says that it is one.
const window = new Window({ url: "https://turnkit.example/" });
const { document, location, history, HTMLTextAreaElement } = window;
Object.assign(globalThis, { window, document, location, history, HTMLTextAreaElement, IS_REACT_ACT_ENVIRONMENT: true });
if (!("navigator" in globalThis)) Object.assign(globalThis, { navigator: window.navigator });

/** Draws a node in a new element of the page, until the end of the test. */
export async function draw(node: ReactNode) {
  const { createRoot } = await import("react-dom/client");
  const element = document.createElement("main");
  document.body.append(element);
  const root = createRoot(element as never);
  const render = (next: ReactNode) => act(async () => root.render(next));
  await render(node);
  onTestFinished(() => act(async () => root.unmount()));
  return { element, render };
}

/** Does something that changes what is drawn, and waits until it is drawn. */
export const drawnAfter = (change: () => unknown) => act(async () => void (await change()));
