import type { Dialect } from "@turnkit/session";
import { describe, expect, it } from "vitest";
import { pictureOf } from "./picture.js";
import { stories } from "./stories.js";
import { tell, transports } from "./tell.js";

const dialects: readonly Dialect[] = ["v1", "v2", "seed"];

describe.each(stories.map((story) => [story.name, story] as const))("%s", (_, story) => {
  const places = dialects.flatMap((dialect) =>
    Object.keys(transports).map((transport) => [dialect, transport] as const),
  );

  it.each(places)("leaves the same picture over %s and %s", async (dialect, transport) => {
    const reference = await tell(story, "v2", "memory");
    const told = await tell(story, dialect, transport);
    expect(told.dialect).toBe(dialect);
    expect(pictureOf(told.state)).toEqual(withLosses(pictureOf(reference.state), told.losses));
  });
});

/** What a dialect could not say is missing from its picture, but only if the loss was told. */
function withLosses(picture: ReturnType<typeof pictureOf>, losses: ReadonlySet<string>): unknown {
  if (!losses.has("tool-call-status")) return picture;
  const text = JSON.stringify(picture).replaceAll('"status":"cancelled"', '"status":"failed"');
  return { ...picture, ...JSON.parse(text) };
}
