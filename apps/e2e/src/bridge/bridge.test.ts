import { readFile } from "node:fs/promises";
import { losses } from "@turnkit/session/codec";
import { describe, expect, it } from "vitest";
import { childStories } from "../story/child-stories.js";
import { stories } from "../story/stories.js";
import { tell } from "../story/tell.js";
import { withLosses, withoutKeys } from "../story/with-losses.js";
import { tellBridged } from "./tell-bridged.js";

/** Losses that a client of version 1 may have; all else arrives. For a client of version 2 only ids are made up. */
const known: Readonly<Record<string, readonly string[]>> = {
  "a tool call that asks, runs and shows a diff": ["diff", "state"],
  "a cancel in the middle of a tool call": ["tool-call-status"],
  "a subagent that asks, and its parent goes on": ["state"],
  "a cancel while a subagent works": ["tool-call-status"],
  "a session with a subagent, restored from the log": ["state"],
};

describe.each([...stories, ...childStories].map((story) => [story.name, story] as const))(
  "over a bridge: %s",
  (name, story) => {
    it("leaves a version 1 client with the picture that a version 2 agent drew, but for named losses", async () => {
      const reference = await tell(story, "v2", "memory");
      const received = await tellBridged(story, "v1");
      expect(received.picture).toEqual(withLosses(withoutKeys(reference.picture, story), received.losses));
      expect([...received.losses].toSorted()).toEqual(known[name] ?? []);
    });

    it("leaves a version 2 client with the picture that a version 1 agent drew, but for named losses", async () => {
      // The bridge honours the keys of the client, which the agent does not get.
      const reference = await tell(story, story.keyed === undefined ? "v1" : "v2", "memory");
      const received = await tellBridged(story, "v2");
      expect(received.picture).toEqual(withLosses(reference.picture, received.losses));
    });
  },
);

it("the bridge is short, and every loss that it knows has a name", async () => {
  const text = await readFile(new URL("bridge.ts", import.meta.url), "utf8");
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(150);
  const ids = losses.filter(({ to }) => to === "v1").map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(Object.values(known).flat()));
});
