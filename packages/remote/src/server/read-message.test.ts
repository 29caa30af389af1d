import { expect, test } from "vitest";
import { readMessage } from "./read-message.js";

const request = (id: string) => `{"jsonrpc":"2.0","id":${id},"method":"session/list","params":{}}`;

test.each(["1e400", "-1e400", "1.5", "true", "{}", "[1]", `"${"x".repeat(1_025)}"`])(
  "defect M15: a request whose answer could not be matched is refused: id %s",
  (id) => {
    expect(readMessage(request(id))).toEqual({
      fault: "The id is neither an integer nor a text of at most 1024 characters.",
      code: -32600,
    });
  },
);

test.each(["0", "-7", "1e3", '"a"', "null", "12345678901234567890123"])("the id %s is accepted", (id) => {
  expect(readMessage(request(id))).toMatchObject({ method: "session/list" });
});
