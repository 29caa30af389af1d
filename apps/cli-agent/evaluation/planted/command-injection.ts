import { exec } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(exec);

export type Thumbnail = { readonly source: string; readonly width: number; readonly target: string };

/** Makes a smaller copy of a picture with ImageMagick. */
export async function makeThumbnail({ source, width, target }: Thumbnail): Promise<void> {
  const size = `${Math.round(width)}x`;
  const command = `convert "${source}" -resize ${size} "${target}"`;
  const { stderr } = await run(command, { timeout: 20_000 });
  if (stderr !== "") throw new Error(`The thumbnail of ${source} has a problem: ${stderr}`);
}

export async function readVersion(): Promise<string> {
  const { stdout } = await run("convert -version");
  return stdout.split("\n")[0] ?? "";
}
