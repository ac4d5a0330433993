import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor } from "../../src/core/redact.ts";

describe("a redactor", () => {
  const secret = 'pa"ss\\wörd/ &42';
  const redactor = createRedactor({ DB_PASSWORD: secret, HOME: "/home/somebody" });

  test.each([
    ["as it is", secret],
    ["inside JSON", JSON.stringify({ error: secret })],
    ["inside JSON inside JSON", JSON.stringify({ body: JSON.stringify({ key: secret }) })],
    ["in a URL", `https://x/?p=${encodeURIComponent(secret)}`],
    ["many times", `${secret}${secret}\n${secret}`],
  ])("hides a secret %s", (_, text) => {
    const clean = redactor.text(text);
    expect(clean).toContain("[secret DB_PASSWORD]");
    expect(clean).not.toContain("wörd");
    expect(clean).not.toContain("w%C3%B6rd");
  });

  test("leaves numbers of JSON whole that contain a secret of digits, and hides it in texts", () => {
    const digits = createRedactor({ PIN_TOKEN: "12345678" });
    const value = { metric: 0.123456789, id: 12345678, "12345678": ["pin 12345678", 'say \\"12345678\\"'] };
    const clean = JSON.parse(digits.toJson(value)) as unknown;
    expect(clean).toEqual({
      metric: 0.123456789,
      id: 12345678,
      "[secret PIN_TOKEN]": ["pin [secret PIN_TOKEN]", 'say \\"[secret PIN_TOKEN]\\"'],
    });
  });

  test("hides in JSON what it hides in texts", () => {
    const clean = redactor.toJson({ error: secret, body: JSON.stringify({ key: secret }) });
    expect(clean).not.toContain("wörd");
    expect(JSON.parse(clean)).toMatchObject({ error: "[secret DB_PASSWORD]" });
  });

  test("leaves everything else alone", () => {
    expect(redactor.text("at /home/somebody with $& and $1")).toBe("at /home/somebody with $& and $1");
  });

  test.each([
    ["DATABASE_URL", "postgres://app:pa55-word%21@db.example:5432/main", ["pa55-word%21", "pa55-word!"]],
    ["REDIS_URL", "redis://:short@cache:6379", ["//:short@"]],
    ["HTTPS_PROXY", "http://me:proxy-pass@proxy:3128", ["proxy-pass"]],
    ["PIP_INDEX_URL", "https://ghp_0123456789abcdefghij@pypi.example/simple", ["ghp_0123456789abcdefghij"]],
    [
      "FEED",
      "https://x.example/a?user=me&access_token=t0ken-t0ken&sig=abcdefgh%3D",
      ["t0ken-t0ken", "abcdefgh="],
    ],
  ])("hides what is secret inside of the URL in %s", (name, url, secrets) => {
    const knowing = createRedactor({ [name]: url });
    for (const text of [url, ...secrets]) {
      const clean = knowing.text(`before ${text} after`);
      expect(clean).toMatch(new RegExp(`^before .*\\[secret ${name}\\].* after$`));
      for (const secret of secrets) expect(clean).not.toContain(secret);
    }
  });

  test.each([
    ["DATABASE_URL", "postgres://localhost:5432/main"],
    ["GIT_REMOTE", "ssh://git@github.com/somebody/something"],
    ["PROJECT_PWD", "/home/somebody/project"],
    ["DOCS", "https://x.example/?page=12345678&author=somebody"],
  ])("leaves %s alone where it holds nothing secret", (name, value) => {
    expect(createRedactor({ [name]: value }).needles).toEqual([]);
  });

  test("knows both values of a variable that is set in two places", () => {
    const both = createRedactor({ API_KEY: "first-value" }, { API_KEY: "second-value" });
    expect(both.text("first-value second-value")).toBe("[secret API_KEY] [secret API_KEY]");
  });

  test.each([
    "API_KEY",
    "OPENAI_API_KEYS",
    "github_token",
    "AWS_SECRET_ACCESS_KEY",
    "SENTRY_DSN",
    "PGPASSWORD",
    "GITHUB_PAT",
    "JWT",
    "MYSQL_PWD",
    "SLACK_WEBHOOK_URL",
    "SIGNING_CREDS",
  ])("knows %s for a secret by its name", (name) => {
    expect(createRedactor({ [name]: "canary-value" }).text("is canary-value")).toBe(`is [secret ${name}]`);
  });

  test.each(["SSH_AUTH_SOCK", "KEYBOARD", "AUTHOR", "PASSENGERS", "TOKENIZERS_PARALLELISM", "PWD", "PATH"])(
    "does not take %s for one",
    (name) => {
      expect(createRedactor({ [name]: "ordinary-value" }).needles).toEqual([]);
    },
  );

  test("passes over values so short that hiding them would garble text", () => {
    const short = createRedactor({ API_KEY: "1234567", EMPTY_TOKEN: "", NO_TOKEN: undefined });
    expect(short.text("1234567")).toBe("1234567");
    expect(short.needles).toEqual([]);
  });

  test("hides a secret that contains another one whole", () => {
    const nested = createRedactor({ INNER_KEY: "abcdefgh", OUTER_KEY: "--abcdefgh--" });
    expect(nested.text("--abcdefgh-- abcdefgh")).toBe("[secret OUTER_KEY] [secret INNER_KEY]");
  });

  describe("of a number", () => {
    const pin = createRedactor({ DB_PASSWORD: "12345678" });
    const record = {
      id: "pin12345678__seed1__a12345678bcd",
      params: { pin: 12345678, deep: [{ pin: 12345678 }] },
      seed: 12345678,
      metrics: { bytes: 12345678, big: 9123456789, ratio: 0.12345678, params: 12345678, rows: 12345678 },
      reason: "12345678 was refused",
      labels: { 12345678: "x" },
    };

    test("hides it in texts, names and parameters, and measures stay numbers", () => {
      const HIDDEN = "[secret DB_PASSWORD]";
      const clean = {
        ...record,
        id: `pin${HIDDEN}__seed1__a12345678bcd`,
        params: { pin: HIDDEN, deep: [{ pin: HIDDEN }] },
        reason: `${HIDDEN} was refused`,
        labels: { [HIDDEN]: "x" },
      };
      expect(JSON.parse(pin.toJson(record))).toEqual(clean);
      expect(JSON.parse(pin.toJson(record, 2))).toEqual(clean);
      expect(pin.value(record)).toEqual(clean);
    });

    test("gives what has no secret as it is", () => {
      const plain = { metrics: { bytes: 1 } };
      expect(pin.value(plain)).toBe(plain);
      expect(pin.toJson(plain)).toBe('{"metrics":{"bytes":1}}');
    });

    test("always gives JSON that can be read, with the same numbers in it", () => {
      fc.assert(
        fc.property(fc.jsonValue(), fc.integer({ min: 10_000_000 }), (value, secret) => {
          const text = createRedactor({ A_KEY: String(secret) }).toJson({ value, metrics: { secret } });
          expect(JSON.parse(text).metrics).toEqual({ secret });
        }),
      );
    });
  });

  test("leaves no part of two secrets that overlap", () => {
    const clean = createRedactor({ A_KEY: "left-shared!", B_KEY: "shared!-right" }).text(
      "x left-shared!-right y",
    );
    expect(clean).not.toMatch(/left|shared|right/);
    expect(clean).toMatch(/^x \[secret .*\] y$/);
  });

  test("leaves no secret in any text, and what is not secret in place", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 8, maxLength: 10 });
    fc.assert(
      fc.property(
        word,
        word,
        fc.array(fc.constantFrom("A", "B", "a", "b", "."), { maxLength: 30 }),
        (a, b, parts) => {
          const text = parts.map((part) => (part === "A" ? a : part === "B" ? b : part)).join("");
          const clean = createRedactor({ A_KEY: a, B_KEY: b }).text(text);
          expect(clean.includes(a) || clean.includes(b)).toBe(false);
          if (!text.includes(a) && !text.includes(b)) expect(clean).toBe(text);
          expect(clean.split(".").length).toBe(text.split(".").length);
        },
      ),
    );
  });

  test("takes any text for a value, also a broken one", () => {
    expect(createRedactor({ API_KEY: "half\ud800of a pair" }).text("half\ud800of a pair")).toBe(
      "[secret API_KEY]",
    );
  });
});
