/** Reads a body until it ends or has more than `most` characters, and ends it. */
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
