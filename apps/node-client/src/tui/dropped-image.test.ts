import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { droppedImage } from "./dropped-image.js";

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

async function createPictures() {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "turnkit-drop-")));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "my cat.png"), png);
  await writeFile(join(folder, "text.png"), "no picture at all, only its name");
  return folder;
}

it("defect P5: a dropped picture is found in each form in which terminals paste its path", async () => {
  const folder = await createPictures();
  const path = join(folder, "my cat.png");
  const url = pathToFileURL(path).href;
  for (const pasted of [
    path,
    `'${path}'`,
    `"${path}" `,
    path.replaceAll(" ", "\\ "),
    url,
    "my cat.png",
    "./my cat.png",
  ]) {
    expect(droppedImage(pasted, folder)).toEqual({ type: "image", path, name: "my cat.png" });
  }
});

it("other text stays text: missing files, other content, several lines, and broken addresses", async () => {
  const folder = await createPictures();
  const texts = [
    "text.png",
    "none.png",
    "my cat.png\nmy cat.png",
    "look at my cat.png",
    "file://%zz/a.png",
    folder,
    "",
  ];
  for (const pasted of [...texts, `${"x".repeat(5000)}.png`]) expect(droppedImage(pasted, folder)).toBeUndefined();
});
