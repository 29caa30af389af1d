/** Reads a body up to its end, or until more than `most` characters have arrived. Then cancels the rest of the body. */
export async function readText({ body }: Response, most: number): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  let text = "";
  while (reader !== undefined && text.length <= most) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += decoder.decode(value, { stream: true });
  }
  reader?.cancel().catch(() => {});
  return text;
}
