import type { ContentBlock } from "@turnkit/session";
import { checkArgument, dataUrl, unknownOptions } from "@turnkit/transport";

type Fields = { readonly [name: string]: unknown };

/** Members that a block needs, by type. All are texts except `resource`. */
const MEMBERS: { readonly [type: string]: readonly string[] } = {
  ...{ text: ["text"], image: ["data", "mimeType"], audio: ["data", "mimeType"] },
  ...{ resource_link: ["uri", "name"], resource: ["resource"] },
};

/** Returns true for a type of block of the protocol. */
export const isBlockType = (type: string): boolean => Object.hasOwn(MEMBERS, type);

/** Members that a block may also have, by type. */
const MORE: { readonly [type: string]: readonly string[] } = {
  ...{ image: ["uri"], resource_link: ["title", "description", "icons", "mimeType", "size"] },
};
const OF_ALL = ["type", "annotations", "_meta"];

/**
 * Returns one sentence for each member of a block that no client gets, and for data that is not base64. Blocks of other types
 * are not checked.
 */
export function blockMistakes(call: string, block: ContentBlock): readonly string[] {
  const { type } = block;
  if (!isBlockType(type)) return [];
  const lists = [OF_ALL, MEMBERS[type] ?? [], MORE[type] ?? []];
  const wrong = dataMistakes(block);
  // Most blocks have no such member, and a stream may have many blocks.
  if (Object.keys(block).every((name) => lists.some((list) => list.includes(name)))) return wrong;
  return [
    ...wrong,
    ...unknownOptions(call, block, { known: Object.fromEntries(lists.flat().map((name) => [name, true])) }),
  ];
}

function dataMistakes({ type, ...block }: ContentBlock): readonly string[] {
  const { data, resource } = block as Fields;
  return dataUrl(`a block of type ${type}`, data ?? (resource as Fields | undefined)?.blob);
}

const isText = (value: unknown): boolean => typeof value === "string";

const RESOURCE = 'pass a resource such as { uri: "file:///a.ts", text }';

/** @throws TypeError for a block without a type, and for a known block without its members */
export function checkBlock(call: string, got: unknown): void {
  const block = (typeof got === "object" && got !== null ? got : {}) as Fields;
  const { type, resource } = block;
  checkArgument(isText(type), call, { got, remedy: 'pass a block such as { type: "text", text }' });
  for (const name of isBlockType(type as string) ? (MEMBERS[type as string] ?? []) : []) {
    const { uri, text, blob } = (name === "resource" ? (resource ?? {}) : {}) as Fields;
    const isSound = name === "resource" ? isText(uri) && (isText(text) || isText(blob)) : isText(block[name]);
    checkArgument(isSound, `${call} ${name}`, {
      got: block[name],
      remedy: name === "resource" ? RESOURCE : "pass a text",
    });
  }
}

const DECODED = "decode them, such as with stream.pipeThrough(new TextDecoderStream())";

/** @throws TypeError for a piece of a stream, which is not text */
export function checkPiece(call: string, got: unknown): void {
  checkBytes(`${call} stream`, got);
  checkArgument(false, `${call} stream`, { got, remedy: "pass a stream of texts, such as the text of each part" });
}

function checkBytes(call: string, got: unknown): void {
  if (ArrayBuffer.isView(got) || got instanceof ArrayBuffer) throw new TypeError(`${call} got bytes: ${DECODED}.`);
}

/** @throws TypeError for a value that is not a content block, and for a block of an unknown type */
export function checkSaid(call: string, got: unknown): void {
  const { type, text, then, arrayBuffer } = (got ?? {}) as Fields;
  const refuse = (remedy: string): void => checkArgument(false, call, { got, remedy });
  checkBytes(call, got);
  if (typeof then === "function") throw new TypeError(`${call} got a promise: await it.`);
  if (typeof arrayBuffer === "function") refuse("pass its text, or its body as decoded text");
  if (!isText(type)) refuse(text === undefined ? SAID : "pass its text");
  const isKnown = isBlockType(type as string) || (type as string).startsWith("_");
  const remedy = isText(text)
    ? "pass its text"
    : `pass ${Object.keys(MEMBERS).join(", ")} or a type of your own with _`;
  checkArgument(isKnown, `${call} type`, { got: type, remedy });
  checkBlock(call, got);
}

const SAID = "pass a text, a content block or a stream of texts";

/** @throws TypeError for a method that was taken out of its object, as in `prompt({ say })` */
export function checkOwner(owner: unknown, name: string, of: "turn" | "call" = "turn"): void {
  if (owner !== undefined) return;
  throw new TypeError(`${of}.${name} was called without its ${of}: call it as ${of}.${name}(…).`);
}
