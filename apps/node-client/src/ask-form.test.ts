import type { FormRequest, UrlRequest } from "@turnkit/client";
import { describe, expect, it } from "vitest";
import { askChoice, askForm, askUrl } from "./ask-form.js";
import { createPage } from "./render/page.js";
import { createPaint } from "./render/style.js";

const agent = { name: "my-agent", title: "My Agent", version: "1.0.0" };

/**
 * Makes a dialogue in which a person types these lines and then leaves; `shown` is the page with the prompts in place.
 */
function deskWith(...lines: string[]) {
  let shown = "";
  const page = createPage((text) => {
    shown += text;
  }, createPaint(false));
  const dialogue = {
    async ask(prompt: string) {
      shown += `${prompt}\n`;
      return lines.shift();
    },
    close() {},
  };
  return { desk: { page, dialogue }, shown: () => shown, left: lines };
}

const form = (properties: object, required: readonly string[] = []) =>
  ({
    mode: "form",
    agent,
    message: "Who are you?",
    requestedSchema: { type: "object", properties, required },
  }) as FormRequest;
const url = (where: string) =>
  ({ mode: "url", agent, message: "Sign in", elicitationId: "e", url: where }) as UrlRequest;

const person = form(
  {
    name: { type: "string", title: "Your name", minLength: 2, default: "Ada" },
    age: { type: "integer", minimum: 18 },
    member: { type: "boolean", default: true },
    size: {
      type: "string",
      oneOf: [
        { const: "s", title: "Small" },
        { const: "l", title: "Large" },
      ],
    },
    colours: { type: "array", items: { type: "string", enum: ["red", "green", "blue"] } },
    aura: { type: "colour" },
  },
  ["name", "age"],
);

describe("a form", () => {
  it("says who asks, suggests the defaults, and sends what was reviewed (V1-ELIC-13, V1-ELIC-19, V2-ELI-06)", async () => {
    const { desk, shown } = deskWith("", "36", "n", "2", "1, blue", "y");
    expect(await askForm(person, desk)).toEqual({
      action: "accept",
      content: { name: "Ada", age: 36, member: false, size: "l", colours: ["red", "blue"] },
    });
    expect(shown()).toMatch(/^\? Question of My Agent\n {2}Who are you\?\n/);
    expect(shown()).toContain("Your name [Ada]\n");
    const review = "This would be sent:\n  name: Ada\n  age: 36\n  member: no\n  size: l\n  colours: red, blue\n";
    expect(shown()).toContain(`${review}Send it (y), answer again (a), decline (d) or cancel (c)? `);
    expect(shown()).not.toContain("aura");
  });

  it("asks again where an answer does not conform, and takes no form as a whole that does not (V1-ELIC-13, V2-ELI-06)", async () => {
    const { desk, shown } = deskWith(
      "A",
      "Bob",
      "seventeen",
      "17",
      "",
      "maybe",
      "no",
      "-",
      "-",
      "y",
      "a",
      "",
      "18",
      "",
      "",
      "",
      "y",
    );
    expect(await askForm(person, desk)).toEqual({
      action: "accept",
      content: { name: "Bob", age: 18, member: false },
    });
    for (const fault of ["at least 2 characters", "a whole number", "at least 18", "yes or no"]) {
      expect(shown()).toContain(`expected ${fault}\n`);
    }
    expect(shown()).toContain("age: an answer is required\nanswer again (a), decline (d) or cancel (c)? ");
  });

  it("suggests nothing for a field that has the name of every object's members", async () => {
    const { desk, shown } = deskWith("me", "y");
    const answer = await askForm(form({ constructor: { type: "string", title: "Your name" } }), desk);
    expect(answer).toEqual({ action: "accept", content: { constructor: "me" } });
    expect(shown()).toContain("Your name\n");
  });

  it.each([
    ["!decline", "decline"],
    ["!cancel", "cancel"],
    [undefined, "cancel"],
  ] as const)("can be left at every line by %s (V1-ELIC-19, V2-ELI-06)", async (line, action) => {
    const answers = ["", "36", "", "", ""];
    for (let before = 0; before <= answers.length; before++) {
      const atReview = before === answers.length && line !== undefined;
      const last = line === undefined ? [] : [atReview ? line.charAt(1) : line];
      const { desk } = deskWith(...answers.slice(0, before), ...last);
      expect(await askForm(person, desk)).toEqual({ action });
    }
  });

  it("shows the agent's words harmless and whole", async () => {
    const evil = form({ "a\u001b[2Jb": { type: "string", title: "T\u001b]52;c;AAAA\u0007", default: "d\u202e" } });
    const { desk, shown } = deskWith("", "c");
    await askForm({ ...evil, message: `first\n\u001b[1A${"x".repeat(3000)}` }, desk);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(shown()).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(shown()).toContain("x".repeat(3000));
  });
});

describe("a URL", () => {
  it("is shown whole with its host, and opened by nobody but the person (V1-ELIC-19, V2-ELI-08)", async () => {
    const where = `https://example.org/in?state=${"x".repeat(3000)}`;
    const { desk, shown } = deskWith("", "perhaps", "y");
    expect(await askUrl(url(where), desk)).toEqual({ action: "accept" });
    expect(shown()).toContain(`? Question of My Agent\n  Sign in\n  ${where}\n  on the host example.org\n`);
    expect(shown()).not.toContain("Careful");
  });

  it.each([
    ["d", "decline"],
    ["c", "cancel"],
    [undefined, "cancel"],
  ])("is not opened after %s (V1-ELIC-19, V2-ELI-08)", async (line, action) => {
    const { desk } = deskWith(...(line === undefined ? [] : [line]));
    expect(await askUrl(url("https://example.org"), desk)).toEqual({ action });
  });

  it.each([
    ["https://аpple.com/", "on the host xn--pple-43d.com", "letters that may look like others"],
    ["https://xn--pple-43d.com/", "on the host xn--pple-43d.com", "letters that may look like others"],
    ["http://example.org/", "on the host example.org", "does not begin with https"],
    ["https://example.org@evil.org/", "on the host evil.org", "a user name"],
    ["example.org", "on the host (none)", "not a complete URL"],
  ])("%s is warned about (V1-ELIC-19, V2-ELI-08)", async (where, host, warning) => {
    const { desk, shown } = deskWith("c");
    await askUrl(url(where), desk);
    expect(shown()).toContain(host);
    expect(shown()).toMatch(new RegExp(`Careful: .*${warning}`));
  });
});

describe("a choice", () => {
  const choices = [{ name: "Browser" }, { name: "Term\u001binal", description: "here" }];
  it.each([
    [["", "x", "3", "-1", "1.5", "2"], 1],
    [["0"], undefined],
    [[], undefined],
  ])("typed as %j is %s", async (lines, chosen) => {
    const { desk, shown, left } = deskWith(...lines);
    expect(await askChoice("Log in.", choices, desk)).toBe(chosen);
    expect(left).toEqual([]);
    expect(shown()).toContain("? Log in.\n  1) Browser\n  2) Term␛inal  here\n");
  });
});

it("defect S5: forms and choices are shown whole, however long their texts are", async () => {
  const long = `${"x".repeat(3_000)} end`;
  const first = deskWith("!cancel");
  const field = { type: "string", title: long, oneOf: [{ const: "s", title: long }] };
  const question = form({ a: field });
  await askForm({ ...question, requestedSchema: { ...question.requestedSchema, title: long } }, first.desk);
  expect(first.shown().split(long)).toHaveLength(4);
  const second = deskWith("0");
  await askChoice(long, [{ name: long, description: long }], second.desk);
  expect(second.shown().split(long)).toHaveLength(4);
});
