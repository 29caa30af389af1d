import { act, createElement, type FunctionComponent, StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { onTestFinished } from "vitest";
import { place } from "./page.js";

/** A component on the page, drawn in StrictMode unless a test counts drawings. */
export async function mount<Props extends object>(
  component: FunctionComponent<Props>,
  props: Props,
  { isStrict = true, html = "" } = {},
) {
  const element = place(html);
  const drawn = (given: Props) => {
    const one = createElement(component, given);
    return isStrict ? createElement(StrictMode, null, one) : one;
  };
  const faults: unknown[] = [];
  const onRecoverableError = (error: unknown) => void faults.push(error);
  const root = await act(async () => {
    if (html !== "") return hydrateRoot(element as never, drawn(props), { onRecoverableError });
    const made = createRoot(element as never);
    made.render(drawn(props));
    return made;
  });
  const unmount = () => act(async () => root.unmount());
  onTestFinished(unmount);
  return {
    element,
    faults,
    text: () => element.textContent,
    render: (next: Props) => act(async () => root.render(drawn(next))),
    unmount,
  };
}

/** Runs something that changes what is drawn, and waits until it is drawn. */
export function drawnAfter<T>(change: () => T | Promise<T>): Promise<T> {
  return act(async () => change());
}
