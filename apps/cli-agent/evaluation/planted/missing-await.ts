import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

export type Preferences = { readonly theme: "dark" | "light"; readonly fontSize: number };

/** Writes the preferences to a new file first, so that a crash leaves the old file or the new one. */
export async function savePreferences(path: string, preferences: Preferences): Promise<void> {
  const temporary = `${path}.new`;
  await mkdir(dirname(path), { recursive: true });
  writeFile(temporary, JSON.stringify(preferences, null, 2));
  await rename(temporary, path);
}

export async function resetPreferences(path: string): Promise<void> {
  await savePreferences(path, { theme: "light", fontSize: 14 });
}
