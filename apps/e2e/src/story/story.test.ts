import { describe, expect, it } from "vitest";
import { childStories } from "./child-stories.js";
import { stories } from "./stories.js";
import { type StoryDialect, tell, transports } from "./tell.js";
import { withJoinedPlans, withLosses, withoutKeys } from "./with-losses.js";

const dialects: readonly StoryDialect[] = ["v1", "v1 without opt-ins", "v2", "seed"];

describe.each([...stories, ...childStories].map((story) => [story.name, story] as const))("%s", (_, story) => {
  // Over HTTP each session has its own stream, and nothing orders one stream after another: the turn of a parent may end
  // before the messages of its child arrive. The HTTP client of the official SDK reads no child session at all.
  const ways = Object.keys(transports).filter((name) => !name.startsWith("http") || !childStories.includes(story));
  let memory: ReturnType<typeof tell> | undefined;
  const places = dialects.flatMap((dialect) => ways.map((transport) => [dialect, transport] as const));

  it.each(places)("V2-REM-14, V2-TRA-05: leaves the same picture over %s and %s", async (dialect, transport) => {
    memory ??= tell(story, "v2", "memory");
    const reference = await memory;
    const received = await tell(story, dialect, transport);
    expect(received.dialect).toBe(dialect === "v1 without opt-ins" ? "v1" : dialect);
    const comparable = received.losses.has("plan") ? withJoinedPlans : (picture: typeof received.picture) => picture;
    const expected = dialect === "v2" ? reference.picture : withoutKeys(reference.picture, story);
    expect(comparable(received.picture)).toEqual(comparable(withLosses(expected, received.losses)));
  });

  it("P-CAP-02: a version 1 client with its opt-ins loses no child session and no plan", async () => {
    const { losses } = await tell(story, "v1", "memory");
    expect([...losses].filter((id) => id === "subagent" || id === "plan")).toEqual([]);
  });
});
