import { bundle, gzipKilobytes } from "../start/bundle-size.js";

/** Size of a zipped bundle, and of each part by its share of the minified bytes. The largest part is first. */
export type BundleParts = { readonly gzip: number; readonly parts: ReadonlyMap<string, number> };

/** Division of a bundle into parts: built packages, or source files of one package. */
export type Parting = { readonly conditions: readonly string[]; partOf(file: string): string };

export const byPackage: Parting = {
  conditions: [],
  partOf: (file) => /packages\/(\w+)\//.exec(file)?.[1] ?? file,
};

export const byFile: Parting = {
  conditions: ["@turnkit/source"],
  partOf: (file) => /\/src\/(.*)$/.exec(file)?.[1] ?? file,
};

/** Bundles a source, and divides its size among its parts, in kB. */
export async function bundleParts(source: string, { conditions, partOf }: Parting): Promise<BundleParts> {
  const { bytes, metafile } = await bundle(source, conditions);
  const gzip = gzipKilobytes(bytes);
  const parts = new Map<string, number>();
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  for (const [file, { bytesInOutput }] of inputs) {
    if (bytesInOutput === 0) continue;
    const part = partOf(file);
    parts.set(part, (parts.get(part) ?? 0) + (gzip * bytesInOutput) / bytes.length);
  }
  return { gzip, parts: new Map([...parts].sort(([, one], [, other]) => other - one)) };
}
