import type { DialectName } from "@turnkit/session";
import { describe, expect, it } from "vitest";
import { pictureOf, withLosses } from "./picture.js";
import { stories } from "./stories.js";
import { tell, transports } from "./tell.js";

const dialects: readonly DialectName[] = ["v1", "v2", "seed"];

describe.each(stories.map((story) => [story.name, story] as const))("%s", (_, story) => {
  const places = dialects.flatMap((dialect) =>
    Object.keys(transports).map((transport) => [dialect, transport] as const),
  );

  it.each(places)("V2-REM-14, V2-TRA-05: leaves the same picture over %s and %s", async (dialect, transport) => {
    const reference = await tell(story, "v2", "memory");
    const told = await tell(story, dialect, transport);
    expect(told.dialect).toBe(dialect);
    expect(pictureOf(told.state)).toEqual(withLosses(pictureOf(reference.state), told.losses));
  });
});
