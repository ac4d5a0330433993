import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { writeMlflowFolder } from "../../src/exporters/mlflow-folder.ts";
import { mlflowRun } from "../../src/exporters/mlflow-run.ts";
import { sendToMlflow } from "../../src/exporters/mlflow-server.ts";
import { aPublishedRun } from "../support/a-published-run.ts";
import { freePort } from "../support/free-port.ts";
import { TempFolder } from "../support/temp-folder.ts";

describe("a run as MLflow has it", () => {
  test("has its series along their steps, and what it came to as the last value", () => {
    const { metrics } = mlflowRun(
      aPublishedRun({
        metrics: { loss: 0.2, score: 1 },
        readSteps: () => [
          { step: 10, loss: 0.5 },
          { step: 20, loss: 0.4 },
        ],
      }),
    );
    expect(metrics.map(({ key, value, step }) => [key, value, step])).toEqual([
      ["loss", 0.5, 10],
      ["loss", 0.4, 20],
      ["loss", 0.2, 20],
      ["score", 1, 0],
    ]);
  });

  test("has names that MLflow takes, no two the same, none a folder of another", () => {
    const names = ["a b%", "a b$", "exit", "exit/error", "../up", "x//y"];
    const { metrics } = mlflowRun(
      aPublishedRun({ metrics: Object.fromEntries(names.map((name) => [name, 1])) }),
    );
    expect(metrics.map(({ key }) => key)).toEqual(["a b_", "a b__", "exit_", "exit/error", "up", "x/y"]);
  });

  test("has parameters as Python prints them, and says by its state whether it has changed", () => {
    const run = mlflowRun(aPublishedRun({ params: { on: true, none: null, list: [1, "a"] } }));
    expect(run.params.map(({ value }) => value)).toEqual(["True", "None", "[1, 'a']"]);
    expect(mlflowRun(aPublishedRun()).state).toBe(mlflowRun(aPublishedRun()).state);
    expect(mlflowRun(aPublishedRun({ metrics: { loss: 0.4 } })).state).not.toBe(
      mlflowRun(aPublishedRun()).state,
    );
  });

  test("is written to a folder once, and anew when it has changed", () => {
    using folder = new TempFolder();
    const at = { dir: folder.path, experiment: "fit" };
    expect(writeMlflowFolder([aPublishedRun()], at)).toMatchObject({ added: 1, known: 0 });
    expect(writeMlflowFolder([aPublishedRun()], at)).toMatchObject({ added: 0, known: 1 });
    const failed = aPublishedRun({ outcome: { status: "failed", reason: "exit 1" } });
    expect(writeMlflowFolder([failed], at)).toMatchObject({ changed: 1 });
  });
});

describe("a server that can't take runs", () => {
  const send = (address: string) => sendToMlflow([aPublishedRun()], { address, experiment: "fit", env: {} });

  test("that does not answer is named, with what to do", async () => {
    const address = `http://127.0.0.1:${await freePort()}`;
    await expect(send(address)).rejects.toThrow(/does not answer: .*ECONNREFUSED.*mlflow server/);
  });

  test("that asks for a password, or is no MLflow, is told so", async () => {
    let code = 401;
    const server = createServer((_, response) => {
      response.writeHead(code).end("<html>hello</html>");
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      await expect(send(address)).rejects.toThrow(/MLFLOW_TRACKING_USERNAME/);
      code = 200;
      await expect(send(address)).rejects.toThrow(/expected an MLflow server/);
    } finally {
      server.close();
    }
  });
});
