import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { isRpcError } from "@turnkit/client";
import { createRandom } from "@turnkit/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type HardLinks, Place, SECRET, sides } from "./jail.js";
import { type DiskStep, LinkSwapper } from "./link-swapper.js";

const ATTEMPTS = 400;
/** Exchanges there and back that have to come between; a busy machine takes more attempts. */
const ROUNDS = 200;

/** Exchange made while an agent reads or writes, and the paths that it uses. */
type Race = {
  readonly name: string;
  readonly steps: (place: Place) => readonly DiskStep[];
  readonly paths: readonly string[];
  readonly prepare?: (place: Place) => Promise<void>;
  readonly hardLinks?: HardLinks;
};

/** Exchanges a name for another in one step each way. */
const inOneStep = (name: string, make: (place: Place, at: string) => readonly DiskStep[]) => (place: Place) =>
  make(place, place.in("new-one")).flatMap((step): readonly DiskStep[] => [
    step,
    ["rename", place.in("new-one"), place.in(name)],
  ]);

const races: readonly Race[] = [
  {
    name: "a folder for a link",
    paths: ["sub/file", "sub/deep/file", "sub/new", "sub/a/b/new"],
    steps: ({ outside, root }) => swapFolder(join(root, "sub"), outside),
  },
  {
    name: "a folder two levels up for a link",
    paths: ["sub/sub/file", "sub/sub/new"],
    steps: ({ base, root }) => swapFolder(join(root, "sub"), join(base, "outside")),
  },
  {
    name: "a file for a link",
    paths: ["file"],
    steps: inOneStep("file", ({ secret }, at) => [
      ["symlink", secret, at],
      ["writeFile", at, "inside"],
    ]),
  },
  {
    name: "where a link to a folder leads",
    paths: ["way/file", "way/new", "way/a/new"],
    prepare: (place) => symlink("sub", place.in("way")),
    steps: inOneStep("way", ({ outside }, at) => [
      ["symlink", outside, at],
      ["symlink", "sub", at],
    ]),
  },
  {
    name: "where a dangling link leads",
    paths: ["way", "way/new"],
    prepare: (place) => symlink("missing", place.in("way")),
    steps: inOneStep("way", ({ outside }, at) => [
      ["symlink", join(outside, "new"), at],
      ["symlink", "missing", at],
    ]),
  },
  {
    name: "the end of a chain of links",
    paths: ["one", "one/file"],
    prepare: async (place) => {
      await symlink("two", place.in("one"));
      await symlink("sub", place.in("two"));
    },
    steps: inOneStep("two", ({ outside }, at) => [
      ["symlink", outside, at],
      ["symlink", "file", at],
      ["symlink", join(outside, "secret"), at],
      ["symlink", "sub", at],
    ]),
  },
  {
    name: "a file for a hard link, where they are refused",
    paths: ["file"],
    hardLinks: "refuse",
    steps: inOneStep("file", ({ secret }, at) => [
      ["link", secret, at],
      ["writeFile", at, "inside"],
    ]),
  },
];

/** No system call that Node has exchanges a folder for a link in one step. */
function swapFolder(folder: string, outside: string): readonly DiskStep[] {
  return [
    ["rename", folder, `${folder}-aside`],
    ["symlink", outside, folder],
    ["unlink", folder],
    ["rename", `${folder}-aside`, folder],
  ];
}

let place: Place;
beforeEach(async () => {
  place = await Place.make();
});
afterEach(() => place.remove());

describe.each(Object.entries(sides))("while somebody exchanges, the files of the %s", (_, side) => {
  test.each(races)("never leave the root: $name", { timeout: 60_000 }, async (race) => {
    const random = createRandom(1);
    await race.prepare?.(place);
    const files = side([place.root], race.hardLinks ?? "follow");
    const swapper = new LinkSwapper(race.steps(place));
    try {
      await swapper.began;
      const before = swapper.rounds;
      for (let attempt = 0; attempt < ATTEMPTS || swapper.rounds - before < ROUNDS; attempt++) {
        const path = place.in(race.paths[random.below(race.paths.length)] ?? "");
        // Several at once: they are at different places when the exchange comes.
        const tries = await Promise.allSettled([files.read(path), files.write(path, "by the agent"), files.read(path)]);
        for (const one of tries) {
          if (one.status === "fulfilled") expect(one.value).not.toBe(SECRET);
          else if (!isRpcError(one.reason)) throw one.reason;
        }
      }
    } finally {
      await swapper.stop();
    }
    expect(await place.escaped()).toEqual([]);
  });
});
