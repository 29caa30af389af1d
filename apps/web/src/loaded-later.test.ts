import { createElement, Suspense } from "react";
import { expect, it, vi } from "vitest";
import { draw, drawnAfter } from "../test/page.js";
import { loadedLater } from "./loaded-later.js";

const Hello = () => "Hello";

/** Part that counts how often its fallback was drawn. */
function counted(load: () => Promise<typeof Hello>) {
  const { Part, preload } = loadedLater(load);
  const drawn = { fallbacks: 0 };
  const Fallback = () => {
    drawn.fallbacks += 1;
    return "…";
  };
  return { node: createElement(Suspense, { fallback: createElement(Fallback) }, createElement(Part)), drawn, preload };
}

it("code that is already loaded is drawn without the fallback", async () => {
  const { node, drawn, preload } = counted(async () => Hello);
  preload();
  await Promise.resolve();
  await Promise.resolve();
  const { element } = await draw(node);
  expect([element.textContent, drawn.fallbacks]).toEqual(["Hello", 0]);
});

it("code that is not loaded yet is drawn after the fallback", async () => {
  let arrive = (_: typeof Hello): void => undefined;
  const load = new Promise<typeof Hello>((resolve) => {
    arrive = resolve;
  });
  const { node } = counted(() => load);
  const { element } = await draw(node);
  expect(element.textContent).toBe("…");
  await drawnAfter(() => arrive(Hello));
  await vi.waitUntil(() => element.textContent === "Hello");
});

it("a preload that fails is tried again when the part is drawn", async () => {
  let times = 0;
  const { node, preload } = counted(async () => {
    times += 1;
    if (times === 1) throw new Error("no route");
    return Hello;
  });
  preload();
  const { element } = await draw(node);
  await vi.waitUntil(() => element.textContent === "Hello");
});
