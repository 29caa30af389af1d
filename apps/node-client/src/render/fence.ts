const opening = /^\s{0,3}(`{3,20}|~{3,20})[^`\n]{0,100}\n/;

/**
 * Returns a text without the fence of a code block around it. Many agents send the whole output of a tool as one code
 * block. A text that has other lines with fences is returned unchanged. The closing fence may be missing, because the
 * text may still grow.
 */
export function unfenced(text: string): string {
  const [head, mark = ""] = opening.exec(text) ?? [];
  if (head === undefined) return text;
  const end = text.trimEnd();
  const last = end.lastIndexOf("\n") + 1;
  const isClosed = last >= head.length && end.slice(last).trim() === mark;
  const body = text.slice(head.length, isClosed ? last : undefined);
  return body.startsWith(mark) || body.includes(`\n${mark}`) ? text : body;
}
