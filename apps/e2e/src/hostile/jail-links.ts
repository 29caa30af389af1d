import { link, symlink } from "node:fs/promises";
import { join } from "node:path";
import { SECRET } from "./jail.js";
import { chained, inside, type JailCase, linked, type Path, refused, unusable } from "./jail-case.js";

const links = refused([
  ["a link to a file", linked("link", ({ secret }) => secret)],
  ["a relative link to a file", linked("sub/link", () => "../../outside/secret")],
  ["a link to a file that exists inside by the same name", linked("link", ({ outside }) => `${outside}/file`)],
  ["a link to a folder", linked("link", ({ outside }) => outside, "link/secret")],
  ["a relative link to a folder", linked("link", () => "../outside", "link/secret")],
  ["a link to a folder, and dots in it", linked("link", ({ outside }) => `${outside}/sub`, "link/./file")],
  ["a link to a folder below a link", linked("link", ({ base }) => base, "link/outside/secret")],
  ["a link to the root of all", linked("link", () => "/", "link/etc/passwd")],
  ["a link to the root of this process", linked("link", () => "/proc/self/root", "link/etc/passwd")],
  ["a link to a twin", linked("link", ({ root }) => `${root}-twin`, "link/secret")],
  ["a link to a device", linked("link", () => "/dev/zero")],
  ["a link that is named by dots and more", linked("..link", ({ outside }) => outside, "..link/secret")],
  ["a new file behind a link to a folder", linked("link", ({ outside }) => outside, "link/new")],
  ["new folders behind a link to a folder", linked("link", ({ outside }) => outside, "link/a/b/new")],
  ["a dangling link", linked("link", ({ outside }) => `${outside}/new`)],
  ["a relative dangling link", linked("sub/link", () => "../../outside/new")],
  ["a dangling link to a folder", linked("link", ({ outside }) => `${outside}/new`, "link/file")],
  ["a dangling link with dots in it", linked("link", ({ root }) => `${root}/missing/../../outside/new`)],
  ["a chain of two links", chained(2, ({ secret }) => secret)],
  ["a chain of many links", chained(30, ({ secret }) => secret)],
  ["a chain of dangling links", chained(3, ({ outside }) => `${outside}/new`)],
  ["a chain of links that leaves by a relative one", chained(2, () => "../outside/secret")],
  [
    "a chain through folders",
    async (place) => {
      await symlink("sub/two", place.in("one"));
      await symlink(place.outside, place.in("sub/two"));
      return place.in("one/secret");
    },
  ],
  [
    "a link inside, to a link outside, to a file outside",
    async (place) => {
      await symlink(place.secret, join(place.base, "hop"));
      await symlink("../hop", place.in("link"));
      return place.in("link");
    },
  ],
]);

const harmlessLinks = inside([
  ["a link inside", linked("link", () => "file")],
  ["an absolute link inside", linked("link", ({ root }) => `${root}/file`)],
  ["a link to a folder inside", linked("link", () => "sub", "link/file")],
  ["a link to the root", linked("sub/up", () => "..", "sub/up/file")],
  ["a link out and back in", linked("link", () => "../root/file")],
  ["a chain of links inside", chained(30, () => "file")],
  [
    "a link from outside to the inside",
    async (place) => {
      await symlink(place.root, join(place.base, "alias"));
      return join(place.base, "alias/file");
    },
  ],
]);

const loops = unusable([
  ["a link to itself", linked("link", () => "link")],
  [
    "a loop of links",
    async (place) => {
      await symlink("two", place.in("one"));
      await symlink("one", place.in("two"));
      return place.in("one");
    },
  ],
  ["a chain of more links than the system follows", chained(60, () => "missing")],
]);

const hardLinked: Path = async (place) => {
  await link(place.secret, place.in("hard"));
  return place.in("hard");
};
const hardLinks: readonly JailCase[] = [
  {
    name: "a hard link, where they are refused",
    path: hardLinked,
    read: "outside",
    write: "written",
    hardLinks: "refuse",
  },
  {
    name: "a hard link behind a link, where they are refused",
    path: async (place) => {
      await hardLinked(place);
      await symlink("hard", place.in("link"));
      return place.in("link");
    },
    read: "outside",
    write: "written",
    hardLinks: "refuse",
  },
  { name: "a hard link, where they are followed", path: hardLinked, read: { text: SECRET }, write: "written" },
  {
    name: "a file of one name, where hard links are refused",
    path: (place) => place.in("file"),
    read: { text: "inside" },
    write: "written",
    hardLinks: "refuse",
  },
];

/** Cases decided by the targets of links. */
export const linkCases: readonly JailCase[] = [...links, ...harmlessLinks, ...loops, ...hardLinks];
